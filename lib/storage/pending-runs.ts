import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { CodedError } from '../core/errors';
import { holderOf } from './holds-text';
import type { SqlRow } from './sqlite';
import { openSqlTables, type SqlTables, type TableNames, type TablePlace } from './sql-tables';

/**
 * Runs that ended with a question to a person and go on in another execution: kept under a one-time signed token.
 *
 * In a folder they are safe across processes of one host; in Postgres across machines. The signing key is made at the first use and
 * stays beside them.
 */
export interface PendingRuns {
	/** Keeps a payload (plain JSON) and gives its token. */
	keep(payload: unknown, expiresAt: number): Promise<string>;
	/**
	 * Gives the payload back, once.
	 *
	 * @throws BAD_INPUT when the token is not ours, expired, or was used before (the message says which)
	 */
	take(token: string): Promise<unknown>;
	/** Puts a payload that was taken back under its token, when nothing came of it. */
	giveBack(token: string, payload: unknown): Promise<void>;
	/** The runs that hold one of these texts, whatever the case of its letters, each once. */
	find(texts: readonly string[]): Promise<PendingRun[]>;
	/** Removes the runs that hold one of these texts, whatever the case of its letters; gives how many. */
	erase(texts: readonly string[]): Promise<number>;
	close(): void;
}

/** A run that waits, for whoever looks for a person in it. */
export interface PendingRun {
	/** Milliseconds since 1970. */
	readonly expiresAt: number;
	readonly payload: unknown;
}

const TABLES: TableNames = {
	// No knowledge base can have this schema: their names have no double underscore after the prefix.
	schema: 'reactengine__pending',
	name: 'runs',
	make: () => [
		'CREATE TABLE IF NOT EXISTS keys (id INTEGER PRIMARY KEY CHECK (id = 1), key TEXT NOT NULL)',
		'CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, payload TEXT, expires_at BIGINT NOT NULL, taken_at BIGINT)',
	],
};

/** How long after its end a token is still told from one that never was: a week. */
const EXPIRED_KEPT_MS = 7 * 86_400_000;

/**
 * Opens the pending runs of a storage, made when absent. Expired ones are removed here.
 *
 * @param now  milliseconds since 1970
 */
export async function openPendingRuns(place: TablePlace, now: () => number): Promise<PendingRuns> {
	const tables = await openSqlTables(place, TABLES);
	let runs: PendingRuns | undefined;
	try {
		await tables.query('DELETE FROM runs WHERE expires_at < ?', [now() - EXPIRED_KEPT_MS]);
		runs = runsOf(tables, await signingKey(tables), now);
		return runs;
	} finally {
		if (!runs) tables.close();
	}
}

function runsOf(tables: SqlTables, key: Uint8Array, now: () => number): PendingRuns {
	return {
		keep: async (payload, expiresAt) => {
			const id = randomBytes(18).toString('base64url');
			await tables.query('INSERT INTO runs (id, payload, expires_at) VALUES (?, ?, ?)', [id, JSON.stringify(payload), expiresAt]);
			return `${id}.${sign(key, id)}`;
		},
		take: async (token) => await takeRun(tables, { id: verified(key, token), now: now() }),
		giveBack: async (token, payload) => {
			await tables.query('UPDATE runs SET taken_at = NULL, payload = ? WHERE id = ?', [JSON.stringify(payload), verified(key, token)]);
		},
		find: async (texts) => (await heldRuns(tables, texts)).map(({ expires_at, payload }) => ({ expiresAt: Number(expires_at), payload: JSON.parse(String(payload)) as unknown })),
		erase: async (texts) => {
			const held = await heldRuns(tables, texts);
			for (const { id } of held) await tables.query('DELETE FROM runs WHERE id = ?', [String(id)]);
			if (held.length > 0) await tables.wipe();
			return held.length;
		},
		close: () => tables.close(),
	};
}

const AT_ONCE = 100;

/** Runs that hold one of the texts; read in parts, since a run may be large. */
async function heldRuns(tables: SqlTables, texts: readonly string[]): Promise<SqlRow[]> {
	const holds = holderOf(texts);
	const found: SqlRow[] = [];
	let rows: SqlRow[] = [];
	let last = '';
	do {
		rows = await tables.query('SELECT id, expires_at, payload FROM runs WHERE payload IS NOT NULL AND id > ? ORDER BY id LIMIT ?', [last, AT_ONCE]);
		found.push(...rows.filter(({ payload }) => holds(String(payload))));
		last = String(rows.at(-1)?.id ?? '');
	} while (rows.length === AT_ONCE);
	return found;
}

async function signingKey(tables: SqlTables): Promise<Uint8Array> {
	return await tables.alone(async () => {
		const known = (await tables.query('SELECT key FROM keys'))[0]?.key;
		// As bytes in files of the first version.
		if (known instanceof Uint8Array) return known;
		if (known !== undefined) return Buffer.from(String(known), 'hex');
		const made = randomBytes(32);
		await tables.query('INSERT INTO keys (id, key) VALUES (1, ?)', [made.toString('hex')]);
		return made;
	});
}

function sign(key: Uint8Array, id: string): string {
	return createHmac('sha256', key).update(id).digest('base64url');
}

function verified(key: Uint8Array, token: string): string {
	const [id = '', signature = ''] = token.trim().split('.');
	const [given, right] = [Buffer.from(signature), Buffer.from(sign(key, id))];
	if (id !== '' && given.length === right.length && timingSafeEqual(given, right)) return id;
	throw new CodedError('BAD_INPUT', 'This token was not given out here', {
		remedy: 'Pass the token of the question on unchanged, to an n8n with the same Engine Storage as the one that asked.',
	});
}

async function takeRun(tables: SqlTables, { id, now }: { id: string; now: number }): Promise<unknown> {
	return await tables.alone(async () => {
		const [row] = await tables.query('SELECT payload, expires_at, taken_at FROM runs WHERE id = ?', [id]);
		if (row?.taken_at) throw new CodedError('BAD_INPUT', 'This question was already answered');
		if (!row || Number(row.expires_at) < now) {
			throw new CodedError('BAD_INPUT', 'The time to answer this question is over', { remedy: 'Start the run again.' });
		}
		await tables.query('UPDATE runs SET taken_at = ?, payload = NULL WHERE id = ?', [now, id]);
		return JSON.parse(String(row.payload)) as unknown;
	});
}
