/**
 * One conversation as a chat or an agent uses it: loads the turns that fit a window, keeps new ones, and folds what has left the
 * window into a summary when a model is given.
 *
 * Windows are cut between turns only. The store is opened for each piece of work and closed again, so nothing stays open when a
 * chat is given up.
 */
import type { ConversationMemory } from '../core/memory';
import type { Message, Part } from '../core/message';
import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import { messageOf } from '../core/errors';
import { cleanHistory, lastTurns } from '../shape/turn-borders';
import { estimateTokens } from '../text/estimate-tokens';
import type { ConversationKey, MemoryStore, StoredTurn } from './memory-store';
import { summarise, summaryPart } from './summarise';

export interface WindowLimits {
	/** Most turns that are loaded word for word, at least 1. */
	readonly turns: number;
	/** Most tokens of them, estimated; the newest turn is always there. */
	readonly maxTokens: number;
	/** Most tokens of the summary of older turns. */
	readonly maxSummaryTokens: number;
}

export const DEFAULT_WINDOW: WindowLimits = { turns: 10, maxTokens: 6_000, maxSummaryTokens: 500 };

export interface ConversationParts {
	readonly key: ConversationKey;
	readonly limits: WindowLimits;
	/** Opens the store; it is closed after each use. */
	readonly open: () => Promise<MemoryStore>;
	readonly ports: Ports;
	readonly signal: AbortSignal;
	/** Writes the summaries; absent: turns that leave the window are no longer read. */
	readonly model?: ChatModel;
}

export interface OpenConversation extends ConversationMemory {
	/** Adds a message as n8n's nodes give them one by one: a user's begins a turn, any other belongs to the last one. */
	add(messages: readonly Message[]): Promise<void>;
}

/** More of a result than this is no use in a later question. */
const MOST_RESULT_CHARACTERS = 2_000;
/** Tokens that one call of the summarising model reads, and calls for one turn at most. */
const TOKENS_A_CALL = 6_000;
const MOST_CALLS = 4;
/** How many turns beyond the window are looked at for a summary. */
const MOST_BEHIND = 200;

/** A conversation over a store. Its methods throw what the store throws; a summary that fails costs nothing but the summary. */
export function conversation(parts: ConversationParts): OpenConversation {
	const { key, limits, ports } = parts;
	const append = async (messages: readonly Message[], how: { startsFresh?: boolean; joins?: boolean }): Promise<void> => {
		const kept = messages.map(storedMessage).filter(({ parts: said }) => said.length > 0);
		if (kept.length === 0) return;
		await using(parts, async (store) => await store.append(key, { at: ports.clock.now(), messages: kept, ...how }));
	};
	return {
		load: async () => {
			const { summary, turns } = await using(parts, async (store) => await store.read(key, limits.turns));
			const messages = lastTurns(cleanHistory(turns.flatMap(withOwnCallIds)), limits.maxTokens, costOf);
			return summary ? withSummary(messages, summary.text) : messages;
		},
		save: async (turn, startsFresh = false) => {
			await append(turn, { startsFresh });
			await keepUpSummary(parts);
		},
		add: async (messages) => {
			for (const message of messages) await append([message], { joins: message.role !== 'user' });
			if (messages.at(-1)?.role === 'assistant') await keepUpSummary(parts);
		},
		clear: async () => {
			await using(parts, async (store) => await store.remove(key));
		},
	};
}

async function using<Result>({ open }: ConversationParts, work: (store: MemoryStore) => Promise<Result>): Promise<Result> {
	const store = await open();
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/** Files become their names, thoughts are not kept, long results are cut. */
function storedMessage({ role, parts }: Message): Message {
	return { role, parts: parts.flatMap((part) => storedPart(part)) };
}

function storedPart(part: Part): Part[] {
	switch (part.type) {
		case 'reasoning':
			return [];
		case 'file':
			return [{ type: 'text', text: `[${part.name ?? part.mediaType}]` }];
		case 'text':
			return part.text.trim() === '' ? [] : [part];
		case 'tool-result':
			return [part.text.length <= MOST_RESULT_CHARACTERS ? part : { ...part, text: `${part.text.slice(0, MOST_RESULT_CHARACTERS)}…` }];
		case 'tool-call':
			return [part];
	}
}

/** Ids of calls are unique in their own run only; here they name their turn, so that no two calls of a history share one. */
function withOwnCallIds({ number, messages }: StoredTurn): Message[] {
	const ids = new Map<string, string>();
	const own = (callId: string): string => {
		const id = ids.get(callId) ?? `turn${number}call${ids.size + 1}`;
		ids.set(callId, id);
		return id;
	};
	return messages.map(({ role, parts }) => ({
		role,
		parts: parts.map((part) => (part.type === 'tool-call' || part.type === 'tool-result' ? { ...part, callId: own(part.callId) } : part)),
	}));
}

/** The summary stands in the first user message: a message of its own would break the alternation that some servers ask for. */
function withSummary(messages: readonly Message[], summary: string): Message[] {
	const [first, ...rest] = messages;
	const part = summaryPart(summary);
	if (first?.role === 'user') return [{ role: 'user', parts: [part, ...first.parts] }, ...rest];
	return [{ role: 'user', parts: [part] }, ...messages];
}

function costOf({ parts }: Message): number {
	return parts.reduce((sum, part) => sum + estimateTokens(JSON.stringify(part)), 0);
}

function tokensOf(turns: readonly StoredTurn[]): number {
	return turns.reduce((sum, { messages }) => sum + messages.reduce((tokens, message) => tokens + costOf(message), 0), 0);
}

/**
 * When the window overflows, the older half of it goes into the summary: so a model is called once in a while, not at each turn. A
 * failure is logged, and made up for after the next turn.
 */
async function keepUpSummary(parts: ConversationParts): Promise<void> {
	if (!parts.model) return;
	try {
		for (let calls = 0; calls < MOST_CALLS; calls++) if (!(await summariseNext(parts, parts.model))) return;
	} catch (error) {
		parts.ports.log('warn', `The older turns of a conversation were not summarised: ${messageOf(error)}`);
	}
}

/** True when more turns wait to be summarised. */
async function summariseNext(parts: ConversationParts, model: ChatModel): Promise<boolean> {
	const { key, limits, ports, signal } = parts;
	const { summary, turns } = await using(parts, async (store) => await store.read(key, limits.turns + MOST_BEHIND));
	const due = dueTurns(turns, limits);
	const now = firstThatFit(due, TOKENS_A_CALL);
	const last = now.at(-1);
	if (!last) return false;
	const earlier = summary?.text;
	const messages = now.flatMap((turn) => cleanHistory(turn.messages));
	const text = await summarise({ model, ports, signal }, { messages, maxTokens: limits.maxSummaryTokens, ...(earlier && { earlier }) });
	if (text === '') return false;
	const expected = await using(parts, async (store) => await store.summarise(key, { text, upTo: last.number }, summary?.upTo ?? 0));
	return expected && now.length < due.length;
}

/** Turns that are to leave the window: none while all fit, else those before its newer half. */
function dueTurns(turns: readonly StoredTurn[], { turns: most, maxTokens }: WindowLimits): readonly StoredTurn[] {
	if (turns.length <= most && tokensOf(turns) <= maxTokens) return [];
	let kept = Math.min(turns.length, Math.max(1, Math.floor(most / 2)));
	while (kept > 1 && tokensOf(turns.slice(-kept)) > maxTokens / 2) kept -= 1;
	return turns.slice(0, turns.length - kept);
}

/** At least one. */
function firstThatFit(turns: readonly StoredTurn[], tokens: number): readonly StoredTurn[] {
	let count = Math.min(1, turns.length);
	while (count < turns.length && tokensOf(turns.slice(0, count + 1)) <= tokens) count += 1;
	return turns.slice(0, count);
}
