/**
 * A thin driver over `pg`: the only file that knows it. Loaded at the first connection; connections are kept for a while and let the
 * process end. SQL has `?` for its values, as for SQLite.
 */
import type { Pool, PoolClient } from 'pg';
import { CodedError, isCodedError, messageOf, raise } from '../core/errors';
import type { SqlRow } from './sqlite';

export interface PostgresConnection {
	readonly host: string;
	readonly port: number;
	readonly database: string;
	readonly user: string;
	readonly password: string;
	readonly ssl: boolean;
}

export type PostgresValue = string | number | boolean | null | readonly (string | number)[];

/** One connection, from `openPostgres` to `release`. */
export interface PostgresSession {
	query(sql: string, values?: readonly PostgresValue[]): Promise<SqlRow[]>;
	/** Runs `work` as one transaction; rolls back and rethrows when it throws. */
	transaction<Result>(work: () => Promise<Result>): Promise<Result>;
	release(): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 10_000;
const MOST_CONNECTIONS = 5;
/** Types `date` and `timestamp` without a zone: as text, since pg would read them in the zone of this process and shift the day. */
const DAYS_AND_TIMES: ReadonlySet<number> = new Set([1082, 1114]);
const pools = new Map<string, Pool>();

async function poolOf(connection: PostgresConnection): Promise<Pool> {
	const key = JSON.stringify(connection);
	const known = pools.get(key);
	if (known) return known;
	const { default: pg } = await import('pg');
	const { ssl, ...rest } = connection;
	const limits = { max: MOST_CONNECTIONS, idleTimeoutMillis: IDLE_MS, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, allowExitOnIdle: true };
	const types = { getTypeParser: (type: number) => (DAYS_AND_TIMES.has(type) ? (text: string) => text : pg.types.getTypeParser(type)) };
	const pool = new pg.Pool({ ...rest, ...limits, ...(ssl && { ssl: true }), types, application_name: 'n8n-nodes-reactengine' });
	// Without a listener a connection that breaks while idle would end the process; the pool has dropped it already.
	pool.on('error', () => undefined);
	pools.set(key, pool);
	return pool;
}

/** Closes idle connections, so that a server can stop. */
export async function closePostgres(): Promise<void> {
	const open = [...pools.values()];
	pools.clear();
	await Promise.all(open.map(async (pool) => await pool.end()));
}

const numbered = (sql: string): string => {
	let n = 0;
	return sql.replace(/\?/g, () => `$${++n}`);
};

function postgresError(error: unknown, { host, port, database }: PostgresConnection): unknown {
	if (isCodedError(error)) return error;
	const code = String((error as { code?: unknown } | undefined)?.code ?? '');
	const place = `Postgres at ${host}:${port}/${database}`;
	if (/^(?:ECONN|ENOTFOUND|EHOST|ETIMEDOUT|08|57P)/.test(code) || /timeout|terminated/i.test(messageOf(error))) {
		return new CodedError('UPSTREAM', `${place} cannot be reached: ${messageOf(error)}`, {
			remedy: 'Check host, port and network of the Engine Storage credential.',
			retryable: true,
			cause: error,
		});
	}
	const remedy = code.startsWith('28')
		? 'Check user and password of the Engine Storage credential.'
		: 'Check that the user may create schemas and that the server has the extension pgvector (0.8 or newer).';
	return new CodedError('UPSTREAM', `${place} says: ${messageOf(error)}`, { remedy, cause: error });
}

class Session implements PostgresSession {
	constructor(
		private readonly client: PoolClient,
		private readonly connection: PostgresConnection,
	) {}

	async query(sql: string, values: readonly PostgresValue[] = []): Promise<SqlRow[]> {
		try {
			return (await this.client.query(numbered(sql), [...values])).rows as SqlRow[];
		} catch (error) {
			return raise(postgresError(error, this.connection));
		}
	}

	async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
		await this.query('BEGIN');
		let isDone = false;
		try {
			const result = await work();
			await this.query('COMMIT');
			isDone = true;
			return result;
		} finally {
			if (!isDone) await this.client.query('ROLLBACK').catch(() => undefined);
		}
	}

	release(): void {
		this.client.release();
	}
}

/**
 * Takes a connection whose unqualified names mean tables of `schema`.
 *
 * @throws CodedError UPSTREAM (retryable when the server cannot be reached) with what the server said
 */
export async function openPostgres(connection: PostgresConnection, schema: string): Promise<PostgresSession> {
	const pool = await poolOf(connection);
	let client: PoolClient | undefined;
	try {
		client = await pool.connect();
		await client.query(`SET search_path TO ${quoted(schema)}, public`);
		return new Session(client, connection);
	} catch (error) {
		client?.release(true);
		return raise(postgresError(error, connection));
	}
}

/** A name as SQL writes it. */
export function quoted(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}
