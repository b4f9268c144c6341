import { CodedError } from '../core/errors';
import type { Message } from '../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../core/model';
import { checkSize, MAX_TEXT_CHARACTERS } from '../core/stream-message';
import { tappedStream } from './tapped-stream';

/** A reply may not have more characters of text, reasoning and arguments together. */
export const MAX_REPLY_CHARACTERS = 4_194_304;

/**
 * The same model held to limits: 1 MB of text per message and 32 metadata keys in a request, 4 M characters in a reply.
 *
 * Its stream throws CodedError RESOURCE_LIMIT before anything is sent, or as soon as the reply grows too long.
 */
export function guardedModel(model: ChatModel, maxReplyCharacters = MAX_REPLY_CHARACTERS): ChatModel {
	return { ...model, stream: (request, signal) => guarded(model, request, signal, maxReplyCharacters) };
}

function guarded(model: ChatModel, request: ModelRequest, signal: AbortSignal, limit: number): AsyncIterable<ModelEvent> {
	return tappedStream(
		() => model.stream(request, signal),
		() => {
			checkRequest(request);
			let characters = 0;
			return (event) => {
				characters += sizeOf(event);
				if (characters > limit) throw endless(model.id, limit);
				return event;
			};
		},
	);
}

function checkRequest({ messages, metadata }: ModelRequest): void {
	messages.forEach((message, at) => {
		const characters = charactersOf(message);
		if (characters > MAX_TEXT_CHARACTERS) checkSize(`Message ${at + 1} (${message.role})`, characters);
	});
	if (metadata) checkSize('The request', 0, Object.keys(metadata).length);
}

/** Text only: pictures and other files have limits of their own at each API. */
function charactersOf(message: Message): number {
	let characters = 0;
	for (const part of message.parts) {
		if (part.type !== 'file') characters += part.type === 'tool-call' ? part.argumentsText.length : part.text.length;
	}
	return characters;
}

function sizeOf(event: ModelEvent): number {
	if (event.type === 'finish') return 0;
	return event.type === 'tool-call-delta' ? event.argumentsDelta.length : event.text.length;
}

function endless(id: string, limit: number): CodedError {
	return new CodedError('RESOURCE_LIMIT', `The reply of ${id} is over ${limit} characters and was stopped`, {
		remedy: 'Set Maximum Tokens in the options of the model, or ask for less.',
	});
}
