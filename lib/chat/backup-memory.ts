/**
 * Backup and restore of a memory, from any store to any other: JSON lines, the first about the whole, then one for each conversation,
 * the last one with their number. A conversation that goes on meanwhile is as it was before or after a turn, never half.
 */
import { brokenBackup, readBackupHead, readBackupLine, type BackupKind } from '../storage/backup-lines';
import type { ConversationKey, MemoryStore, WholeConversation } from './memory-store';

export const MEMORY_BACKUP: BackupKind = { kind: 'reactengine-memory', what: 'a memory', version: 1 };

export interface MemoryRestored {
	readonly conversations: number;
	readonly turns: number;
	/** Conversations that were there and are not in the backup. */
	readonly removed: number;
}

/** The lines of a backup, each ended by a line break. */
export async function* memoryLines(store: MemoryStore, createdAt: string): AsyncGenerator<string> {
	const { kind, version } = MEMORY_BACKUP;
	yield `${JSON.stringify({ kind, version, createdAt })}\n`;
	let conversations = 0;
	for (const key of await store.list()) {
		const whole = await store.whole(key);
		if (!whole) continue;
		conversations += 1;
		yield `${JSON.stringify(whole)}\n`;
	}
	yield `${JSON.stringify({ end: true, conversations })}\n`;
}

/**
 * Restores a backup. Conversations that the backup does not have are removed last, after its end was read: a file that was cut off
 * removes nothing.
 *
 * @param lines  the header first
 * @throws CodedError BAD_INPUT for a file that is no whole backup
 */
export async function restoreMemory(store: MemoryStore, lines: AsyncIterator<string>): Promise<MemoryRestored> {
	readBackupHead((await lines.next()).value as string | undefined, MEMORY_BACKUP);
	const kept = new Set<string>();
	let turns = 0;
	let said: unknown;
	for (let next = await lines.next(); !next.done; next = await lines.next()) {
		if (next.value.trim() === '') continue;
		const line = readBackupLine(next.value, MEMORY_BACKUP.what);
		if (line.end === true) {
			said = line.conversations;
			continue;
		}
		const conversation = conversationIn(line);
		await store.put(conversation);
		kept.add(nameOf(conversation));
		turns += conversation.turns.length;
	}
	if (said !== kept.size) brokenBackup(MEMORY_BACKUP.what, `it ends after ${kept.size} conversations`);
	const others = (await store.list()).filter((key) => !kept.has(nameOf(key)));
	for (const { memory, user, session } of others) await store.remove({ memory, user, session });
	return { conversations: kept.size, turns, removed: others.length };
}

function conversationIn(line: Record<string, unknown>): WholeConversation {
	const { memory, user, session, updatedAt, turns } = line;
	const isNamed = [memory, user, session].every((name) => typeof name === 'string') && typeof updatedAt === 'number';
	const isOne = isNamed && isSummary(line.summary) && Array.isArray(turns) && turns.every(isTurn) && new Set(turns.map(({ number }) => number)).size === turns.length;
	return isOne ? (line as unknown as WholeConversation) : brokenBackup(MEMORY_BACKUP.what, 'a line of it is no conversation');
}

type Turn = WholeConversation['turns'][number];

function isTurn(value: unknown): value is Turn {
	const { number, at, messages } = (value ?? {}) as Partial<Turn>;
	return Number.isInteger(number) && typeof at === 'number' && Array.isArray(messages) && messages.every((one) => Array.isArray((one as Partial<Turn['messages'][number]> | null)?.parts));
}

function isSummary(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	const { text, upTo } = value as { text?: unknown; upTo?: unknown };
	return typeof text === 'string' && Number.isInteger(upTo);
}

function nameOf({ memory, user, session }: ConversationKey): string {
	return JSON.stringify([memory, user, session]);
}
