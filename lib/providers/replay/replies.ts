import { CodedError } from '../../core/errors';
import { textOf } from '../../core/message';
import type { ModelRequest } from '../../core/model';
import { positionOf } from './position';
import type { ScriptReply, ScriptTurn } from './script';

/** An answer, or turns with what the groups of the pattern found. */
export type FoundReply = { readonly answer: string } | { readonly turns: readonly ScriptTurn[]; readonly groups: Readonly<Record<string, string>> };

const REFERENCE = /\{\{\s*(\w+)\s*\}\}/g;
const SHOWN_CHARACTERS = 200;

/**
 * The first reply that fits the request.
 *
 * @throws CodedError BAD_INPUT when none fits, or when an answer names a group that found nothing
 */
export function replyTo(replies: readonly ScriptReply[], name: string, { messages }: ModelRequest): FoundReply {
	const system = messages.find(({ role }) => role === 'system');
	const asked = messages.findLast(({ role }) => role === 'user');
	const textWith = (last: string): string => `${system ? textOf(system) : ''}\n${last}`;
	const text = textWith(asked ? textOf(asked) : '');
	const ofRun = textWith(positionOf(messages, []).query);
	for (const { when, answer, turns } of replies) {
		const match = when.exec(turns ? ofRun : text);
		if (match && turns) return { turns, groups: match.groups ?? {} };
		if (match) return { answer: (answer ?? '').replace(REFERENCE, (_whole, group: string) => match.groups?.[group] ?? noGroup(name, group)) };
	}
	throw new CodedError('BAD_INPUT', `The replay script "${name}" has no reply for: ${text.slice(-SHOWN_CHARACTERS)}`, {
		remedy: 'Ask one of the questions of the script, add a reply with an empty "when" to its end, or choose a real model.',
	});
}

function noGroup(name: string, group: string): never {
	throw new CodedError('BAD_INPUT', `The replay script "${name}" uses {{${group}}}, which its "when" did not find`);
}
