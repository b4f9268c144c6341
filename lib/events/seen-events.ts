import { createHash } from 'node:crypto';

import { openEventSql, type EventPlace } from './event-sql';

/** Which events were let through, so that a second delivery of one is noticed: also in another process or on another worker. */
export interface SeenEvents {
	/** True for the first caller of all with this id in this scope, also when several call at the same moment. */
	claim(scope: string, id: string): Promise<boolean>;
	/** Makes an id new again, for an event that could not be handled. True when it was known. */
	forget(scope: string, id: string): Promise<boolean>;
	close(): void;
}

export interface SeenOptions {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Ids older than this are forgotten. */
	readonly keepMs: number;
}

const TABLES = { name: 'seen', make: () => ['CREATE TABLE IF NOT EXISTS seen_events (key TEXT PRIMARY KEY, at BIGINT NOT NULL)'] };

/** Opens the list, made when absent; what is too old leaves it. */
export async function openSeenEvents(place: EventPlace, { now, keepMs }: SeenOptions): Promise<SeenEvents> {
	const sql = await openEventSql(place, TABLES);
	await sql.query('DELETE FROM seen_events WHERE at < ?', [now - keepMs]);
	const claim = 'INSERT INTO seen_events (key, at) VALUES (?, ?) ON CONFLICT (key) DO NOTHING RETURNING key';
	return {
		claim: async (scope, id) => {
			const key = keyOf(scope, id);
			// A repeat, of which there may be very many, writes nothing.
			if ((await sql.query('SELECT key FROM seen_events WHERE key = ?', [key])).length > 0) return false;
			return (await sql.query(claim, [key, now])).length > 0;
		},
		forget: async (scope, id) => (await sql.query('DELETE FROM seen_events WHERE key = ? RETURNING key', [keyOf(scope, id)])).length > 0,
		close: () => sql.close(),
	};
}

/** A hash: ids may be long or hold personal data. */
function keyOf(scope: string, id: string): string {
	return createHash('sha256').update(JSON.stringify([scope, id])).digest('base64url');
}
