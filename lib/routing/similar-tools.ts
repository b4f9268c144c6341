import type { Tool } from '../core/tool';
import { analyse } from '../text/analyse';
import { nameWords } from './tool-text';

/** Two tools that a model may take for each other. */
export interface SimilarPair {
	readonly first: string;
	readonly second: string;
	readonly nodes: readonly [string, string];
	/** 0..1 */
	readonly likeness: number;
	readonly why: 'same name' | 'same words in another order or spelling' | 'nearly the same meaning' | 'nearly the same words';
}

interface Named {
	readonly tool: Tool;
	readonly originalName: string;
	readonly node: string;
}

/** Above this two vectors mean the same to the encoder. */
const NEAR_MEANING = 0.9;
const NEAR_WORDS = 0.8;
const MOST_PAIRS = 200;

/**
 * The pairs that are too alike, closest first, at most 200.
 *
 * @param vectors  one per tool; without them the words of name and description are compared
 */
export function similarPairs(tools: readonly Named[], vectors: readonly Float32Array[] | undefined): SimilarPair[] {
	const keys = tools.map(({ originalName }) => nameWords(originalName).toLowerCase().split(/\s+/).sort().join(' '));
	const units = vectors?.map(unit);
	const words = units ? [] : tools.map(({ tool }) => new Set(analyse(`${nameWords(tool.name)} ${tool.description.slice(0, 400)}`)));
	const pairs: SimilarPair[] = [];
	for (let a = 0; a < tools.length; a++) {
		for (let b = a + 1; b < tools.length; b++) {
			const likeness = units ? dot(units[a], units[b]) : overlap(words[a], words[b]);
			const why = reason(tools, { a, b, keys, likeness, byMeaning: units !== undefined });
			if (why) pairs.push(pairOf(tools, { a, b, likeness: why === 'same name' ? 1 : likeness, why }));
		}
	}
	return pairs.sort((one, other) => other.likeness - one.likeness).slice(0, MOST_PAIRS);
}

function reason(
	tools: readonly Named[],
	{ a, b, keys, likeness, byMeaning }: { a: number; b: number; keys: readonly string[]; likeness: number; byMeaning: boolean },
): SimilarPair['why'] | undefined {
	if (tools[a]?.originalName === tools[b]?.originalName) return 'same name';
	if (keys[a] === keys[b]) return 'same words in another order or spelling';
	if (byMeaning) return likeness >= NEAR_MEANING ? 'nearly the same meaning' : undefined;
	return likeness >= NEAR_WORDS ? 'nearly the same words' : undefined;
}

function pairOf(tools: readonly Named[], { a, b, likeness, why }: { a: number; b: number; likeness: number; why: SimilarPair['why'] }): SimilarPair {
	const [first, second] = [tools[a], tools[b]];
	return {
		first: first?.tool.name ?? '',
		second: second?.tool.name ?? '',
		nodes: [first?.node ?? '', second?.node ?? ''],
		likeness: Math.round(likeness * 1_000) / 1_000,
		why,
	};
}

function unit(vector: Float32Array): Float32Array {
	const length = Math.hypot(...vector);
	return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
	let sum = 0;
	for (let at = 0; at < (a?.length ?? 0); at++) sum += (a?.[at] ?? 0) * (b?.[at] ?? 0);
	return sum;
}

/** Jaccard: shared words of all words. */
function overlap(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): number {
	if (!a || !b || a.size + b.size === 0) return 0;
	let shared = 0;
	for (const word of a) if (b.has(word)) shared += 1;
	return shared / (a.size + b.size - shared);
}
