/**
 * Retrieval: finds the passages of a knowledge base that answer a query.
 *
 * Comes in: a query, an open store, an embedder when there is one. Goes out: hits, best first, with the parts of their scores,
 * and notes for the builder. Words and vectors are both asked; the weighted sum of their scores ranks. It opens nothing and closes
 * nothing.
 */
import type { Embedder, Hit } from '../core/document';
import { analyse } from '../text/analyse';
import { blendScores } from '../text/blend-scores';
import { embedderMismatch } from './embedder-mismatch';
import type { Candidate, ThemeManifest, ThemeStore } from './store';

export interface RetrieveOptions {
	readonly query: string;
	/** Hits wanted, at least 1. */
	readonly topK: number;
	/** Weight of the vector side, 0 (words only) to 1 (vectors only); `auto` decides by the shape of the query. */
	readonly alpha?: number | 'auto';
	/** Access tokens of the asker; see SearchRequest. */
	readonly acl?: readonly string[];
	readonly signal?: AbortSignal;
}

export interface RetrieveTools {
	readonly store: ThemeStore;
	readonly embedder?: Embedder;
}

export interface RetrieveResult {
	/** At most topK, best first. */
	readonly hits: readonly Hit[];
	readonly method: 'hybrid' | 'lexical';
	/** The weight that was used; 0 for `lexical`. */
	readonly alpha: number;
	/** What the builder should know: why a side was left out. */
	readonly notes: readonly string[];
}

/** Of each side, looked at before blending. */
const CANDIDATES = 100;
const QUOTED = /["«»“”][^"«»“”]{2,}["«»“”]/u;

/**
 * The weight of the vector side for a query: quoted words and codes are matched as written, a word or two say little to an
 * encoder, a sentence says enough.
 */
export function alphaFor(query: string, tokens: readonly string[]): number {
	if (QUOTED.test(query) || tokens.some((token) => token.startsWith('#'))) return 0.25;
	return tokens.filter((token) => token.startsWith('=')).length <= 2 ? 0.4 : 0.5;
}

function hitOf(candidate: Candidate, score: number, parts: { dense?: number; lexical?: number }): Hit {
	return {
		id: candidate.id,
		documentId: candidate.documentId,
		text: candidate.text,
		...(candidate.title !== undefined && { title: candidate.title }),
		...(candidate.source !== undefined && { source: candidate.source }),
		...(candidate.titlePath.length > 0 && { section: candidate.titlePath.join(' › ') }),
		meta: candidate.meta,
		score,
		scores: parts,
	};
}

/** The vector of the query, or why there is none. */
async function queryVector(
	options: RetrieveOptions,
	manifest: ThemeManifest,
	embedder: Embedder | undefined,
): Promise<Float32Array | string> {
	if (options.alpha === 0) return 'Only words were compared: the weight of meaning is 0.';
	if (manifest.embedderId === null) {
		return embedder
			? 'Only words were compared: this knowledge base was built without embeddings.'
			: 'Only words were compared: no embeddings are connected.';
	}
	if (!embedder) {
		return `Only words were compared: this knowledge base was built with "${manifest.embedderId}", but no embeddings are connected.`;
	}
	const given = { id: embedder.id, dimension: manifest.dimension ?? 0 };
	if (embedder.id !== manifest.embedderId) throw embedderMismatch(manifest, given);
	const [vector] = await embedder.embed([options.query], { kind: 'query', ...(options.signal && { signal: options.signal }) });
	if (vector && vector.length !== manifest.dimension) throw embedderMismatch(manifest, { ...given, dimension: vector.length });
	return vector ?? 'Only words were compared: the embeddings gave no vector for the query.';
}

function rank(candidates: readonly Candidate[], alpha: number): { candidate: Candidate; score: number }[] {
	const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
	const dense = new Map(candidates.flatMap(({ id, dense: score }) => (score === undefined ? [] : [[id, score] as const])));
	// No shared word is a real score, 0: without it the weakest match of a page of candidates would count as no match.
	const lexical = new Map(candidates.map(({ id, lexical: score = 0 }) => [id, score]));
	if (candidates.some((candidate) => candidate.lexical !== undefined)) lexical.set('', 0);
	else lexical.clear();
	return blendScores(dense, lexical, alpha).flatMap(({ id, score }) => {
		const candidate = byId.get(id);
		return candidate ? [{ candidate, score }] : [];
	});
}

/**
 * Finds the passages that fit a query.
 *
 * Works without an embedder, by words alone, and says so in `notes`. A blank query gives no hits. Ties keep the order of the
 * vector side, then of the lexical one.
 *
 * @throws CodedError BAD_INPUT when the embedder is not the one that the knowledge base was built with; what embedder and store throw
 */
export async function retrieve(options: RetrieveOptions, tools: RetrieveTools): Promise<RetrieveResult> {
	const query = options.query.trim();
	if (query === '') return { hits: [], method: 'lexical', alpha: 0, notes: ['The query is empty.'] };
	const tokens = analyse(query);
	const vector = await queryVector(options, await tools.store.manifest(), tools.embedder);
	const isHybrid = typeof vector !== 'string';
	const wanted = options.alpha === undefined || options.alpha === 'auto' ? alphaFor(query, tokens) : options.alpha;
	const alpha = isHybrid ? wanted : 0;
	const candidates = await tools.store.search({
		tokens: alpha === 1 ? [] : tokens,
		...(isHybrid && { vector }),
		candidates: Math.max(CANDIDATES, options.topK),
		...(options.acl && { acl: options.acl }),
	});
	const hits = rank(candidates, alpha)
		.slice(0, Math.max(1, Math.floor(options.topK)))
		.map(({ candidate, score }) => {
			const { dense, lexical } = candidate;
			return hitOf(candidate, score, { ...(dense !== undefined && { dense }), ...(lexical !== undefined && { lexical }) });
		});
	return { hits, method: isHybrid ? 'hybrid' : 'lexical', alpha, notes: isHybrid ? [] : [vector] };
}
