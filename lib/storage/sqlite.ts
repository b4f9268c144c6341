/**
 * SQLite files, over the driver of `sqlite-driver.ts`.
 *
 * Comes in: a file path and SQL. Goes out: rows as plain objects. One connection belongs to one call of the engine: open, work,
 * close. Several processes on one host may use a file at once (write-ahead log, waiting up to 10 s for a lock); a network
 * file system may not hold it. The API is synchronous, so transactions are kept short.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CodedError, raise } from '../core/errors';
import { type SqliteConnection, type SqliteStatement, sqliteDriver } from './sqlite-driver';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

export interface Database {
	readonly file: string;
	/** Runs statements that give no rows. */
	exec(sql: string): void;
	/** Runs one statement; gives the row id of an insert. */
	run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastRowId: number };
	/** All rows, in order. */
	all(sql: string, ...values: readonly SqlValue[]): SqlRow[];
	/** The first row, or undefined. */
	get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined;
	/** Rows one by one as arrays of columns: the cheap way for many rows. */
	iterate(sql: string, ...values: readonly SqlValue[]): Iterable<readonly SqlValue[]>;
	/** Runs `work` as one transaction that holds the write lock from its start; rolls back and rethrows when it throws. */
	transaction<Result>(work: () => Result): Result;
	/** Runs `work` so that all its reads see one state of the file. */
	snapshot<Result>(work: () => Result): Result;
	close(): void;
}

export interface OpenOptions {
	/** Makes the file and its folder when absent; else an absent file is an error. */
	readonly create: boolean;
	/** What SQLite keeps of the file in memory for this connection, in kB; default 8,000. */
	readonly cacheKb?: number;
}

const BUSY_TIMEOUT_MS = 10_000;
const BUSY_PAUSE_MS = 10;

function sqliteError(error: unknown, file: string): unknown {
	// By shape: a driver loaded by the host may throw errors of another realm.
	const message = String((error as { message?: unknown } | undefined)?.message ?? error);
	if (isBusy(error)) {
		return new CodedError('RESOURCE_LIMIT', `Another process kept ${path.basename(file)} locked for ${BUSY_TIMEOUT_MS / 1000} s`, {
			remedy: 'Try again; if it lasts, look for another n8n process that writes to the same file.',
			retryable: true,
			cause: error,
		});
	}
	if (/file is not a database|malformed/i.test(message)) {
		return new CodedError('BAD_INPUT', `${file} is not a readable SQLite file (${message})`, {
			remedy: 'Restore it from a backup, or delete it and build it again.',
			cause: error,
		});
	}
	return error;
}

const isBusy = (error: unknown): boolean =>
	/database is (?:locked|busy)|locking protocol/i.test(String((error as { message?: unknown } | undefined)?.message ?? error));

/**
 * Repeats `work` while the file is locked. SQLite's own wait is not enough: where two processes could wait for each other (both turn
 * a new file to WAL, or one recovers the log of a killed process) it gives up at once.
 */
function whileBusy<Result>(work: () => Result): Result {
	const deadline = performance.now() + BUSY_TIMEOUT_MS;
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (!isBusy(error) || performance.now() > deadline) return raise(error);
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
		}
	}
}

class SqliteDatabase implements Database {
	private readonly statements = new Map<string, SqliteStatement>();
	private readonly arrayStatements = new Map<string, SqliteStatement>();

	constructor(
		readonly file: string,
		private readonly connection: SqliteConnection,
	) {}

	exec(sql: string): void {
		this.guard(() => this.connection.exec(sql));
	}

	run(sql: string, ...values: readonly SqlValue[]): { changes: number; lastRowId: number } {
		const result = this.guard(() => this.prepare(sql).run(...values));
		return { changes: Number(result.changes), lastRowId: Number(result.lastInsertRowid) };
	}

	all(sql: string, ...values: readonly SqlValue[]): SqlRow[] {
		return this.guard(() => this.prepare(sql).all(...values)) as SqlRow[];
	}

	get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined {
		return this.guard(() => this.prepare(sql).get(...values)) as SqlRow | undefined;
	}

	iterate(sql: string, ...values: readonly SqlValue[]): Iterable<readonly SqlValue[]> {
		return this.guard(() => this.prepareArrays(sql).iterate(...values)) as unknown as Iterable<readonly SqlValue[]>;
	}

	transaction<Result>(work: () => Result): Result {
		return this.between('BEGIN IMMEDIATE', work);
	}

	snapshot<Result>(work: () => Result): Result {
		return this.between('BEGIN', work);
	}

	close(): void {
		if (this.connection.isOpen) this.connection.close();
	}

	private between<Result>(begin: string, work: () => Result): Result {
		this.exec(begin);
		try {
			const result = work();
			this.exec('COMMIT');
			return result;
		} finally {
			// Still open: something was thrown. After some errors (a full disk) SQLite has rolled back by itself.
			if (this.connection.isTransaction) this.connection.exec('ROLLBACK');
		}
	}

	private prepare(sql: string): SqliteStatement {
		const statement = this.statements.get(sql) ?? this.connection.prepare(sql, false);
		this.statements.set(sql, statement);
		return statement;
	}

	private prepareArrays(sql: string): SqliteStatement {
		const statement = this.arrayStatements.get(sql) ?? this.connection.prepare(sql, true);
		this.arrayStatements.set(sql, statement);
		return statement;
	}

	private guard<Result>(work: () => Result): Result {
		try {
			// Within a transaction the lock is held already: what is busy then stays so.
			return this.connection.isTransaction ? work() : whileBusy(work);
		} catch (error) {
			throw sqliteError(error, this.file);
		}
	}
}

/**
 * Opens a database file.
 *
 * @throws CodedError: BAD_INPUT when the file is absent (and `create` is false) or no SQLite file, INTERNAL when this Node.js lacks
 *         SQLite or FTS5, RESOURCE_LIMIT (retryable) when another process holds the lock for 10 s
 */
export function openDatabase(file: string, options: OpenOptions): Database {
	if (!options.create && !existsSync(file)) {
		throw new CodedError('BAD_INPUT', `There is no file ${file}.`, { remedy: 'Check the name, or create it first.' });
	}
	const driver = sqliteDriver();
	mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
	let connection: SqliteConnection | undefined;
	try {
		connection = driver.open(file, BUSY_TIMEOUT_MS);
		const database = new SqliteDatabase(file, connection);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
		database.exec(`PRAGMA cache_size = -${options.cacheKb ?? 8_000}`);
		return database;
	} catch (error) {
		if (connection?.isOpen) connection.close();
		throw sqliteError(error, file);
	}
}
