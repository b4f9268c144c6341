/**
 * Conversations in one SQLite file, for all processes of one host. Deleted texts are overwritten in the file.
 */
import { CodedError, raise } from '../core/errors';
import { openDatabase, type Database } from '../storage/sqlite';
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
	type WholeConversation,
} from './memory-store';

const TABLES = `
CREATE TABLE conversations (
	id INTEGER PRIMARY KEY AUTOINCREMENT, memory TEXT NOT NULL, owner TEXT NOT NULL, session TEXT NOT NULL, updated_at INTEGER NOT NULL,
	fresh_from INTEGER NOT NULL DEFAULT 1, summary TEXT, summary_up_to INTEGER NOT NULL DEFAULT 0, UNIQUE (memory, owner, session)
);
CREATE INDEX conversations_of_owner ON conversations (owner);
CREATE TABLE turns (
	conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE, number INTEGER NOT NULL, at INTEGER NOT NULL,
	messages TEXT NOT NULL, starts_fresh INTEGER NOT NULL, PRIMARY KEY (conversation, number)
) WITHOUT ROWID;
PRAGMA user_version = ${MEMORY_FORMAT};
`;

/** Opens the file, made when absent. @throws CodedError BAD_INPUT when a newer version of this package made it */
export function openSqliteMemory(file: string): MemoryStore {
	const database = openDatabase(file, { create: true });
	try {
		database.exec('PRAGMA secure_delete = ON');
		makeTables(database);
		return storeOf(database);
	} catch (error) {
		database.close();
		return raise(error);
	}
}

function makeTables(database: Database): void {
	const format = (): number => Number(database.get('PRAGMA user_version')?.user_version ?? 0);
	if (format() === 0) database.transaction(() => format() === 0 && database.exec(TABLES));
	if (format() <= MEMORY_FORMAT) return;
	throw new CodedError('BAD_INPUT', `${database.file} was written by a newer version of this package`, {
		remedy: 'Install that version again, or give the memory another storage.',
	});
}

function storeOf(database: Database): MemoryStore {
	return {
		append: async (key, turn) => database.transaction(() => append(database, key, turn)),
		read: async (key, most) => database.snapshot(() => read(database, key, most)),
		summarise: async ({ memory, user, session }, { text, upTo }, expected) =>
			database.run(
				'UPDATE conversations SET summary = ?, summary_up_to = ? WHERE memory = ? AND owner = ? AND session = ? AND summary_up_to = ?',
				...[text, upTo, memory, user, session, expected],
			).changes > 0,
		export: async (choice) => {
			const { where, values } = choiceSql(choice);
			const rows = database.all(
				`SELECT memory, owner, session, summary, number, at, messages, starts_fresh FROM conversations
				 LEFT JOIN turns ON conversation = id WHERE ${where} ORDER BY memory, owner, session, number`,
				...values,
			);
			return toExport(rows as unknown as ExportRow[]);
		},
		remove: async (choice) => {
			const removed = database.transaction(() => remove(database, choiceSql(choice)));
			// Else deleted texts would stay in the log until it is written back.
			if (removed.conversations > 0) database.all('PRAGMA wal_checkpoint(TRUNCATE)');
			return removed;
		},
		list: async () => database.all('SELECT memory, owner AS user, session FROM conversations ORDER BY memory, owner, session') as unknown as ConversationKey[],
		whole: async (key) => toWhole(key, database.all(WHOLE, key.memory, key.user, key.session) as never),
		put: async (conversation) => database.transaction(() => put(database, conversation)),
		close: async () => database.close(),
	};
}

const WHOLE = `SELECT memory, owner, session, summary, summary_up_to, updated_at, number, at, messages, starts_fresh FROM conversations
	LEFT JOIN turns ON conversation = id WHERE memory = ? AND owner = ? AND session = ? ORDER BY number`;

function put(database: Database, conversation: WholeConversation): void {
	const { memory, user, session, updatedAt, summary, turns } = conversation;
	remove(database, choiceSql({ memory, user, session }));
	const { lastRowId } = database.run(
		'INSERT INTO conversations (memory, owner, session, updated_at, fresh_from, summary, summary_up_to) VALUES (?, ?, ?, ?, ?, ?, ?)',
		...[memory, user, session, updatedAt, freshFrom(conversation), summary?.text ?? null, summary?.upTo ?? 0],
	);
	for (const { number, at, messages, startsFresh } of turns) {
		database.run('INSERT INTO turns VALUES (?, ?, ?, ?, ?)', lastRowId, number, at, JSON.stringify(messages), startsFresh ? 1 : 0);
	}
}

function append(database: Database, { memory, user, session }: ConversationKey, turn: NewTurn): void {
	database.run(
		`INSERT INTO conversations (memory, owner, session, updated_at) VALUES (?, ?, ?, ?)
		 ON CONFLICT (memory, owner, session) DO UPDATE SET updated_at = excluded.updated_at`,
		...[memory, user, session, turn.at],
	);
	const id = idOf(database, { memory, user, session });
	const last = database.get('SELECT number, at, messages FROM turns WHERE conversation = ? ORDER BY number DESC LIMIT 1', id);
	if (turn.joins && last) {
		const messages = JSON.stringify([...toTurn(last as never).messages, ...turn.messages]);
		database.run('UPDATE turns SET messages = ? WHERE conversation = ? AND number = ?', messages, id, Number(last.number));
		return;
	}
	const number = Number(last?.number ?? 0) + 1;
	const startsFresh = turn.startsFresh ? 1 : 0;
	database.run('INSERT INTO turns VALUES (?, ?, ?, ?, ?)', id, number, turn.at, JSON.stringify(turn.messages), startsFresh);
	if (turn.startsFresh) database.run('UPDATE conversations SET fresh_from = ? WHERE id = ?', number, id);
}

function idOf(database: Database, { memory, user, session }: ConversationKey): number {
	return Number(database.get('SELECT id FROM conversations WHERE memory = ? AND owner = ? AND session = ?', memory, user, session)?.id ?? 0);
}

function read(database: Database, key: ConversationKey, most: number) {
	const row = database.get('SELECT * FROM conversations WHERE id = ?', idOf(database, key));
	if (!row) return toConversation(undefined, []);
	const turns = database.all(
		'SELECT number, at, messages FROM turns WHERE conversation = ? AND number >= ? AND number > ? ORDER BY number DESC LIMIT ?',
		...[Number(row.id), Number(row.fresh_from), Number(row.summary_up_to), most],
	);
	return toConversation(row, turns.map((turn) => toTurn(turn as never)));
}

function remove(database: Database, { where, values }: ReturnType<typeof choiceSql>): RemovedCount {
	const chosen = `(SELECT id FROM conversations WHERE ${where})`;
	const turns = database.run(`DELETE FROM turns WHERE conversation IN ${chosen}`, ...values).changes;
	return { turns, conversations: database.run(`DELETE FROM conversations WHERE ${where}`, ...values).changes };
}
