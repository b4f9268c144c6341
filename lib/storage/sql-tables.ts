import path from 'node:path';

import { borrowDatabase } from './kept-databases';
import { openPostgres, quoted, type PostgresConnection } from './postgres';
import type { SqlRow } from './sqlite';

/** Where small tables are kept: a folder of this machine, or a Postgres that several machines share. */
export type TablePlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

/** One connection to tables, the same for both stores. */
export interface SqlTables {
	query(sql: string, values?: ReadonlyArray<string | number | null>): Promise<SqlRow[]>;
	/** Holds these tables against all others while `work` runs. */
	alone<Result>(work: () => Promise<Result>): Promise<Result>;
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
	return 'postgres' in place ? await postgresTables(place.postgres, tables) : sqliteTables(place.folder, tables);
}

function sqliteTables(folder: string, { name, make }: TableNames): SqlTables {
	const { database, giveBack } = borrowDatabase(path.join(folder, `${name}.sqlite`), (opened) => {
		// What was said to be kept is on the disk, and what is removed leaves no letters in the file.
		opened.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
		for (const statement of make('INTEGER PRIMARY KEY AUTOINCREMENT')) opened.exec(statement);
	});
	return {
		query: async (text, values = []) => database.all(text, ...values),
		alone: async (work) => {
			database.exec('BEGIN IMMEDIATE');
			let isDone = false;
			try {
				const result = await work();
				database.exec('COMMIT');
				isDone = true;
				return result;
			} finally {
				if (!isDone) database.exec('ROLLBACK');
			}
		},
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
	return { query: async (text, values = []) => await session.query(text, values), alone, close: () => session.release() };
}
