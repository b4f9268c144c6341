/**
 * How well a text answers a query by late interaction: for each token of the query its best match among the tokens of the text, averaged
 * (MaxSim). Vectors are of unit length, so the result lies in −1..1; without tokens on either side it is 0.
 *
 * @see Khattab and Zaharia, "ColBERT", SIGIR 2020
 */
export function maxSim(query: readonly Float32Array[], text: readonly Float32Array[]): number {
	if (query.length === 0 || text.length === 0) return 0;
	let sum = 0;
	for (const asked of query) {
		let best = -Infinity;
		for (const found of text) best = Math.max(best, dot(asked, found));
		sum += best;
	}
	return sum / query.length;
}

function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
	return sum;
}
