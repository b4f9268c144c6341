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

/** A set of tools kept ready in a process; an agent meets the same one at every turn. */
interface KnownSet {
	readonly tools: readonly RoutableTool[];
	lexical?: LexicalIndex;
	/** By embedder. */
	readonly semantic: Map<string, SemanticIndex>;
}

const MOST_SETS = 8;
let sets: KnownSet[] = [];

/** The lexical index of a set of tools, made once per set. */
export function lexicalIndex(tools: readonly RoutableTool[]): LexicalIndex {
	const known = knownSet(tools);
	known.lexical ??= indexWords(tools);
	return known.lexical;
}

function indexWords(tools: readonly RoutableTool[]): LexicalIndex {
	const tokens = tools.map((tool) => analyse(lexicalText(tool)));
	const own = tokens.map((list) => new Set(list));
	const found = new Map<string, number>();
	for (const set of own) for (const token of set) found.set(token, (found.get(token) ?? 0) + 1);
	const rarity = (token: string): number => inverseDocumentFrequency(tools.length, found.get(token) ?? 0);
	return { bm25: createBm25(tokens), rarity, tokens: own };
}

/** The vectors of a set of tools; only texts never seen before are embedded. Throws what the embedder throws. */
export async function semanticIndex(
	tools: readonly RoutableTool[],
	source: { embedder: Embedder; folder?: string; log?: Log; signal?: AbortSignal },
): Promise<SemanticIndex> {
	const { semantic } = knownSet(tools);
	const ready = semantic.get(source.embedder.id);
	if (ready) return ready;
	const views = tools.map((tool) => semanticViews(tool, tools.length));
	const examples = tools.flatMap((tool, at) => (tool.examples ?? []).map((text) => ({ tool: at, text })));
	const texts = [...views.flat().map(({ text }) => text), ...examples.map(({ text }) => text)];
	const vectors = await toolVectors(texts, source);
	let next = 0;
	const blended = views.map((own) => blend(own.map(({ weight }) => ({ weight, vector: vectors[next++] ?? new Float32Array() }))));
	const asked = examples.map(({ tool }) => ({ tool, vector: vectors[next++] ?? new Float32Array() }));
	const index = { tools: blended, examples: asked };
	semantic.set(source.embedder.id, index);
	return index;
}

/** The weighted mean of a tool's views: its product with a query is the weighted mean of theirs. */
function blend(views: readonly { weight: number; vector: Float32Array }[]): Float32Array {
	const sum = new Float32Array(views[0]?.vector.length ?? 0);
	for (const { weight, vector } of views) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
	return sum;
}

/** The set with the same content in the same order, first of the list from now on; a new one when none is. */
function knownSet(tools: readonly RoutableTool[]): KnownSet {
	const found = sets.find((set) => set.tools.length === tools.length && tools.every((tool, at) => isSame(tool, set.tools[at])));
	const first = found ?? { tools: [...tools], semantic: new Map() };
	sets = [first, ...sets.filter((set) => set !== first)].slice(0, MOST_SETS);
	return first;
}

/** Equal in all that is matched. */
function isSame(a: RoutableTool, b: RoutableTool | undefined): boolean {
	if (!b || a.name !== b.name || a.intent !== b.intent || a.description !== b.description) return false;
	if (a.inputSchema !== b.inputSchema && parameterNames(a) !== parameterNames(b)) return false;
	return (a.tags === b.tags || a.tags.join() === b.tags.join()) && (a.examples === b.examples || a.examples?.join('\n') === b.examples?.join('\n'));
}

function parameterNames({ inputSchema }: RoutableTool): string {
	return Object.keys((inputSchema.properties ?? {}) as object).join(' ');
}
