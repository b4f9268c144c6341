import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';

import { CodedError } from '../core/errors';
import { areaFolder } from './paths';
import { openDatabase, type Database } from './sqlite';

/**
 * Runs that ended with a question to a person and go on in another execution: kept under a one-time signed token.
 *
 * One SQLite file per storage; safe across processes of one host. The signing key is made at the first use and stays in the file.
 */
export interface PendingRuns {
	/** Keeps a payload (plain JSON) and gives its token. */
	keep(payload: unknown, expiresAt: number): string;
	/**
	 * Gives the payload back, once.
	 *
	 * @throws BAD_INPUT when the token is not ours, expired, or was used before (the message says which)
	 */
	take(token: string): unknown;
	/** Puts a payload that was taken back under its token, when nothing came of it. */
	giveBack(token: string, payload: unknown): void;
	/** Removes the runs that hold one of these texts; gives how many. */
	erase(texts: readonly string[]): number;
	close(): void;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS keys (id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, payload TEXT, expires_at INTEGER NOT NULL, taken_at INTEGER);
`;

/**
 * Opens the pending runs of a storage, made when absent. Expired ones are removed here.
 *
 * @param now  milliseconds since 1970
 */
export function openPendingRuns(now: () => number, storage?: string): PendingRuns {
	const file = path.join(areaFolder('pending', storage), 'runs.sqlite');
	const database = openDatabase(file, { create: true });
	database.exec(SCHEMA);
	database.run('DELETE FROM runs WHERE expires_at < ?', now() - EXPIRED_KEPT_MS);
	const key = signingKey(database);
	return {
		keep: (payload, expiresAt) => {
			const id = randomBytes(18).toString('base64url');
			database.run('INSERT INTO runs (id, payload, expires_at) VALUES (?, ?, ?)', id, JSON.stringify(payload), expiresAt);
			return `${id}.${sign(key, id)}`;
		},
		take: (token) => takeRun(database, { id: verified(key, token), now: now() }),
		giveBack: (token, payload) =>
			void database.run('UPDATE runs SET taken_at = NULL, payload = ? WHERE id = ?', JSON.stringify(payload), verified(key, token)),
		erase: (texts) =>
			texts.reduce((removed, text) => removed + database.run('DELETE FROM runs WHERE instr(payload, ?) > 0', JSON.stringify(text).slice(1, -1)).changes, 0),
		close: () => database.close(),
	};
}

/** How long after its end a token is still told from one that never was: a week. */
const EXPIRED_KEPT_MS = 7 * 86_400_000;

function signingKey(database: Database): Uint8Array {
	return database.transaction(() => {
		const known = database.get('SELECT key FROM keys')?.key;
		if (known instanceof Uint8Array) return known;
		const made = randomBytes(32);
		database.run('INSERT INTO keys (id, key) VALUES (1, ?)', made);
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
		remedy: 'Pass the token of the question on unchanged, to an n8n that shares its folder with the one that asked.',
	});
}

function takeRun(database: Database, { id, now }: { id: string; now: number }): unknown {
	return database.transaction(() => {
		const row = database.get('SELECT payload, expires_at, taken_at FROM runs WHERE id = ?', id);
		if (row?.taken_at) throw new CodedError('BAD_INPUT', 'This question was already answered');
		if (!row || Number(row.expires_at) < now) {
			throw new CodedError('BAD_INPUT', 'The time to answer this question is over', { remedy: 'Start the run again.' });
		}
		database.run('UPDATE runs SET taken_at = ?, payload = NULL WHERE id = ?', now, id);
		return JSON.parse(String(row.payload)) as unknown;
	});
}
