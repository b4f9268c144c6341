import { createHash } from 'node:crypto';
import { textMessage, type Message, type Part } from '../core/message';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/** True for models of the Mistral family, also behind other servers; they keep Mistral's rules for a history. */
export function isMistralFamily(model: string): boolean {
	return /(?:mis|minis|magis|devs|codes|pixs?|mix)tral|voxtral|pixtral/i.test(model);
}

/**
 * A history as Mistral's chat template accepts it. The given messages are not changed.
 *
 * Empty assistant turns go; an assistant turn stands between a tool result and a user; the last turn is not an assistant's;
 * call ids are nine letters or digits, the same for a call and its result.
 */
export function mistralHistory(messages: readonly Message[]): Message[] {
	const ids = mistralIds(messages);
	const shaped: Message[] = [];
	for (const message of messages) {
		if (message.role === 'assistant' && isEmpty(message)) continue;
		const previous = shaped.at(-1);
		if (message.role === 'user' && previous?.role === 'tool') shaped.push(textMessage('assistant', 'Understood.'));
		shaped.push({ role: message.role, parts: message.parts.map((part) => withId(part, ids)) });
	}
	if (shaped.at(-1)?.role === 'assistant') shaped.push(textMessage('user', 'Continue.'));
	return shaped;
}

/**
 * Mistral's form of each call id of a history. An id that already fits stays as it is; any other gets the same nine
 * characters each time, made from its SHA-256; two ids never share one.
 */
export function mistralIds(messages: readonly Message[]): ReadonlyMap<string, string> {
	const all = new Set(messages.flatMap((message) => message.parts.flatMap((part) => callIdOf(part) ?? [])));
	const used = new Set([...all].filter((id) => MISTRAL_ID.test(id)));
	const map = new Map([...used].map((id) => [id, id]));
	for (const id of all) {
		if (map.has(id)) continue;
		let salt = 0;
		let short = nineCharacters(id, salt);
		while (used.has(short)) short = nineCharacters(id, (salt += 1));
		used.add(short);
		map.set(id, short);
	}
	return map;
}

function nineCharacters(id: string, salt: number): string {
	const bytes = createHash('sha256').update(`${salt}:${id}`).digest();
	return Array.from(bytes.subarray(0, 9), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

function callIdOf(part: Part): string | undefined {
	return part.type === 'tool-call' || part.type === 'tool-result' ? part.callId : undefined;
}

function withId(part: Part, ids: ReadonlyMap<string, string>): Part {
	const id = callIdOf(part);
	return id === undefined ? part : ({ ...part, callId: ids.get(id) ?? id } as Part);
}

function isEmpty(message: Message): boolean {
	return !message.parts.some((part) => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''));
}
