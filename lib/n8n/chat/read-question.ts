import { textOf, type Message } from '../../core/message';
import { asRecord } from '../as-record';
import { fromLangChain } from '../langchain-messages';
import { readHistory } from '../read-history';

/** What a node was asked, with the turns before it where they came along. */
export interface ReadQuestion {
	readonly text: string;
	readonly before: readonly Message[];
}

/**
 * A question as flows give it: a text, a message (`{role, content}`), a list of messages whose last one asks, or an item with one of
 * the fields `query`, `chatInput`, `question`, `text`. Anything else gives ''.
 */
export function readQuestion(given: unknown): ReadQuestion {
	if (typeof given === 'string') return { text: given.trim(), before: [] };
	if (Array.isArray(given)) {
		const messages = readHistory(given);
		const last = messages.at(-1);
		return { text: last ? textOf(last).trim() : '', before: messages.slice(0, -1) };
	}
	const fields = asRecord(given);
	const message = 'role' in fields || 'type' in fields ? fromLangChain(given) : undefined;
	if (message) return { text: textOf(message).trim(), before: [] };
	const text = [fields.query, fields.chatInput, fields.question, fields.text, fields.content].find((one) => typeof one === 'string');
	return { text: typeof text === 'string' ? text.trim() : '', before: [] };
}
