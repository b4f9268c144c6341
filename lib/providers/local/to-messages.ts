import { textOf, toolCallsOf, type Message } from '../../core/message';
import type { ModelRequest } from '../../core/model';
import { adaptSchema } from '../../shape/adapt-schema';
import { isRecord, jsonOf } from '../json';

type Json = { readonly [field: string]: unknown };

/** A history as the chat templates of open models take it: text only, call arguments as objects. */
export function toMessages(messages: readonly Message[]): Json[] {
	return messages.flatMap((message): Json[] => {
		switch (message.role) {
			case 'assistant':
				return assistantMessage(message);
			case 'tool':
				return message.parts.flatMap((part) => (part.type === 'tool-result' ? [{ role: 'tool', name: part.name, content: part.text }] : []));
			default:
				return [{ role: message.role, content: textOf(message) }];
		}
	});
}

/** Tools as the templates list them; none when no call is wanted. */
export function toTools(request: ModelRequest): Json[] {
	if (request.toolChoice === 'none') return [];
	return (request.tools ?? []).map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: adaptSchema(inputSchema, 'plain').schema },
	}));
}

function assistantMessage(message: Message): Json[] {
	const content = textOf(message);
	const calls = toolCallsOf(message);
	if (content.trim() === '' && calls.length === 0) return [];
	if (calls.length === 0) return [{ role: 'assistant', content }];
	const made = calls.map(({ name, argumentsText }) => {
		const value = jsonOf(argumentsText);
		return { type: 'function', function: { name, arguments: isRecord(value) ? value : { arguments: argumentsText } } };
	});
	return [{ role: 'assistant', content, tool_calls: made }];
}
