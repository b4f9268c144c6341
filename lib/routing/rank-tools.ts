import type { Embedder } from '../core/document';
import { messageOf } from '../core/errors';
import type { Tool } from '../core/tool';
import { analyse } from '../text/analyse';
import { blendScores } from '../text/blend-scores';
import { createBm25 } from '../text/bm25';
import { lexicalText, semanticText } from './tool-text';
import { toolVectors } from './tool-vectors';

/** Weight of the encoder's side; measured on MetaTool, the best of a flat range (0.6 to 0.8). */
const ENCODER_WEIGHT = 0.7;
export interface RankedTool {
	readonly tool: Tool;
	/** 0..1, comparable within one ranking only. */
	readonly score: number;
	readonly semantic?: number;
	readonly lexical?: number;
}

export interface ToolRanking {
	/** Best first; every tool once. */
	readonly ranked: readonly RankedTool[];
	readonly method: 'blend' | 'lexical';
	/** Why the encoder was not used, when it should have been. */
	readonly warning?: string;
}

/**
 * Ranks tools for a query by words (stemmed BM25) and, with an embedder, by meaning too.
 *
 * When the embedder fails the ranking is lexical and says why: a slow or dead encoder must not stop an agent. An empty query
 * keeps the order of the tools, all scores 0. Tools of one name are told apart by their place.
 */
export async function rankTools(
	tools: readonly Tool[],
	query: string,
	{ embedder, signal }: { embedder?: Embedder; signal?: AbortSignal } = {},
): Promise<ToolRanking> {
	const lexical = lexicalScores(tools, query);
	if (!embedder || query.trim() === '') return { ranked: sorted(tools, new Map(), lexical), method: 'lexical' };
	try {
		const semantic = await semanticScores(tools, query, { embedder, signal });
		return { ranked: sorted(tools, semantic, lexical), method: 'blend' };
	} catch (error) {
		signal?.throwIfAborted();
		const warning = `The embeddings could not be used (${messageOf(error)}): tools were ranked by their words only.`;
		return { ranked: sorted(tools, new Map(), lexical), method: 'lexical', warning };
	}
}

function lexicalScores(tools: readonly Tool[], query: string): Map<string, number> {
	const index = createBm25(tools.map((tool) => analyse(lexicalText(tool))));
	const scores = index.score(analyse(query));
	return new Map(tools.map((_tool, at) => [String(at), scores[at] ?? 0]));
}

async function semanticScores(
	tools: readonly Tool[],
	query: string,
	{ embedder, signal }: { embedder: Embedder; signal?: AbortSignal },
): Promise<Map<string, number>> {
	const vectors = await toolVectors(embedder, tools.map(semanticText), signal);
	const [asked] = await embedder.embed([query.slice(0, 2_000)], { kind: 'query', signal });
	if (!asked) throw new Error('no vector for the query');
	return new Map(vectors.map((vector, at) => [String(at), dot(asked, vector)]));
}

function sorted(
	tools: readonly Tool[],
	semantic: ReadonlyMap<string, number>,
	lexical: ReadonlyMap<string, number>,
): RankedTool[] {
	return blendScores(semantic, lexical, ENCODER_WEIGHT).flatMap(({ id, score, first, second }) => {
		const tool = tools[Number(id)];
		if (!tool) return [];
		return [{ tool, score, ...(first !== undefined && { semantic: first }), ...(second !== undefined && { lexical: second }) }];
	});
}

function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
	return sum;
}
