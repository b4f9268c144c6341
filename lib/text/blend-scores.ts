/** Scores of candidates by id; an id that is absent was not scored. */
export type Scores = ReadonlyMap<string, number>;

export interface BlendedScore {
	readonly id: string;
	/** 0..1 */
	readonly score: number;
	/** Each side brought to 0..1; undefined when that side did not score the id. */
	readonly first: number | undefined;
	readonly second: number | undefined;
}

/**
 * Brings scores to 0..1: (score − lowest) / (highest − lowest).
 *
 * All equal: 1 for each when they are above 0, else 0, so a side that sees no difference neither hides nor invents a match.
 * NaN and infinite scores count as the lowest. Order is kept; [] gives [].
 */
export function normaliseScores(scores: ArrayLike<number>): Float64Array {
	const finite = Array.from(scores).filter(Number.isFinite);
	const lowest = finite.reduce((low, score) => Math.min(low, score), Infinity);
	const highest = finite.reduce((high, score) => Math.max(high, score), -Infinity);
	// Halves, so that the widest range is still a finite number.
	const range = highest / 2 - lowest / 2;
	return Float64Array.from(scores, (score) => {
		if (!Number.isFinite(score)) return 0;
		if (range > 0) return Math.min(1, (score / 2 - lowest / 2) / range);
		return highest > 0 ? 1 : 0;
	});
}

function normalised(scores: Scores): Map<string, number> {
	const values = normaliseScores([...scores.values()]);
	return new Map([...scores.keys()].map((id, position) => [id, values[position] ?? 0]));
}

/**
 * Merges two rankings: alpha × first + (1 − alpha) × second, each side brought to 0..1 by min and max.
 *
 * A score that is missing on one side counts 0 there. When one side is empty the other counts alone, whatever alpha is.
 *
 * @param alpha  0..1, the weight of `first`; outside values are clamped
 * @returns      every id of either side once, best first; ties keep the order of `first`, then of `second`
 */
export function blendScores(first: Scores, second: Scores, alpha: number): BlendedScore[] {
	const left = normalised(first);
	const right = normalised(second);
	const weight = left.size === 0 ? 0 : right.size === 0 ? 1 : Math.min(1, Math.max(0, alpha));
	return [...new Set([...left.keys(), ...right.keys()])]
		.map((id) => ({
			id,
			score: weight * (left.get(id) ?? 0) + (1 - weight) * (right.get(id) ?? 0),
			first: left.get(id),
			second: right.get(id),
		}))
		.sort((a, b) => b.score - a.score);
}
