/**
 * The inbox: events that were accepted, on disk until they are handled. One table in SQLite or Postgres behind two triggers: one puts
 * events in, the other takes them out in order, gathered, tried again, or set aside when nothing helps.
 *
 * Any number of processes may put in and take out at once; what was put in is there after a kill.
 */
import type { SqlRow } from '../storage/sqlite';
import { openEventSql, type EventPlace, type EventSql, type EventTables } from './event-sql';

export interface InboxEvent {
	readonly id: string;
	/** Events of one key are handled in order; '' for an event on its own. */
	readonly key: string;
	/** Plain JSON. */
	readonly payload: unknown;
	/** Milliseconds since 1970. */
	readonly receivedAt: number;
	/** How often it was tried before. */
	readonly attempts: number;
	/** What went wrong last; '' for nothing. */
	readonly error: string;
}

/** Events of one key that are handled together. */
export interface InboxBatch {
	readonly key: string;
	/** Oldest first. */
	readonly events: readonly InboxEvent[];
	/** Ids of events that a newer one stands for; they count as handled with it. */
	readonly superseded: readonly string[];
	/** When the taker's time ends, in milliseconds since 1970; tells this taking from a later one. */
	readonly until: number;
}

export interface TakeOptions {
	readonly now: number;
	/** Batches to take at most, from 1. */
	readonly most: number;
	/** How long the taker may need; then the events are free again. */
	readonly leaseMs: number;
	/** `each` event alone, the `last` of a key only, or `all` of a key together. */
	readonly gather: 'each' | 'last' | 'all';
	/** A key waits until it was quiet for so long; 0 does not wait. */
	readonly quietMs: number;
	/** An event whose takers died so often is set aside: it may be what kills them. Absent for never. */
	readonly maxAttempts?: number;
}

export type InboxState = 'open' | 'taken' | 'done' | 'dead';

export interface Inbox {
	/** False when an event with this id was put in before: handled or not. */
	put(event: Pick<InboxEvent, 'id' | 'key' | 'payload'>, now: number): Promise<boolean>;
	/** Takes what can be handled now; a key of which something is taken waits. */
	take(options: TakeOptions): Promise<InboxBatch[]>;
	done(ids: readonly string[]): Promise<void>;
	/**
	 * Free again at `retryAt`, or set aside when there is none. What was handled meanwhile stays so, and with `until` of the batch
	 * what another has taken meanwhile stays his.
	 */
	failed(ids: readonly string[], how: { readonly error: string; readonly retryAt: number | null; readonly until?: number }): Promise<void>;
	/** Events in a state, oldest first. */
	list(state: InboxState, most: number): Promise<InboxEvent[]>;
	/** Events that were set aside are open again, with no attempts. */
	replay(ids: readonly string[]): Promise<number>;
	/** Forgets handled events that were put in before a moment. */
	forget(before: number): Promise<number>;
	counts(): Promise<Record<InboxState, number>>;
	close(): void;
}

/** The table of all lists. */
export const INBOX_TABLES: EventTables = {
	name: 'inbox',
	make: (counter) => [
		`CREATE TABLE IF NOT EXISTS inbox (
			seq ${counter}, list TEXT NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, received_at BIGINT NOT NULL,
			attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'open', until BIGINT NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '', UNIQUE (list, id))`,
		'CREATE INDEX IF NOT EXISTS inbox_open ON inbox (list, state, seq)',
	],
};

/** Opens the events of one list, made when absent. */
export async function openInbox(place: EventPlace, list: string): Promise<Inbox> {
	return new SqlInbox(await openEventSql(place, INBOX_TABLES), list);
}

class SqlInbox implements Inbox {
	constructor(
		private readonly sql: EventSql,
		private readonly name: string,
	) {}

	async put({ id, key, payload }: Pick<InboxEvent, 'id' | 'key' | 'payload'>, now: number): Promise<boolean> {
		// A repeat, of which there may be very many, writes nothing.
		if ((await this.sql.query('SELECT id FROM inbox WHERE list = ? AND id = ?', [this.name, id])).length > 0) return false;
		const text = 'INSERT INTO inbox (list, id, key, payload, received_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (list, id) DO NOTHING RETURNING id';
		return (await this.sql.query(text, [this.name, id, key, JSON.stringify(payload ?? null), now])).length > 0;
	}

	async take(options: TakeOptions): Promise<InboxBatch[]> {
		const { now, most, leaseMs } = options;
		return await this.sql.alone(async () => {
			await this.free(options);
			// Payloads are large and most events wait: only those of the chosen are read.
			const waiting = await this.sql.query("SELECT id, key, state, until, received_at FROM inbox WHERE list = ? AND state IN ('open', 'taken') ORDER BY seq", [this.name]);
			const batches: InboxBatch[] = [];
			for (const chosen of choose(waiting, options).slice(0, most)) batches.push({ ...(await this.read(chosen)), until: now + leaseMs });
			const ids = batches.flatMap(({ events, superseded }) => [...events.map(({ id }) => id), ...superseded]);
			await this.change("state = 'taken', attempts = attempts + 1, until = ?", [now + leaseMs], ids);
			return batches;
		});
	}

	/** Ends the time of takers that are gone, or that had a wrong clock. */
	private async free(options: TakeOptions): Promise<void> {
		const { now, maxAttempts = Infinity } = options;
		const far = farFrom(options);
		const ended = "list = ? AND state = 'taken' AND (until <= ? OR until > ?)";
		if (maxAttempts < Infinity) await this.sql.query(`UPDATE inbox SET state = 'dead', error = ? WHERE ${ended} AND attempts >= ?`, [NO_WORD, this.name, now, far, maxAttempts]);
		await this.sql.query(`UPDATE inbox SET state = 'open', until = 0 WHERE ${ended}`, [this.name, now, far]);
	}

	async done(ids: readonly string[]): Promise<void> {
		await this.change("state = 'done', error = ''", [], ids);
	}

	async failed(ids: readonly string[], { error, retryAt, until }: { error: string; retryAt: number | null; until?: number }): Promise<void> {
		// Postgres takes no NUL in a text.
		const said = error.replaceAll('\0', ' ').slice(0, LONGEST_ERROR);
		const still = until === undefined ? "AND state <> 'done'" : `AND state = 'taken' AND until = ${Math.floor(until)}`;
		await this.change('state = ?, until = ?, error = ?', [retryAt === null ? 'dead' : 'open', retryAt ?? 0, said], ids, still);
	}

	async list(state: InboxState, most: number): Promise<InboxEvent[]> {
		return (await this.sql.query('SELECT * FROM inbox WHERE list = ? AND state = ? ORDER BY seq LIMIT ?', [this.name, state, most])).map(toEvent);
	}

	async replay(ids: readonly string[]): Promise<number> {
		return await this.change("state = 'open', attempts = 0, until = 0", [], ids, "AND state = 'dead'");
	}

	async forget(before: number): Promise<number> {
		return (await this.sql.query("DELETE FROM inbox WHERE list = ? AND state = 'done' AND received_at < ? RETURNING id", [this.name, before])).length;
	}

	async counts(): Promise<Record<InboxState, number>> {
		const rows = await this.sql.query('SELECT state, COUNT(*) AS n FROM inbox WHERE list = ? GROUP BY state', [this.name]);
		return { open: 0, taken: 0, done: 0, dead: 0, ...Object.fromEntries(rows.map(({ state, n }) => [String(state), Number(n)])) };
	}

	close(): void {
		this.sql.close();
	}

	private async read({ key, ids, superseded }: Chosen): Promise<Omit<InboxBatch, 'until'>> {
		const events: InboxEvent[] = [];
		for (const id of ids) events.push(...(await this.sql.query('SELECT * FROM inbox WHERE list = ? AND id = ?', [this.name, id])).map(toEvent));
		return { key, events, superseded };
	}

	private async change(what: string, values: ReadonlyArray<string | number>, ids: readonly string[], and = ''): Promise<number> {
		let changed = 0;
		for (let start = 0; start < ids.length; start += AT_ONCE) {
			const some = ids.slice(start, start + AT_ONCE);
			const text = `UPDATE inbox SET ${what} WHERE list = ? ${and} AND id IN (${some.map(() => '?').join(', ')}) RETURNING id`;
			changed += (await this.sql.query(text, [...values, this.name, ...some])).length;
		}
		return changed;
	}
}

const AT_ONCE = 500;
const LONGEST_ERROR = 2_000;
/** A wait that ends later than this was set by a clock that was wrong: waits are an hour at most. */
const FAR_MS = 86_400_000;
const NO_WORD = 'Each run with this event ended without a word: n8n was stopped meanwhile, or the run took longer than Longest Run';

interface Chosen {
	readonly key: string;
	readonly ids: readonly string[];
	readonly superseded: readonly string[];
}

function farFrom({ now, leaseMs }: TakeOptions): number {
	return now + Math.max(FAR_MS, 2 * leaseMs);
}

/** Rows in order → what can be handled now. */
function choose(rows: readonly SqlRow[], options: TakeOptions): Chosen[] {
	const { now, gather, quietMs } = options;
	const far = farFrom(options);
	const byKey = new Map<string, SqlRow[]>();
	for (const row of rows) {
		// An event without a key stands alone; the line break cannot begin a key of a sender by chance.
		const name = row.key === '' ? `\n${String(row.id)}` : String(row.key);
		const known = byKey.get(name);
		if (known) known.push(row);
		else byKey.set(name, [row]);
	}
	return [...byKey.values()].flatMap((events) => {
		const isWaiting = events.some(({ state, until }) => state === 'taken' || (Number(until) > now && Number(until) <= far));
		const age = now - Number(events.at(-1)?.received_at);
		// What comes from the future was put in by a clock that is ahead: it must not wait for that.
		const isQuiet = quietMs === 0 || age >= quietMs || age < -quietMs;
		return isWaiting || !isQuiet ? [] : [gathered(events, gather)];
	});
}

function gathered(events: readonly SqlRow[], gather: TakeOptions['gather']): Chosen {
	const key = String(events[0]?.key ?? '');
	const ids = events.map(({ id }) => String(id));
	if (gather === 'all') return { key, ids, superseded: [] };
	return gather === 'each' ? { key, ids: ids.slice(0, 1), superseded: [] } : { key, ids: ids.slice(-1), superseded: ids.slice(0, -1) };
}

/** A row of the table. */
export function toEvent(row: SqlRow): InboxEvent {
	return {
		id: String(row.id),
		key: String(row.key),
		payload: JSON.parse(String(row.payload)) as unknown,
		receivedAt: Number(row.received_at),
		attempts: Number(row.attempts),
		error: String(row.error),
	};
}
