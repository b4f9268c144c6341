/**
 * Conversations in Postgres, for n8n on several machines: one schema for all memories of the database.
 *
 * A writer holds its conversation's row until its transaction ends, so two processes never give two turns one number.
 */
import { CodedError } from '../core/errors';
import { openPostgres, type PostgresConnection, type PostgresSession } from '../storage/postgres';
import type { SqlRow } from '../storage/sqlite';
import {
	choiceSql,
	freshFrom,
	MEMORY_FORMAT,
	toConversation,
	toExport,
	toTurn,
	toWhole,
	type ConversationKey,
	type ExportRow,
	type MemoryStore,
	type NewTurn,
	type RemovedCount,
	type StoredConversation,
	type WholeConversation,
} from './memory-store';

/** No knowledge base can have this schema: their names have no double underscore after the prefix. */
const SCHEMA = 'reactengine__memory';

/** Names are compared by their code points (COLLATE "C"), as SQLite does. */
const TABLES = [
	`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
	`CREATE TABLE conversations (
		id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, memory text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL,
		session text COLLATE "C" NOT NULL, updated_at bigint NOT NULL, fresh_from bigint NOT NULL DEFAULT 1, summary text,
		summary_up_to bigint NOT NULL DEFAULT 0, UNIQUE (memory, owner, session)
	)`,
	'CREATE INDEX conversations_of_owner ON conversations (owner)',
	`CREATE TABLE turns (
		conversation bigint NOT NULL REFERENCES conversations (id) ON DELETE CASCADE, number bigint NOT NULL, at bigint NOT NULL,
		messages text NOT NULL, starts_fresh integer NOT NULL, PRIMARY KEY (conversation, number)
	)`,
	'CREATE TABLE format (number integer NOT NULL)',
	`INSERT INTO format VALUES (${MEMORY_FORMAT})`,
];

/** Takes a connection and makes the tables when absent. @throws CodedError UPSTREAM as `openPostgres`, BAD_INPUT for newer tables */
export async function openPostgresMemory(connection: PostgresConnection): Promise<MemoryStore> {
	const session = await openPostgres(connection, SCHEMA);
	let isReady = false;
	try {
		await makeTables(session);
		isReady = true;
		return storeOf(session);
	} finally {
		if (!isReady) session.release();
	}
}

async function formatOf(session: PostgresSession): Promise<number> {
	const [table] = await session.query("SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'format'", [SCHEMA]);
	return table ? Number((await session.query('SELECT number FROM format'))[0]?.number) : 0;
}

async function makeTables(session: PostgresSession): Promise<void> {
	if ((await formatOf(session)) === 0) {
		await session.transaction(async () => {
			await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [SCHEMA]);
			if ((await formatOf(session)) > 0) return;
			for (const statement of TABLES) await session.query(statement);
		});
	}
	if ((await formatOf(session)) <= MEMORY_FORMAT) return;
	throw new CodedError('BAD_INPUT', 'The memory in this Postgres was written by a newer version of this package', {
		remedy: 'Install that version again, or give the memory another storage.',
	});
}

function storeOf(session: PostgresSession): MemoryStore {
	return {
		append: async (key, turn) => await session.transaction(async () => await append(session, key, turn)),
		read: async (key, most) => await session.transaction(async () => await read(session, key, most)),
		summarise: async ({ memory, user, session: name }, { text, upTo }, expected) => {
			const changed = await session.query(
				`UPDATE conversations SET summary = ?, summary_up_to = ?
				 WHERE memory = ? AND owner = ? AND session = ? AND summary_up_to = ? RETURNING id`,
				[text, upTo, memory, user, name, expected],
			);
			return changed.length > 0;
		},
		export: async (choice) => {
			const { where, values } = choiceSql(choice);
			const rows = await session.query(
				`SELECT memory, owner, session, summary, number, at, messages, starts_fresh FROM conversations
				 LEFT JOIN turns ON conversation = id WHERE ${where} ORDER BY memory, owner, session, number`,
				values,
			);
			return toExport(rows as unknown as ExportRow[]);
		},
		remove: async (choice) => await session.transaction(async () => await remove(session, choiceSql(choice))),
		list: async () => (await session.query('SELECT memory, owner AS user_name, session FROM conversations ORDER BY memory, owner, session')).map(toKey),
		whole: async (key) => toWhole(key, (await session.query(WHOLE, [key.memory, key.user, key.session])) as never),
		put: async (conversation) => await session.transaction(async () => await put(session, conversation)),
		close: async () => session.release(),
	};
}

const WHOLE = `SELECT memory, owner, session, summary, summary_up_to, updated_at, number, at, messages, starts_fresh FROM conversations
	LEFT JOIN turns ON conversation = id WHERE memory = ? AND owner = ? AND session = ? ORDER BY number`;

function toKey(row: SqlRow): ConversationKey {
	return { memory: String(row.memory), user: String(row.user_name), session: String(row.session) };
}

async function put(session: PostgresSession, conversation: WholeConversation): Promise<void> {
	const { memory, user, session: name, updatedAt, summary, turns } = conversation;
	await remove(session, choiceSql({ memory, user, session: name }));
	const [{ id } = {}] = await session.query(
		`INSERT INTO conversations (memory, owner, session, updated_at, fresh_from, summary, summary_up_to) VALUES (?, ?, ?, ?, ?, ?, ?)
		 RETURNING id`,
		[memory, user, name, updatedAt, freshFrom(conversation), summary?.text ?? null, summary?.upTo ?? 0],
	);
	for (const { number, at, messages, startsFresh } of turns) {
		await session.query('INSERT INTO turns VALUES (?, ?, ?, ?, ?)', [String(id), number, at, JSON.stringify(messages), startsFresh ? 1 : 0]);
	}
}

async function append(session: PostgresSession, key: ConversationKey, turn: NewTurn): Promise<void> {
	const [{ id } = {}] = await session.query(
		`INSERT INTO conversations (memory, owner, session, updated_at) VALUES (?, ?, ?, ?)
		 ON CONFLICT (memory, owner, session) DO UPDATE SET updated_at = excluded.updated_at RETURNING id`,
		[key.memory, key.user, key.session, turn.at],
	);
	const row = String(id);
	const [last] = await session.query('SELECT number, at, messages FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT 1', [row]);
	if (turn.joins && last) return await join(session, { row, last }, turn);
	const number = Number(last?.number ?? 0) + 1;
	const startsFresh = turn.startsFresh ? 1 : 0;
	await session.query('INSERT INTO turns VALUES (?, ?, ?, ?, ?)', [row, number, turn.at, JSON.stringify(turn.messages), startsFresh]);
	if (turn.startsFresh) await session.query('UPDATE conversations SET fresh_from = ? WHERE id = ?', [number, row]);
}

async function join(session: PostgresSession, { row, last }: { row: string; last: SqlRow }, turn: NewTurn): Promise<void> {
	const messages = JSON.stringify([...toTurn(last as never).messages, ...turn.messages]);
	await session.query('UPDATE turns SET messages = ? WHERE conversation = ? AND number = ?', [messages, row, String(last.number)]);
}

async function read(session: PostgresSession, { memory, user, session: name }: ConversationKey, most: number): Promise<StoredConversation> {
	const [row] = await session.query('SELECT * FROM conversations WHERE memory = ? AND owner = ? AND session = ?', [memory, user, name]);
	if (!row) return toConversation(undefined, []);
	const turns = await session.query(
		'SELECT number, at, messages FROM turns WHERE conversation = ? AND number >= ? AND number > ? ORDER BY number DESC LIMIT ?',
		[String(row.id), String(row.fresh_from), String(row.summary_up_to), most],
	);
	return toConversation(row, turns.map((turn) => toTurn(turn as never)));
}

async function remove(session: PostgresSession, { where, values }: ReturnType<typeof choiceSql>): Promise<RemovedCount> {
	const turns = await session.query(
		`DELETE FROM turns WHERE conversation IN (SELECT id FROM conversations WHERE ${where}) RETURNING number`,
		values,
	);
	const conversations = await session.query(`DELETE FROM conversations WHERE ${where} RETURNING id`, values);
	return { turns: turns.length, conversations: conversations.length };
}
