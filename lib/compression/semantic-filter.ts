import type { Hit } from '../core/document';
import { type Judged, passageRelevance } from './judge';
import { type Limits, Room } from './room';

export interface FilterLimits extends Limits {
	/** 0..1 of the best passage's relevance; weaker ones are dropped. 0 keeps all that fit. */
	readonly minRelevance: number;
	/** Passages kept at most. */
	readonly maxPassages: number;
}

/**
 * The passages that serve the question most, as positions in their order: they are kept whole, from the best one on while they fit.
 * The best one always stays. No passages give [].
 */
export function filterPassages(judged: Judged, limits: FilterLimits): number[] {
	const { hits } = judged.material;
	const relevance = passageRelevance(judged);
	const order = [...hits.keys()].sort((a, b) => relevance[b]! - relevance[a]!);
	const best = relevance[order[0] ?? 0] ?? 0;
	const kept = new Set<number>();
	const room = new Room(limits);
	for (const position of order) {
		const hit = hits[position]!;
		if (kept.size >= limits.maxPassages || (kept.size > 0 && relevance[position]! < limits.minRelevance * best)) break;
		if (room.take(hit, hit.text.length) || kept.size === 0) kept.add(position);
	}
	return [...kept].sort((a, b) => a - b);
}

/** The first passages that fit, whole; the first one always. [] gives []. */
export function firstThatFit(hits: readonly Hit[], limits: Limits): Hit[] {
	const room = new Room(limits);
	const end = hits.findIndex((hit) => !room.take(hit, hit.text.length));
	return hits.slice(0, end < 0 ? hits.length : Math.max(1, end));
}
