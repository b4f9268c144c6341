import { createHash } from 'node:crypto';

import type { Embedder } from '../core/document';
import type { Log } from '../core/ports';
import { analyse } from '../text/analyse';
import { createBm25, inverseDocumentFrequency, type Bm25 } from '../text/bm25';
import type { RoutableTool } from './intent-map';
import { lexicalText, semanticViews } from './tool-text';
import { toolVectors } from './tool-vectors';

/** The words of a set of tools. Rarities are kept for the share of a query that a tool covers. */
export interface LexicalIndex {
	readonly bm25: Bm25;
	/** Rarity of a token among the tools; of one that no tool has, the highest. */
	rarity(token: string): number;
	/** The tokens of each tool. */
	readonly tokens: readonly ReadonlySet<string>[];
}

/** The vectors of a set of tools: one per tool, and those of its example questions. */
export interface SemanticIndex {
	readonly tools: readonly Float32Array[];
	readonly examples: readonly { readonly tool: number; readonly vector: Float32Array }[];
}

/** Sets of tools kept ready in a process; an agent meets the same set at every turn. */
const MOST_SETS = 8;
const lexical = new Map<string, LexicalIndex>();
const semantic = new Map<string, SemanticIndex>();

/** The lexical index of a set of tools, made once per set. */
export function lexicalIndex(tools: readonly RoutableTool[]): LexicalIndex {
	return kept(lexical, setKey(tools), () => {
		const tokens = tools.map((tool) => analyse(lexicalText(tool)));
		const sets = tokens.map((list) => new Set(list));
		const found = new Map<string, number>();
		for (const set of sets) for (const token of set) found.set(token, (found.get(token) ?? 0) + 1);
		const rarity = (token: string): number => inverseDocumentFrequency(tools.length, found.get(token) ?? 0);
		return { bm25: createBm25(tokens), rarity, tokens: sets };
	});
}

/** The vectors of a set of tools; only texts never seen before are embedded. Throws what the embedder throws. */
export async function semanticIndex(
	tools: readonly RoutableTool[],
	source: { embedder: Embedder; folder?: string; log?: Log; signal?: AbortSignal },
): Promise<SemanticIndex> {
	const key = `${source.embedder.id}\n${setKey(tools)}`;
	const ready = semantic.get(key);
	if (ready) return kept(semantic, key, () => ready);
	const views = tools.map(semanticViews);
	const examples = tools.flatMap((tool, at) => (tool.examples ?? []).map((text) => ({ tool: at, text })));
	const texts = [...views.flat().map(({ text }) => text), ...examples.map(({ text }) => text)];
	const vectors = await toolVectors(texts, source);
	let next = 0;
	const blended = views.map((own) => blend(own.map(({ weight }) => ({ weight, vector: vectors[next++] ?? new Float32Array() }))));
	const asked = examples.map(({ tool }) => ({ tool, vector: vectors[next++] ?? new Float32Array() }));
	return kept(semantic, key, () => ({ tools: blended, examples: asked }));
}

/** The weighted mean of a tool's views: its product with a query is the weighted mean of theirs. */
function blend(views: readonly { weight: number; vector: Float32Array }[]): Float32Array {
	const sum = new Float32Array(views[0]?.vector.length ?? 0);
	for (const { weight, vector } of views) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
	return sum;
}

/** Content of all that is matched, in order. */
function setKey(tools: readonly RoutableTool[]): string {
	const hash = createHash('sha256');
	for (const { name, intent, description, tags, examples, inputSchema } of tools) {
		const parameters = Object.keys((inputSchema.properties ?? {}) as object).join(' ');
		hash.update([name, intent, description, tags.join(','), (examples ?? []).join('\n'), parameters].join('\0'));
		hash.update('\u0001');
	}
	return hash.digest('hex');
}

function kept<Index>(cache: Map<string, Index>, key: string, make: () => Index): Index {
	const index = cache.get(key) ?? make();
	cache.delete(key);
	cache.set(key, index);
	const oldest = cache.size > MOST_SETS ? cache.keys().next().value : undefined;
	if (oldest !== undefined) cache.delete(oldest);
	return index;
}
