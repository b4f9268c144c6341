import { isCodedError } from '../core/errors';
import type { Message, Part } from '../core/message';

/** True for the complaint of a chat template that wants user and assistant to take turns: "Conversation roles must alternate …". */
export function wantsAlternation(error: unknown): boolean {
	return isCodedError(error) && /roles must alternate|must alternate (?:between )?user|only user and assistant roles|system role not supported/i.test(error.message);
}

/**
 * A history in which user and assistant take turns, for templates that demand it. The given messages are not changed.
 *
 * What follows in one role is joined by a blank line; system text is put before the next user's; a history that begins with an assistant
 * gets a user before it. Calls and their results stay as they are.
 */
export function alternatingHistory(messages: readonly Message[]): Message[] {
	const shaped: Message[] = [];
	let instructions: Part[] = [];
	const add = (role: Message['role'], parts: readonly Part[]): void => {
		const previous = shaped.at(-1);
		if (previous && previous.role === role && role !== 'tool' && !hasCalls(previous)) {
			shaped[shaped.length - 1] = { role, parts: [...previous.parts, { type: 'text', text: '\n\n' }, ...parts] };
		} else shaped.push({ role, parts });
	};
	for (const { role, parts } of messages) {
		if (role === 'system') {
			instructions = [...instructions, ...parts, { type: 'text', text: '\n\n' }];
			continue;
		}
		if (role === 'assistant' && shaped.length === 0) add('user', [{ type: 'text', text: '(The conversation goes on.)' }]);
		add(role, role === 'user' ? [...instructions, ...parts] : parts);
		if (role === 'user') instructions = [];
	}
	if (instructions.length > 0) add('user', instructions);
	return shaped;
}

function hasCalls(message: Message): boolean {
	return message.parts.some((part) => part.type === 'tool-call');
}
