import type { Hit } from '../core/document';
import { analyse } from '../text/analyse';
import { type Question, relevanceOf, type RelevanceTools } from './relevance';

export interface FilterLimits {
	/** Most characters kept in all. */
	readonly maxCharacters: number;
	/** 0..1 of the best passage's relevance; weaker ones are dropped. 0 keeps all that fit. */
	readonly minRelevance: number;
}

/** Shared words, of all words, from which two passages say the same. */
const SAME = 0.9;

/** Title and section of a passage as one line; '' when it has neither. */
export function titleOf(hit: Hit): string {
	return [hit.title, hit.section].filter(Boolean).join(' › ');
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let shared = 0;
	for (const token of a) if (b.has(token)) shared += 1;
	return shared / (a.size + b.size - shared || 1);
}

/** Drops passages that say what an earlier one says (nine words of ten in common). The order is kept. */
export function withoutDuplicates(hits: readonly Hit[]): Hit[] {
	const kept: { hit: Hit; words: ReadonlySet<string> }[] = [];
	for (const hit of hits) {
		const words = new Set(analyse(hit.text));
		if (!kept.some((other) => other.hit.text === hit.text || overlap(other.words, words) >= SAME)) kept.push({ hit, words });
	}
	return kept.map(({ hit }) => hit);
}

/**
 * Keeps the passages that serve the question most, whole and in their order.
 *
 * They are taken from the best one on while they fit; the best one always stays. [] gives [].
 */
export async function filterPassages(
	question: Question,
	hits: readonly Hit[],
	limits: FilterLimits,
	tools: RelevanceTools,
): Promise<Hit[]> {
	const relevance = await relevanceOf(question, hits.map((hit) => ({ text: hit.text, title: titleOf(hit) })), tools);
	const order = [...hits.keys()].sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0));
	const best = relevance[order[0] ?? 0] ?? 0;
	const kept = new Set<number>();
	let room = limits.maxCharacters;
	for (const position of order) {
		const length = hits[position]?.text.length ?? 0;
		const isWeak = (relevance[position] ?? 0) < limits.minRelevance * best;
		if (kept.size > 0 && (isWeak || length > room)) continue;
		kept.add(position);
		room -= length;
	}
	return hits.filter((_, position) => kept.has(position));
}
