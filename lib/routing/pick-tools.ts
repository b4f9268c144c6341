import type { RankedTool, ToolRanking } from './rank-tools';

/** Two tools closer than this are taken for near-duplicates; what is above it counts against the later one. */
const NEAR = 0.8;
const DUPLICATE_PENALTY = 4;
/** Two this close say the same; after two of them a third comes last. */
const SAME = 0.92;
const MOST_OF_THE_SAME = 2;
/** Tools looked at for each that is chosen. */
const CANDIDATES = 5;

export interface PickOptions {
	/** How many; from 1. */
	readonly topK: number;
	/** Relevance that a tool must reach, 0..1. */
	readonly minRelevance: number;
}

/**
 * The tools to show: best first, near-duplicates held back, and where the query has several demands each gets its tools in
 * turn. Fewer than `topK`, down to none, when the others do not reach the minimum.
 */
export function pickTools(ranking: ToolRanking, options: PickOptions): RankedTool[] {
	const lists = [ranking.ranked, ...ranking.demands.map(({ ranked }) => ranked)].map((ranked) =>
		varied(ranked, ranking.vectors, options),
	);
	const picked = new Map<number, RankedTool>();
	for (let round = 0; round < options.topK && picked.size < options.topK; round++) {
		for (const list of lists) {
			const next = list.find(({ at }) => !picked.has(at));
			if (next && picked.size < options.topK) picked.set(next.at, next);
		}
	}
	return [...picked.values()];
}

/** Maximal marginal relevance over the first candidates that are relevant enough. */
function varied(ranked: readonly RankedTool[], vectors: ToolRanking['vectors'], options: PickOptions): RankedTool[] {
	const fitting = ranked.filter(({ relevance }) => relevance >= options.minRelevance).slice(0, options.topK * CANDIDATES);
	if (!vectors) return fitting.slice(0, options.topK);
	const left = fitting.map((entry) => ({ entry, near: 0, same: 0 }));
	const chosen: RankedTool[] = [];
	while (left.length > 0 && chosen.length < options.topK) {
		const values = left.map(({ entry, near, same }) => {
			if (same >= MOST_OF_THE_SAME) return Number.NEGATIVE_INFINITY;
			return entry.score - DUPLICATE_PENALTY * Math.max(0, near - NEAR);
		});
		const [best] = left.splice(values.indexOf(Math.max(...values)), 1);
		if (!best) break;
		chosen.push(best.entry);
		for (const other of left) {
			const near = cosine(vectors[best.entry.at], vectors[other.entry.at]);
			other.near = Math.max(other.near, near);
			if (near >= SAME) other.same += 1;
		}
	}
	return chosen;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
	if (!a || !b) return 0;
	let [product, squareA, squareB] = [0, 0, 0];
	for (let at = 0; at < a.length; at++) {
		const [x, y] = [a[at] ?? 0, b[at] ?? 0];
		product += x * y;
		squareA += x * x;
		squareB += y * y;
	}
	return product / (Math.sqrt(squareA * squareB) || 1);
}
