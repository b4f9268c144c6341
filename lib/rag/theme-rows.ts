/**
 * What scoring needs of a knowledge base, kept in memory: the numbers of its passages and their vectors as bytes.
 *
 * A cache of this process: a counter in the file tells of every change, also of other processes, and the passages that came and
 * went since are then read, not the whole. About 400 bytes a passage with 384 numbers.
 */
import type { Database } from '../storage/sqlite';
import { type ByteRows, createByteRows } from './byte-rows';
import { keepEntry } from './search-key';
import { readMeta } from './sqlite-schema';
import type { SearchResult } from './store';
import { WordScope } from './word-scope';

/** Rows in all answers to "who may see what" that are kept for one state of a knowledge base: 1 MB. */
const MOST_CHOSEN = 250_000;
/** Kinds of askers whose words are counted, for one state of a knowledge base. */
const MOST_SCOPES = 8;
/** Searches kept for one state of a knowledge base, some 25 kB each. */
const MOST_ANSWERS = 64;
/** Share of removed rows from which the rest is read anew. */
const MOST_REMOVED = 0.3;

export class ThemeRows {
	/** Rows, removed ones included; they follow the passages' ids. */
	count = 0;
	removed = 0;
	private tokens = 0;
	private chunks: Int32Array;
	private lengths: Int32Array;
	/** The document of each row; 0 for a removed one. */
	documents: Int32Array;
	readonly bytes: ByteRows | undefined;
	/** Rows that may be seen, ascending, by who asks and the filter. */
	readonly choices = new Map<string, Int32Array>();
	private chosen = 0;
	private readonly scopes = new Map<string, WordScope>();
	/** Answers to whole searches; who asked and the filter are in the key. */
	readonly answers = new Map<string, SearchResult>();

	constructor(
		readonly dimension: number | null,
		expected: number,
	) {
		const room = Math.max(64, Math.ceil(expected * 1.05));
		this.chunks = new Int32Array(room);
		this.lengths = new Int32Array(room);
		this.documents = new Int32Array(room);
		this.bytes = dimension === null ? undefined : createByteRows(dimension, { expected: room });
	}

	/** Passages that are there. */
	get live(): number {
		return this.count - this.removed;
	}

	chunkOf(row: number): number {
		return this.chunks[row] as number;
	}

	lengthOf(row: number): number {
		return this.lengths[row] as number;
	}

	/** -1 when it is unknown or removed. */
	rowOf(chunk: number): number {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.chunks[middle] as number) < chunk) low = middle + 1;
			else high = middle;
		}
		return low < this.count && this.chunks[low] === chunk && this.documents[low] !== 0 ? low : -1;
	}

	append(facts: { chunk: number; document: number; length: number }, bytes: Uint8Array, scale: number): void {
		if (this.count === this.chunks.length) this.grow();
		this.chunks[this.count] = facts.chunk;
		this.documents[this.count] = facts.document;
		this.lengths[this.count] = facts.length;
		this.tokens += facts.length;
		this.count += 1;
		this.bytes?.append(bytes, scale);
	}

	remove(chunk: number): void {
		const row = this.rowOf(chunk);
		if (row < 0) return;
		this.documents[row] = 0;
		this.tokens -= this.lengths[row] as number;
		this.removed += 1;
	}

	/** A row with those before and after it in its document: a document's passages are written one after the other. */
	around(row: number): number[] {
		const document = this.documents[row];
		return [row - 1, row, row + 1].filter((one) => one >= 0 && one < this.count && this.documents[one] === document);
	}

	/** The rows of some documents, ascending. */
	rowsOf(documents: ReadonlySet<number>): Int32Array {
		let found = 0;
		for (let row = 0; row < this.count; row++) if (documents.has(this.documents[row] as number)) found += 1;
		const rows = new Int32Array(found);
		for (let row = this.count - 1; found > 0; row--) if (documents.has(this.documents[row] as number)) rows[--found] = row;
		return rows;
	}

	/** Keeps who may see what until the knowledge base changes; the oldest leave when it is too much. */
	remember(key: string, rows: Int32Array): Int32Array {
		this.choices.set(key, rows);
		this.chosen += rows.length;
		for (const [oldest, { length }] of this.choices) {
			if (this.chosen <= MOST_CHOSEN || oldest === key) break;
			this.choices.delete(oldest);
			this.chosen -= length;
		}
		return rows;
	}

	/** What words are weighed by for who sees these rows; undefined for all. */
	scopeOf(rows: Int32Array | undefined, key: string): WordScope {
		const isAll = rows === undefined || rows.length === this.live;
		const name = isAll ? '' : key;
		const known = this.scopes.get(name);
		if (known) return known;
		const tokens = isAll ? this.tokens : rows.reduce((sum, row) => sum + this.lengthOf(row), 0);
		const live = isAll ? this.live : rows.length;
		const scope = new WordScope(live, tokens / live || 1, isAll ? undefined : rows);
		keepEntry(this.scopes, name, scope, MOST_SCOPES);
		return scope;
	}

	/** Keeps an answer until the knowledge base changes. */
	rememberAnswer(key: string, answer: SearchResult): SearchResult {
		keepEntry(this.answers, key, answer, MOST_ANSWERS);
		return answer;
	}

	/** A change of rights or documents: nothing that was known holds. */
	forgetAnswers(): void {
		this.choices.clear();
		this.chosen = 0;
		this.scopes.clear();
		this.answers.clear();
	}

	private grow(): void {
		const larger = (column: Int32Array): Int32Array<ArrayBuffer> => {
			const next = new Int32Array(Math.ceil(column.length * 1.5));
			next.set(column);
			return next;
		};
		this.chunks = larger(this.chunks);
		this.documents = larger(this.documents);
		this.lengths = larger(this.lengths);
	}
}

interface CacheEntry {
	readonly createdAt: string;
	readonly rows: ThemeRows;
	changes: number;
}

/** Knowledge bases kept in memory at once; the least recently used leaves first. */
const MOST_THEMES = 4;
const cache = new Map<string, CacheEntry>();

function readNewRows(database: Database, rows: ThemeRows): void {
	const after = rows.count === 0 ? 0 : rows.chunkOf(rows.count - 1);
	const none = new Uint8Array(0);
	const sql = `SELECT chunk, document, length, ${rows.bytes ? 'scale, bytes' : '0, NULL'} FROM rows WHERE chunk > ? ORDER BY chunk`;
	for (const [chunk, document, length, scale, bytes] of database.iterate(sql, after)) {
		const facts = { chunk: Number(chunk), document: Number(document), length: Number(length) };
		rows.append(facts, bytes instanceof Uint8Array ? bytes : none, Number(scale));
	}
}

function caughtUp(database: Database, entry: CacheEntry, changes: number): boolean {
	// A lower number is another file, such as a copy that was put in its place.
	if (changes < entry.changes || Number(readMeta(database, 'removed_from')) > entry.changes) return false;
	for (const [chunk] of database.iterate('SELECT chunk FROM removed WHERE change > ?', entry.changes)) entry.rows.remove(Number(chunk));
	if (entry.rows.removed > MOST_REMOVED * entry.rows.count + 1000) return false;
	readNewRows(database, entry.rows);
	entry.rows.forgetAnswers();
	entry.changes = changes;
	return true;
}

/** The rows of a knowledge base as they are now. Call inside a snapshot. */
export function themeRows(database: Database): ThemeRows {
	const createdAt = readMeta(database, 'created_at') ?? '';
	const changes = Number(readMeta(database, 'changes'));
	const dimension = readMeta(database, 'dimension');
	const numbers = dimension === null ? null : Number(dimension);
	const known = cache.get(database.file);
	cache.delete(database.file);
	const isSame = known?.createdAt === createdAt && known.rows.dimension === numbers;
	if (isSame && (known.changes === changes || caughtUp(database, known, changes))) {
		cache.set(database.file, known);
		return known.rows;
	}
	const rows = new ThemeRows(numbers, Number(database.get('SELECT count(*) AS n FROM rows')?.n));
	readNewRows(database, rows);
	cache.set(database.file, { createdAt, rows, changes });
	const oldest = cache.keys().next().value;
	if (cache.size > MOST_THEMES && oldest !== undefined) cache.delete(oldest);
	return rows;
}

/** Frees what is kept of a file; for files that are deleted. */
export function forgetTheme(file: string): void {
	cache.delete(file);
}
