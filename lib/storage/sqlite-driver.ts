/**
 * The SQLite libraries that the engine can stand on, behind one thin interface: Node's own, which needs nothing, and better-sqlite3
 * 13 or newer where the host has it and Node's lacks full-text search. Both read and write the same files; one process uses one of
 * them only, since two copies of SQLite do not know of each other's locks.
 */
import { createRequire } from 'node:module';
import { CodedError } from '../core/errors';

export interface SqliteStatement {
	run(...values: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
	all(...values: readonly unknown[]): unknown[];
	get(...values: readonly unknown[]): unknown;
	iterate(...values: readonly unknown[]): Iterable<unknown>;
}

export interface SqliteConnection {
	readonly isOpen: boolean;
	readonly isTransaction: boolean;
	exec(sql: string): void;
	/** @param arrays  true gives rows as arrays of columns */
	prepare(sql: string, arrays: boolean): SqliteStatement;
	close(): void;
}

export interface SqliteDriver {
	readonly name: 'node:sqlite' | 'better-sqlite3';
	/** @param timeoutMs  how long a lock is waited for */
	open(file: string, timeoutMs: number): SqliteConnection;
}

type NodeSqlite = typeof import('node:sqlite');

/** The part of better-sqlite3 that is used. */
interface BetterStatement extends SqliteStatement {
	raw(on: boolean): BetterStatement;
}
interface BetterConnection {
	readonly open: boolean;
	readonly inTransaction: boolean;
	exec(sql: string): unknown;
	prepare(sql: string): BetterStatement;
	close(): unknown;
}
export type BetterSqlite = new (file: string, options: { timeout: number }) => BetterConnection;

/** Node's own SQLite as a driver. */
export function nodeDriver({ DatabaseSync }: NodeSqlite): SqliteDriver {
	return {
		name: 'node:sqlite',
		open(file, timeout) {
			const connection = new DatabaseSync(file, { timeout });
			return {
				get isOpen() {
					return connection.isOpen;
				},
				get isTransaction() {
					return connection.isTransaction;
				},
				exec: (sql) => connection.exec(sql),
				prepare(sql, arrays) {
					const statement = connection.prepare(sql);
					if (arrays) statement.setReturnArrays(true);
					return statement as unknown as SqliteStatement;
				},
				close: () => connection.close(),
			};
		},
	};
}

/** better-sqlite3 as a driver. */
export function betterDriver(Database: BetterSqlite): SqliteDriver {
	return {
		name: 'better-sqlite3',
		open(file, timeout) {
			const connection = new Database(file, { timeout });
			return {
				get isOpen() {
					return connection.open;
				},
				get isTransaction() {
					return connection.inTransaction;
				},
				exec: (sql) => void connection.exec(sql),
				prepare: (sql, arrays) => (arrays ? connection.prepare(sql).raw(true) : connection.prepare(sql)),
				close: () => void connection.close(),
			};
		},
	};
}

function hasFullText(driver: SqliteDriver): boolean {
	const connection = driver.open(':memory:', 0);
	try {
		const row = connection.prepare("SELECT sqlite_compileoption_used('ENABLE_FTS5') AS used", false).get() as { used?: unknown } | undefined;
		return Number(row?.used) === 1;
	} finally {
		connection.close();
	}
}

/** Undefined where the host has none, or one before 13, whose files had to be compiled. */
function hostBetterSqlite(): BetterSqlite | undefined {
	const load = createRequire(__filename);
	const name = 'better-sqlite3';
	try {
		const { version } = load(`${name}/package.json`) as { version: string };
		return Number(version.split('.')[0]) >= 13 ? (load(name) as BetterSqlite) : undefined;
	} catch {
		// Not there: Node's own was the first choice anyway, and the caller says what is missing.
		return undefined;
	}
}

/**
 * Chooses the first driver that has full-text search.
 *
 * @throws CodedError INTERNAL when there is none
 */
export function chooseDriver(node: NodeSqlite | undefined, better: () => BetterSqlite | undefined): SqliteDriver {
	const own = node && nodeDriver(node);
	if (own && hasFullText(own)) return own;
	const Database = better();
	const other = Database && betterDriver(Database);
	if (other && hasFullText(other)) return other;
	const problem = own ? 'The SQLite of this Node.js has no full-text search (FTS5)' : 'This Node.js has no built-in SQLite';
	throw new CodedError('INTERNAL', `${problem} (${process.version})`, {
		remedy: 'Run n8n on the official Node.js 24 or newer or in its official image, or install better-sqlite3 13 or newer beside n8n.',
	});
}

let chosen: SqliteDriver | undefined;

/** The driver of this process. Loaded at the first use: Node before 24.15 prints a warning when it is. */
export function sqliteDriver(): SqliteDriver {
	chosen ??= chooseDriver(process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined, hostBetterSqlite);
	return chosen;
}

/** Makes this process use another driver. Call before the first file is opened: one file must never be open with two. */
export function useSqliteDriver(driver: SqliteDriver): void {
	chosen = driver;
}
