import type { Message, Part, ToolResultPart } from '../core/message';

/**
 * Conversations as turns: a turn begins with a user message and holds all up to the next one. Histories are cut only at these
 * borders, so a call never loses its result.
 */

/** A history that every provider takes, from whatever was stored or handed over. */
export function cleanHistory(history: readonly Message[]): Message[] {
	const answered = new Set(partsOf(history, 'tool-result').map(({ callId }) => callId));
	const asked = new Set(partsOf(history, 'tool-call').map(({ callId }) => callId));
	const kept = history.flatMap((message) => cleanMessage(message, asked, answered));
	return withoutStrayResults(kept);
}

function cleanMessage(message: Message, asked: ReadonlySet<string>, answered: ReadonlySet<string>): Message[] {
	// The run has its own system message; a second one is refused by some servers.
	if (message.role === 'system') return [];
	const parts = message.parts.filter((part): boolean => {
		if (part.type === 'text') return part.text.trim() !== '';
		if (part.type === 'tool-call') return answered.has(part.callId);
		return part.type !== 'tool-result' || asked.has(part.callId);
	});
	return parts.length === 0 ? [] : [{ role: message.role, parts }];
}

/** Results count only right after the message that asked for them. */
function withoutStrayResults(messages: readonly Message[]): Message[] {
	return messages.flatMap((message, at) => {
		if (message.role !== 'tool') return [message];
		const before = messages.slice(0, at).findLast(({ role }) => role !== 'tool');
		const open = new Set(partsOf(before ? [before] : [], 'tool-call').map(({ callId }) => callId));
		const parts = message.parts.filter((part) => part.type !== 'tool-result' || open.has(part.callId));
		return parts.length === 0 ? [] : [{ ...message, parts }];
	});
}

function partsOf<T extends Part['type']>(messages: readonly Message[], type: T): Array<Extract<Part, { type: T }>> {
	return messages.flatMap(({ parts }) => parts.filter((part): part is Extract<Part, { type: T }> => part.type === type));
}

/** Messages by turns, in order; messages before the first user message form a turn of their own. [] gives []. */
export function toTurns(messages: readonly Message[]): Message[][] {
	const turns: Message[][] = [];
	for (const message of messages) {
		const open = turns.at(-1);
		if (message.role === 'user' || !open) turns.push([message]);
		else open.push(message);
	}
	return turns;
}

/**
 * The last turns that fit a budget, oldest first. A turn that is too large by itself keeps its texts, its results shortened;
 * so the newest turn is always there.
 *
 * @param cost    tokens of a message
 * @param budget  tokens of all; 0 gives []
 */
export function lastTurns(messages: readonly Message[], budget: number, cost: (message: Message) => number): Message[] {
	const kept: Message[][] = [];
	let left = budget;
	for (const turn of toTurns(messages).reverse()) {
		const whole = sum(turn, cost);
		const fitting = whole <= left ? turn : kept.length === 0 && budget > 0 ? shortened(turn) : undefined;
		if (!fitting) break;
		kept.unshift(fitting);
		left -= whole;
	}
	return kept.flat();
}

function sum(turn: readonly Message[], cost: (message: Message) => number): number {
	return turn.reduce((total, message) => total + cost(message), 0);
}

const SHORT_RESULT = 200;

function shortened(turn: readonly Message[]): Message[] {
	const short = (part: ToolResultPart): ToolResultPart =>
		part.text.length <= SHORT_RESULT ? part : { ...part, text: `${part.text.slice(0, SHORT_RESULT)}…` };
	return turn.map((message) => ({
		...message,
		parts: message.parts.map((part) => (part.type === 'tool-result' ? short(part) : part)),
	}));
}
