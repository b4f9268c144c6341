import { raise } from '../core/errors';
import type { Message, Part, Role } from '../core/message';

/**
 * LangChain messages by shape, both ways, without importing LangChain: n8n's chat models take plain dicts, and its memories
 * give message objects.
 */

/** A dict as every LangChain chat model accepts it. */
export interface MessageDict {
	role: Role;
	content: string | Array<Record<string, unknown>>;
	tool_calls?: Array<{ id: string; name: string; args: unknown; type: 'tool_call' }>;
	tool_call_id?: string;
	name?: string;
}

/** Core messages → dicts; a tool message with several results becomes one dict a result. */
export function toDicts(messages: readonly Message[]): MessageDict[] {
	return messages.flatMap((message) => {
		if (message.role === 'tool') return message.parts.flatMap(toToolDict);
		const toolCalls = message.parts.flatMap(toCallDict);
		const dict: MessageDict = { role: message.role, content: contentOf(message.parts) };
		return [toolCalls.length > 0 ? { ...dict, tool_calls: toolCalls } : dict];
	});
}

function contentOf(parts: readonly Part[]): MessageDict['content'] {
	const files = parts.flatMap((part) =>
		part.type === 'file'
			? [{ type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } }]
			: [],
	);
	const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
	return files.length === 0 ? text : [{ type: 'text', text }, ...files];
}

function toToolDict(part: Part): MessageDict[] {
	if (part.type !== 'tool-result') return [];
	return [{ role: 'tool', content: part.text, tool_call_id: part.callId, name: part.name }];
}

function toCallDict(part: Part): NonNullable<MessageDict['tool_calls']> {
	if (part.type !== 'tool-call') return [];
	return [{ id: part.callId, name: part.name, args: parsed(part.argumentsText), type: 'tool_call' }];
}

/** LangChain wants arguments as an object; text that is not JSON is kept under `input`, so that nothing said is lost. */
function parsed(argumentsText: string): unknown {
	if (argumentsText.trim() === '') return {};
	try {
		return JSON.parse(argumentsText) as unknown;
	} catch (error) {
		if (error instanceof SyntaxError) return { input: argumentsText };
		return raise(error);
	}
}

const ROLES: Readonly<Record<string, Role>> = {
	human: 'user',
	user: 'user',
	ai: 'assistant',
	assistant: 'assistant',
	system: 'system',
	tool: 'tool',
};

/** A message of a memory → a core message; undefined for kinds that do not go to a model. */
export function fromLangChain(message: unknown): Message | undefined {
	if (typeof message !== 'object' || message === null) return undefined;
	const given = message as Record<string, unknown> & { getType?: () => string; _getType?: () => string };
	const role = ROLES[given.getType?.() ?? given._getType?.() ?? String(given.role ?? given.type)];
	if (!role) return undefined;
	const text = textOfContent(given.content);
	if (role === 'tool') {
		const callId = String(given.tool_call_id ?? '');
		const name = typeof given.name === 'string' ? given.name : '';
		return { role, parts: [{ type: 'tool-result', callId, name, text, isError: given.status === 'error' }] };
	}
	const parts: Part[] = text === '' ? [] : [{ type: 'text', text }];
	return { role, parts: [...parts, ...callsOf(given.tool_calls)] };
}

/** A call as LangChain or as OpenAI's API writes it. */
interface SaidCall {
	readonly id?: unknown;
	readonly name?: unknown;
	readonly args?: unknown;
	readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

function callsOf(calls: unknown): Part[] {
	if (!Array.isArray(calls)) return [];
	return calls.filter((call) => typeof call === 'object' && call !== null).map((call: SaidCall, position) => {
		const args = call.args ?? call.function?.arguments;
		return {
			type: 'tool-call' as const,
			callId: typeof call.id === 'string' ? call.id : `call_${position + 1}`,
			name: String(call.name ?? call.function?.name ?? ''),
			argumentsText: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
		};
	});
}

/** The text of a LangChain content: a string, or blocks of which only text counts. */
export function textOfContent(content: unknown): string {
	if (typeof content === 'string') return content;
	if (!Array.isArray(content)) return '';
	return content.map((block: { type?: string; text?: unknown } | null) => (block?.type === 'text' ? String(block.text ?? '') : '')).join('');
}
