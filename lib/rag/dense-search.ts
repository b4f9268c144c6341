import type { Database } from '../storage/sqlite';
import { bestOf, placeOf } from './best-of';
import type { ThemeRows } from './theme-rows';

/** Rows read exactly beside those wanted: rounding to bytes moves a row a few places at most. */
const READ_BESIDE = 30;

/** The bytes of a vector as they are stored: little-endian 32-bit floats. */
export function bytesOf(vector: Float32Array): Uint8Array {
	return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector of stored bytes. */
export function vectorOf(bytes: Uint8Array): Float32Array {
	const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
	return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

/** Cosine of two unit vectors. */
export function cosine(first: Float32Array, second: Float32Array): number {
	let sum = 0;
	for (let i = 0; i < first.length; i++) sum += (first[i] as number) * (second[i] as number);
	return sum;
}

/** Exact cosines of a query with some rows, from the stored floats. */
export function exactCosines(database: Database, theme: ThemeRows, query: Float32Array, rows: Iterable<number>): Map<number, number> {
	const chunks = [...rows].map((row) => theme.chunkOf(row));
	const scores = new Map<number, number>();
	const sql = 'SELECT chunk, vector FROM vectors WHERE chunk IN (SELECT value FROM json_each(?))';
	for (const [chunk, vector] of database.iterate(sql, JSON.stringify(chunks))) {
		scores.set(theme.rowOf(Number(chunk)), cosine(query, vectorOf(vector as Uint8Array)));
	}
	return scores;
}

/** What the scan gives: the rows to read exactly, and about the cosine of every row that was scanned, until the next scan. */
export interface Scan {
	readonly nearest: readonly number[];
	/** Of the rows that were scanned; Infinity for none. */
	readonly lowest: number;
	/** NaN for a row that was not scanned. */
	about(row: number): number;
}

/** Scans all byte vectors, or those of the allowed rows (ascending) only. `nearest` holds `wanted` rows and some more. */
export function scanRows(theme: ThemeRows, query: Float32Array, wanted: number, allowed: Int32Array | undefined): Scan {
	if (!theme.bytes) return { nearest: [], lowest: Infinity, about: () => NaN };
	const scores = theme.bytes.scores(query, allowed);
	if (!allowed && theme.removed > 0) {
		for (let row = 0; row < scores.length; row++) if (theme.documents[row] === 0) scores[row] = NaN;
	}
	const best = bestOf(scores, wanted + READ_BESIDE);
	let lowest = Infinity;
	for (let i = 0; i < scores.length; i++) if ((scores[i] as number) < lowest) lowest = scores[i] as number;
	if (!allowed) return { nearest: best, lowest, about: (row) => scores[row] ?? NaN };
	const nearest = best.map((position) => allowed[position] as number);
	return { nearest, lowest, about: (row) => scores[placeOf(allowed, row)] ?? NaN };
}
