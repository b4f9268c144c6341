/**
 * Messages exchanged with a chat model: the one shape that every room uses.
 *
 * Providers translate it at their border; nothing else knows a wire format. A message is plain JSON, so it can be kept in
 * an n8n execution and read by another worker.
 */

export type Role = 'system' | 'user' | 'assistant' | 'tool';

export interface TextPart {
	readonly type: 'text';
	readonly text: string;
}

/** What the model thought, kept apart from what it said. `signature` is returned to providers that ask for it. */
export interface ReasoningPart {
	readonly type: 'reasoning';
	readonly text: string;
	readonly signature?: string;
}

/**
 * A call asked for by the model.
 *
 * `argumentsText` is the JSON text exactly as the model wrote it (it may be malformed): it goes back to the model unchanged.
 */
export interface ToolCallPart {
	readonly type: 'tool-call';
	readonly callId: string;
	readonly name: string;
	readonly argumentsText: string;
}

/** The observation that answers the call of the same `callId`. */
export interface ToolResultPart {
	readonly type: 'tool-result';
	readonly callId: string;
	readonly name: string;
	readonly text: string;
	readonly isError: boolean;
}

/** A picture or another file; `data` is base64 without a prefix. */
export interface FilePart {
	readonly type: 'file';
	readonly mediaType: string;
	readonly data: string;
	readonly name?: string;
}

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | FilePart;

export interface Message {
	readonly role: Role;
	readonly parts: readonly Part[];
}

/** A message of one text part; an empty text gives a message without parts. */
export function textMessage(role: Role, text: string): Message {
	return { role, parts: text === '' ? [] : [{ type: 'text', text }] };
}

/** The text parts of a message joined as they are; reasoning, calls and results are left out; '' when there are none. */
export function textOf(message: Message): string {
	return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The calls of a message in the order the model made them; [] when there are none. */
export function toolCallsOf(message: Message): ToolCallPart[] {
	return message.parts.filter((part): part is ToolCallPart => part.type === 'tool-call');
}
