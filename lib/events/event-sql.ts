import path from 'node:path';

import { openPostgres, quoted, type PostgresConnection } from '../storage/postgres';
import { openDatabase, type SqlRow } from '../storage/sqlite';

/** Where events and what is known of them are kept. */
export type EventPlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

/** One connection to tables of events, the same for both stores. */
export interface EventSql {
	query(sql: string, values?: ReadonlyArray<string | number>): Promise<SqlRow[]>;
	/** Holds these tables against all others while `work` runs. */
	alone<Result>(work: () => Promise<Result>): Promise<Result>;
	close(): void;
}

/** Tables that belong together: one file, or one lock. */
export interface EventTables {
	readonly name: string;
	/** Statements that make them where they are absent; `counter` is how the store writes a counting key. */
	readonly make: (counter: string) => readonly string[];
}

const SCHEMA = 'reactengine_events';

/** Opens tables, made when absent. */
export async function openEventSql(place: EventPlace, tables: EventTables): Promise<EventSql> {
	return 'postgres' in place ? await postgresSql(place.postgres, tables) : sqliteSql(place.folder, tables);
}

function sqliteSql(folder: string, { name, make }: EventTables): EventSql {
	const database = openDatabase(path.join(folder, `${name}.sqlite`), { create: true });
	for (const statement of make('INTEGER PRIMARY KEY AUTOINCREMENT')) database.exec(statement);
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
		close: () => database.close(),
	};
}

/** Tables that this process has made or found: a queue opens its own every second. */
const made = new Set<string>();

async function postgresSql(connection: PostgresConnection, { name, make }: EventTables): Promise<EventSql> {
	const session = await openPostgres(connection, SCHEMA);
	const alone = async <Result>(work: () => Promise<Result>): Promise<Result> =>
		await session.transaction(async () => {
			await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [`${SCHEMA}.${name}`]);
			return await work();
		});
	const key = JSON.stringify([connection, name]);
	if (!made.has(key)) {
		// Two sessions that make a schema at the same moment disturb each other, even with IF NOT EXISTS.
		await session.transaction(async () => {
			await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [SCHEMA]);
			for (const statement of [`CREATE SCHEMA IF NOT EXISTS ${quoted(SCHEMA)}`, ...make('BIGSERIAL PRIMARY KEY')]) await session.query(statement);
		});
		made.add(key);
	}
	return { query: async (text, values = []) => await session.query(text, values), alone, close: () => session.release() };
}
