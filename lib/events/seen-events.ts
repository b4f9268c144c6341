import { createHash } from 'node:crypto';
import path from 'node:path';

import { openPostgres, quoted, type PostgresConnection } from '../storage/postgres';
import { openDatabase } from '../storage/sqlite';

/** Which events were let through, so that a second delivery of one is noticed: also in another process or on another worker. */
export interface SeenEvents {
	/** True for the first caller of all with this id in this scope, also when several call at the same moment. */
	claim(scope: string, id: string): Promise<boolean>;
	/** Makes an id new again, for an event that could not be handled. True when it was known. */
	forget(scope: string, id: string): Promise<boolean>;
	close(): void;
}

export type SeenPlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

export interface SeenOptions {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Ids older than this are forgotten. */
	readonly keepMs: number;
}

const TABLE = 'CREATE TABLE IF NOT EXISTS seen_events (key TEXT PRIMARY KEY, at BIGINT NOT NULL)';
const OLD = 'DELETE FROM seen_events WHERE at < ?';
const CLAIM = 'INSERT INTO seen_events (key, at) VALUES (?, ?) ON CONFLICT (key) DO NOTHING RETURNING key';
const FORGET = 'DELETE FROM seen_events WHERE key = ? RETURNING key';
const SCHEMA = 'reactengine_events';

/** Opens the list, made when absent; what is too old leaves it. */
export async function openSeenEvents(place: SeenPlace, options: SeenOptions): Promise<SeenEvents> {
	return 'postgres' in place ? await openInPostgres(place.postgres, options) : openInFile(place.folder, options);
}

function openInFile(folder: string, { now, keepMs }: SeenOptions): SeenEvents {
	const database = openDatabase(path.join(folder, 'seen.sqlite'), { create: true });
	database.exec(TABLE);
	database.run(OLD, now - keepMs);
	return {
		claim: async (scope, id) => database.transaction(() => database.get(CLAIM, keyOf(scope, id), now) !== undefined),
		forget: async (scope, id) => database.transaction(() => database.get(FORGET, keyOf(scope, id)) !== undefined),
		close: () => database.close(),
	};
}

async function openInPostgres(connection: PostgresConnection, { now, keepMs }: SeenOptions): Promise<SeenEvents> {
	const session = await openPostgres(connection, SCHEMA);
	// Two sessions that make a schema at the same moment disturb each other, even with IF NOT EXISTS.
	await session.transaction(async () => {
		await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [SCHEMA]);
		await session.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(SCHEMA)}`);
		await session.query(TABLE);
	});
	await session.query(OLD, [now - keepMs]);
	return {
		claim: async (scope, id) => (await session.query(CLAIM, [keyOf(scope, id), now])).length > 0,
		forget: async (scope, id) => (await session.query(FORGET, [keyOf(scope, id)])).length > 0,
		close: () => session.release(),
	};
}

/** A hash: ids may be long or hold personal data. */
function keyOf(scope: string, id: string): string {
	return createHash('sha256').update(JSON.stringify([scope, id])).digest('base64url');
}
