import path from 'node:path';

import { borrowDatabase } from './kept-databases';
import { openPostgres, quoted, type PostgresConnection } from './postgres';
import type { Database, SqlRow } from './sqlite';

/** Where small tables are kept: a folder of this machine, or a Postgres that several machines share. */
export type TablePlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

/** One connection to tables, the same for both stores. */
export interface SqlTables {
	query(sql: string, values?: ReadonlyArray<string | number | null>): Promise<SqlRow[]>;
	/** Holds these tables against all others while `work` runs. */
	alone<Result>(work: () => Promise<Result>): Promise<Result>;
	/** After rows were removed for good: their texts leave the file's log too. Nothing to do in Postgres. */
	wipe(): Promise<void>;
	close(): void;
}

/** Tables that belong together: one file, or one lock. */
export interface TableNames {
	/** Schema in Postgres; a folder has no need of one. */
	readonly schema: string;
	readonly name: string;
	/** Statements that make them where they are absent; `counter` is how the store writes a counting key. */
	readonly make: (counter: string) => readonly string[];
}

/** Opens tables, made when absent. */
export async function openSqlTables(place: TablePlace, tables: TableNames): Promise<SqlTables> {
	return 'postgres' in place ? await postgresTables(place.postgres, tables) : await sqliteTables(place.folder, tables);
}

/** The last work of this process at each file. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Work at a file, one after the other within this process: SQLite waits for a lock with the whole process, so whoever holds the lock
 * across an `await` could never give it back.
 */
async function inTurn<Result>(file: string, work: () => Result | Promise<Result>): Promise<Result> {
	const mine = (turns.get(file) ?? Promise.resolve()).then(work);
	const last: Promise<unknown> = mine.catch(() => undefined).then(() => turns.get(file) === last && turns.delete(file));
	turns.set(file, last);
	return await mine;
}

async function sqliteTables(folder: string, { name, make }: TableNames): Promise<SqlTables> {
	const file = path.join(folder, `${name}.sqlite`);
	const prepare = (opened: Database): void => {
		// What was said to be kept is on the disk, and what is removed leaves no letters in the file.
		opened.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
		for (const statement of make('INTEGER PRIMARY KEY AUTOINCREMENT')) opened.exec(statement);
	};
	const { database, giveBack } = await inTurn(file, () => borrowDatabase(file, prepare));
	let isAlone = false;
	const hold = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		database.exec('BEGIN IMMEDIATE');
		isAlone = true;
		try {
			const result = await work();
			database.exec('COMMIT');
			isAlone = false;
			return result;
		} finally {
			if (isAlone) database.exec('ROLLBACK');
			isAlone = false;
		}
	};
	return {
		query: async (text, values = []) => (isAlone ? database.all(text, ...values) : await inTurn(file, () => database.all(text, ...values))),
		alone: async (work) => await inTurn(file, async () => await hold(work)),
		wipe: async () => await inTurn(file, () => void database.all('PRAGMA wal_checkpoint(TRUNCATE)')),
		close: giveBack,
	};
}

/** Tables that this process has made or found: a queue opens its own every second. */
const made = new Set<string>();

async function postgresTables(connection: PostgresConnection, { schema, name, make }: TableNames): Promise<SqlTables> {
	const session = await openPostgres(connection, schema);
	const alone = async <Result>(work: () => Promise<Result>): Promise<Result> =>
		await session.transaction(async () => {
			await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [`${schema}.${name}`]);
			return await work();
		});
	const key = JSON.stringify([connection, schema, name]);
	if (!made.has(key)) {
		let isMade = false;
		try {
			// Two sessions that make a schema at the same moment disturb each other, even with IF NOT EXISTS.
			await session.transaction(async () => {
				await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [schema]);
				for (const statement of [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`, ...make('BIGSERIAL PRIMARY KEY')]) await session.query(statement);
			});
			isMade = true;
		} finally {
			if (!isMade) session.release();
		}
		made.add(key);
	}
	return { query: async (text, values = []) => await session.query(text, values), alone, wipe: async () => undefined, close: () => session.release() };
}
