import type { Database } from '../storage/sqlite';
import { readMeta } from './sqlite-schema';

/** Every passage of a knowledge base as numbers, in the order of the passages: what scoring needs, without texts. */
export interface ThemeRows {
	readonly count: number;
	readonly chunks: Int32Array;
	readonly documents: Int32Array;
	/** Search tokens in each passage. */
	readonly lengths: Int32Array;
	readonly meanLength: number;
	/** Row of a passage by its id; -1 when it is unknown. */
	readonly rowOf: Int32Array;
}

interface CacheEntry {
	readonly version: string;
	readonly rows: ThemeRows;
	vectors?: Float32Array;
}

/** Knowledge bases kept in memory at once; the least recently used leaves first. */
const MOST_THEMES = 4;
const cache = new Map<string, CacheEntry>();

function readRows(database: Database): ThemeRows {
	const facts = database.get('SELECT count(*) AS n, coalesce(max(id), 0) AS last, coalesce(avg(length), 0) AS mean FROM chunks');
	const count = Number(facts?.n);
	const columns = { chunks: new Int32Array(count), documents: new Int32Array(count), lengths: new Int32Array(count) };
	const rowOf = new Int32Array(Number(facts?.last) + 1).fill(-1);
	let row = 0;
	for (const [chunk, document, length] of database.iterate('SELECT id, document, length FROM chunks ORDER BY id')) {
		columns.chunks[row] = Number(chunk);
		columns.documents[row] = Number(document);
		columns.lengths[row] = Number(length);
		rowOf[Number(chunk)] = row;
		row += 1;
	}
	return { count, ...columns, meanLength: Number(facts?.mean), rowOf };
}

function entryOf(database: Database): CacheEntry {
	const version = `${readMeta(database, 'created_at')}/${readMeta(database, 'changes')}`;
	const known = cache.get(database.file);
	cache.delete(database.file);
	const entry = known?.version === version ? known : { version, rows: readRows(database) };
	cache.set(database.file, entry);
	const oldest = cache.keys().next().value;
	if (cache.size > MOST_THEMES && oldest !== undefined) cache.delete(oldest);
	return entry;
}

/**
 * The rows of a knowledge base, from memory while nobody has changed it. Call inside a snapshot.
 *
 * The version is a counter in the file itself, so changes of other processes are seen, and a file that was deleted and made
 * again is not taken for the old one.
 */
export function themeRows(database: Database): ThemeRows {
	return entryOf(database).rows;
}

/** The vectors of `themeRows`, row after row, `dimension` numbers each; zeros for a passage without one. */
export function themeVectors(database: Database, dimension: number): Float32Array {
	const entry = entryOf(database);
	if (entry.vectors) return entry.vectors;
	const vectors = new Float32Array(entry.rows.count * dimension);
	for (const [chunk, bytes] of database.iterate('SELECT chunk, vector FROM vectors')) {
		const row = entry.rows.rowOf[Number(chunk)] ?? -1;
		if (row >= 0) vectors.set(vectorOf(bytes as Uint8Array), row * dimension);
	}
	entry.vectors = vectors;
	return vectors;
}

/** Frees what is kept of a file; for files that are deleted. */
export function forgetTheme(file: string): void {
	cache.delete(file);
}

/** The bytes of a vector as they are stored: little-endian 32-bit floats. */
export function bytesOf(vector: Float32Array): Uint8Array {
	return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector of stored bytes; they are copied, because a blob may lie at any offset. */
function vectorOf(bytes: Uint8Array): Float32Array {
	return new Float32Array(bytes.slice().buffer);
}
