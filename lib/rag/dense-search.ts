/**
 * Cosine of a query with every allowed row (both are unit vectors): an exact scan.
 *
 * @param vectors  row after row, as many numbers each as the query has
 * @param allowed  1 for rows that may be seen; undefined allows all
 * @returns        one score per row; NaN where the row is not allowed
 */
export function denseScores(vectors: Float32Array, query: Float32Array, allowed: Uint8Array | undefined): Float32Array {
	const dimension = query.length;
	const scores = new Float32Array(vectors.length / dimension);
	for (let row = 0, at = 0; row < scores.length; row++, at += dimension) {
		if (allowed?.[row] === 0) {
			scores[row] = NaN;
			continue;
		}
		let sum = 0;
		for (let i = 0; i < dimension; i++) sum += (vectors[at + i] as number) * (query[i] as number);
		scores[row] = sum;
	}
	return scores;
}
