/**
 * The tokens of a passage as a blob: a 32-bit hash for each, ascending, so that a token's count is a run. It lets any passage be
 * scored without the word index. Two tokens of one query and passage share a hash once in some ten million.
 */
export function packTokens(tokens: readonly string[]): Uint8Array {
	return new Uint8Array(Uint32Array.from(tokens, hashOf).sort().buffer);
}

/** The hashes of a blob of `packTokens`. */
export function unpackTokens(blob: Uint8Array): Uint32Array {
	const aligned = blob.byteOffset % 4 === 0 ? blob : blob.slice();
	return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** FNV-1a over the code units of a token. */
export function hashOf(token: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193);
	return hash >>> 0;
}

/** How often a hash stands in ascending hashes. */
export function countOf(hashes: Uint32Array, wanted: number): number {
	let low = 0;
	let high = hashes.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((hashes[middle] as number) < wanted) low = middle + 1;
		else high = middle;
	}
	let count = 0;
	while (hashes[low + count] === wanted) count += 1;
	return count;
}
