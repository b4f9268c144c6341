import { CodedError, raise } from '../core/errors';
import { textMessage, type Message } from '../core/message';
import { fromLangChain } from './langchain-messages';

/**
 * A history as flows give it: a list as in OpenAI's API, `[{role, content}]`, LangChain's messages, or texts in turn of user and
 * assistant; text is read as JSON. Empty values give [].
 *
 * @throws CodedError BAD_INPUT for anything else, naming the field
 */
export function readHistory(given: unknown): Message[] {
	const list = typeof given === 'string' && given.trim() !== '' ? parsed(given) : given;
	if (list === undefined || list === null || list === '') return [];
	if (!Array.isArray(list)) throw notAList(list);
	return list.flatMap((message: unknown, at) => {
		if (typeof message === 'string') return [textMessage(at % 2 === 0 ? 'user' : 'assistant', message)];
		return fromLangChain(message) ?? [];
	});
}

/** True for a list without messages, which says that there is no history; a field left empty says nothing. */
export function isEmptyHistory(given: unknown): boolean {
	return Array.isArray(given) ? given.length === 0 : typeof given === 'string' && /^\s*\[\s*\]\s*$/.test(given);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		return raise(new CodedError('BAD_INPUT', `"history" is not valid JSON: ${text.slice(0, 100)}`, { cause: error }));
	}
}

function notAList(given: unknown): CodedError {
	return new CodedError('BAD_INPUT', `History must be a list, not ${JSON.stringify(given).slice(0, 100)}`);
}
