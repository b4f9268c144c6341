import { CodedError } from '../../core/errors';
import { textOf } from '../../core/message';
import type { ModelRequest } from '../../core/model';

/** An answer for the requests that a pattern fits, for chats: their questions come in no fixed order. */
export interface ScriptReply {
	/** Tried on the system text and the last user message, a line break between; its named groups may be used in the answer. */
	readonly when: RegExp;
	/** Text in which `{{group}}` stands for what the group found. */
	readonly answer: string;
}

const REFERENCE = /\{\{\s*(\w+)\s*\}\}/g;
const SHOWN_CHARACTERS = 200;

/**
 * The answer of the first reply that fits the request.
 *
 * @throws CodedError BAD_INPUT when none fits, or when an answer names a group that found nothing
 */
export function replyTo(replies: readonly ScriptReply[], name: string, { messages }: ModelRequest): string {
	const system = messages.find(({ role }) => role === 'system');
	const asked = messages.findLast(({ role }) => role === 'user');
	const text = [system, asked].map((message) => (message ? textOf(message) : '')).join('\n');
	for (const { when, answer } of replies) {
		const match = when.exec(text);
		if (match) return answer.replace(REFERENCE, (_whole, group: string) => match.groups?.[group] ?? noGroup(name, group));
	}
	throw new CodedError('BAD_INPUT', `The replay script "${name}" has no reply for: ${text.slice(-SHOWN_CHARACTERS)}`, {
		remedy: 'Ask one of the questions of the script, add a reply with an empty "when" to its end, or choose a real model.',
	});
}

function noGroup(name: string, group: string): never {
	throw new CodedError('BAD_INPUT', `The replay script "${name}" uses {{${group}}}, which its "when" did not find`);
}
