/** Events of all lists at once: what is held of a person, and what is over. */
import { holderOf } from '../storage/holds-text';
import type { SqlRow } from '../storage/sqlite';
import { openEventSql, type EventPlace, type EventSql } from './event-sql';
import { INBOX_TABLES, toEvent, type InboxEvent, type InboxState } from './inbox';

const AT_ONCE = 500;

/** An event of any list, with where it stands. */
export interface FoundEvent extends InboxEvent {
	readonly list: string;
	readonly state: InboxState;
}

/** Every event, of all lists and states, that holds one of these texts, whatever the case of its letters. Each once, oldest first. */
export async function findEvents(place: EventPlace, texts: readonly string[]): Promise<FoundEvent[]> {
	const found = await withSql(place, async (sql) => await heldEvents(sql, texts));
	return found.map((row) => ({ ...toEvent(row), list: String(row.list), state: row.state as InboxState }));
}

/** Removes every event, of all lists and states, that holds one of these texts, whatever the case of its letters. @returns how many */
export async function eraseEvents(place: EventPlace, texts: readonly string[]): Promise<number> {
	return await withSql(place, async (sql) => {
		const held = await heldEvents(sql, texts);
		for (const { seq } of held) await sql.query('DELETE FROM inbox WHERE seq = ?', [Number(seq)]);
		if (held.length > 0) await sql.wipe();
		return held.length;
	});
}

/** A text may stand in what came, in what went wrong with it, or in its key or id. */
async function heldEvents(sql: EventSql, texts: readonly string[]): Promise<SqlRow[]> {
	const holds = holderOf(texts);
	const found: SqlRow[] = [];
	let rows: SqlRow[] = [];
	let last = 0;
	do {
		rows = await sql.query('SELECT * FROM inbox WHERE seq > ? ORDER BY seq LIMIT ?', [last, AT_ONCE]);
		found.push(...rows.filter(({ id, key, payload, error }) => [id, key, payload, error].some((stored) => holds(String(stored)))));
		last = Number(rows.at(-1)?.seq ?? 0);
	} while (rows.length === AT_ONCE);
	return found;
}

/** Removes events of all lists that are over (handled or set aside) and came in before a moment. @returns how many */
export async function purgeEvents(place: EventPlace, before: number): Promise<number> {
	return await withSql(place, async (sql) => (await sql.query("DELETE FROM inbox WHERE state IN ('done', 'dead') AND received_at < ? RETURNING id", [before])).length);
}

async function withSql<Result>(place: EventPlace, work: (sql: EventSql) => Promise<Result>): Promise<Result> {
	const sql = await openEventSql(place, INBOX_TABLES);
	try {
		return await work(sql);
	} finally {
		sql.close();
	}
}
