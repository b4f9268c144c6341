/**
 * Where conversations are kept, as a contract with two stores behind it: SQLite (`sqlite-memory.ts`) and Postgres
 * (`postgres-memory.ts`).
 *
 * A conversation belongs to one memory, one user and one session; nothing is ever read across these three. A turn is kept whole,
 * with its calls and their results, so that no cut can part them. Each call is one transaction: several processes may write at once.
 */
import type { Message } from '../core/message';

/** Names are compared as written; '' as user is nobody known. */
export interface ConversationKey {
	readonly memory: string;
	readonly user: string;
	readonly session: string;
}

export interface StoredTurn {
	/** From 1, in the order of writing. */
	readonly number: number;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly messages: readonly Message[];
}

/** What turns up to a number were about. */
export interface Summary {
	readonly text: string;
	readonly upTo: number;
}

export interface StoredConversation {
	/** Of the turns before `turns`; absent when there is none, or when the conversation began anew after it. */
	readonly summary?: Summary;
	/** Turns since the summary and since the last fresh start, oldest first. */
	readonly turns: readonly StoredTurn[];
}

export interface NewTurn {
	readonly at: number;
	readonly messages: readonly Message[];
	/** Earlier turns are not read any more. */
	readonly startsFresh?: boolean;
	/** Adds the messages to the last turn instead, when there is one. */
	readonly joins?: boolean;
}

/** One conversation with everything that was kept of it, as plain JSON. */
export interface ExportedConversation extends ConversationKey {
	readonly summary?: string;
	readonly turns: readonly (StoredTurn & { readonly startsFresh: boolean })[];
}

/** One conversation as it is kept, for a backup: plain JSON. */
export interface WholeConversation extends ConversationKey {
	/** Milliseconds since 1970. */
	readonly updatedAt: number;
	readonly summary?: Summary;
	readonly turns: ExportedConversation['turns'];
}

export interface RemovedCount {
	readonly conversations: number;
	readonly turns: number;
}

/** Which conversations an export or a deletion is about; at least one field is given. */
export interface ConversationChoice {
	readonly memory?: string;
	readonly user?: string;
	readonly session?: string;
	/** Conversations whose last turn is older: milliseconds since 1970. */
	readonly before?: number;
}

export interface MemoryStore {
	append(key: ConversationKey, turn: NewTurn): Promise<void>;
	/** @param most  turns at most, the newest ones */
	read(key: ConversationKey, most: number): Promise<StoredConversation>;
	/** Keeps a summary unless another process was faster: false when the summary now reaches to another turn than `expected`. */
	summarise(key: ConversationKey, summary: Summary, expected: number): Promise<boolean>;
	/** Everything kept, by memory, user and session, also turns that are no longer read. */
	export(choice: ConversationChoice): Promise<ExportedConversation[]>;
	/** Deletes for good. */
	remove(choice: ConversationChoice): Promise<RemovedCount>;
	/** Every conversation there is, sorted. */
	list(): Promise<ConversationKey[]>;
	/** Undefined when it is not there. */
	whole(key: ConversationKey): Promise<WholeConversation | undefined>;
	/** Puts a conversation in the place of what is kept under its key. */
	put(conversation: WholeConversation): Promise<void>;
	close(): Promise<void>;
}

/** Raised when the tables change; a store made by a newer version is refused. */
export const MEMORY_FORMAT = 1;

/** The conditions of a choice as SQL over the table `conversations`, with `?` for the values. */
export function choiceSql(choice: ConversationChoice): { where: string; values: (string | number)[] } {
	const { memory, user, session, before } = choice;
	const conditions: [sql: string, value: string | number | undefined][] = [
		['memory = ?', memory],
		['owner = ?', user],
		['session = ?', session],
		['updated_at < ?', before],
	];
	const given = conditions.filter((condition): condition is [string, string | number] => condition[1] !== undefined);
	return { where: given.map(([sql]) => sql).join(' AND ') || '1 = 0', values: given.map(([, value]) => value) };
}

/** What a row of the join of conversations and turns says; bigints of Postgres come as text. */
export interface ExportRow {
	readonly memory: unknown;
	readonly owner: unknown;
	readonly session: unknown;
	readonly summary: unknown;
	readonly number: unknown;
	readonly at: unknown;
	readonly messages: unknown;
	readonly starts_fresh: unknown;
}

/** Rows sorted by conversation and turn → conversations. */
export function toExport(rows: readonly ExportRow[]): ExportedConversation[] {
	const found = new Map<string, ExportedConversation & { turns: ExportedConversation['turns'][number][] }>();
	for (const row of rows) {
		const key = { memory: String(row.memory), user: String(row.owner), session: String(row.session) };
		const id = JSON.stringify(key);
		const known = found.get(id) ?? { ...key, ...(typeof row.summary === 'string' && { summary: row.summary }), turns: [] };
		found.set(id, known);
		if (row.number !== null) known.turns.push({ ...toTurn(row), startsFresh: Number(row.starts_fresh) === 1 });
	}
	return [...found.values()];
}

/** Rows of one conversation, with its own columns in each → the conversation. */
export function toWhole(key: ConversationKey, rows: readonly (ExportRow & { readonly updated_at: unknown; readonly summary_up_to: unknown })[]): WholeConversation | undefined {
	const [first] = rows;
	if (!first) return undefined;
	const [{ turns } = { turns: [] }] = toExport(rows);
	const summary = typeof first.summary === 'string' ? { summary: { text: first.summary, upTo: Number(first.summary_up_to) } } : {};
	return { ...key, updatedAt: Number(first.updated_at), ...summary, turns };
}

/** From which turn a conversation is read: its last fresh start, else its beginning. */
export function freshFrom({ turns }: WholeConversation): number {
	return turns.findLast(({ startsFresh }) => startsFresh)?.number ?? 1;
}

/** One row of the table of turns. */
export function toTurn(row: { readonly number: unknown; readonly at: unknown; readonly messages: unknown }): StoredTurn {
	return { number: Number(row.number), at: Number(row.at), messages: JSON.parse(String(row.messages)) as Message[] };
}

/** Of what a conversation's row and its newest turns say: what a reader sees. Turns come newest first. */
export function toConversation(
	row: { readonly summary?: unknown; readonly summary_up_to?: unknown; readonly fresh_from?: unknown } | undefined,
	turns: readonly StoredTurn[],
): StoredConversation {
	const upTo = Number(row?.summary_up_to ?? 0);
	const isOfThis = typeof row?.summary === 'string' && upTo >= Number(row.fresh_from ?? 1);
	return { ...(isOfThis && { summary: { text: String(row.summary), upTo } }), turns: [...turns].reverse() };
}
