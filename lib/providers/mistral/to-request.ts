import type { AssistantMessage, ChatCompletionStreamRequest, ContentChunk } from '@mistralai/mistralai/models/components';
import { textOf, toolCallsOf, type Message } from '../../core/message';
import type { ModelRequest } from '../../core/model';
import { adaptSchema } from '../../shape/adapt-schema';
import { mistralHistory } from '../mistral-history';
import type { ChatSettings } from '../settings';
import { isStrictSchema } from '../strict-schema';

type WireMessage = ChatCompletionStreamRequest['messages'][number];

/**
 * A request in the SDK's terms; settings give what the request leaves open. The given messages are not changed.
 *
 * Tool schemas and call arguments go out exactly as they are.
 */
export function toRequest(request: ModelRequest, settings: ChatSettings): ChatCompletionStreamRequest {
	const tools = request.tools ?? [];
	const temperature = request.temperature ?? settings.temperature;
	const maxTokens = request.maxTokens ?? settings.maxTokens;
	const schema = request.responseSchema;
	return {
		model: settings.model,
		messages: mistralHistory(request.messages).flatMap((message) => wireMessages(message, settings.model)),
		...(tools.length > 0
			? {
					tools: tools.map(({ name, description, inputSchema }) => ({
						type: 'function' as const,
						function: { name, description, parameters: adaptSchema(inputSchema, 'plain').schema },
					})),
					toolChoice: request.toolChoice ?? 'auto',
				}
			: {}),
		...(schema
			? {
					responseFormat: {
						type: 'json_schema' as const,
						jsonSchema: { name: 'reply', schemaDefinition: schema, strict: isStrictSchema(schema) },
					},
				}
			: {}),
		...(request.stop && request.stop.length > 0 ? { stop: [...request.stop] } : {}),
		...(temperature === undefined ? {} : { temperature }),
		...(maxTokens === undefined ? {} : { maxTokens }),
		...(request.metadata === undefined ? {} : { metadata: request.metadata }),
	};
}

function wireMessages(message: Message, model: string): WireMessage[] {
	switch (message.role) {
		case 'system':
			return [{ role: 'system', content: textOf(message) }];
		case 'user':
			return [{ role: 'user', content: userContent(message) }];
		case 'assistant':
			return [assistantMessage(message, model)];
		case 'tool':
			return message.parts.flatMap((part) =>
				part.type === 'tool-result'
					? [{ role: 'tool' as const, toolCallId: part.callId, name: part.name, content: part.text }]
					: [],
			);
	}
}

function assistantMessage(message: Message, model: string): AssistantMessage & { role: 'assistant' } {
	const calls = toolCallsOf(message);
	const content = assistantContent(message, model);
	return {
		role: 'assistant',
		content,
		...(calls.length > 0
			? {
					toolCalls: calls.map((call) => ({
						id: call.callId,
						function: { name: call.name, arguments: call.argumentsText },
					})),
				}
			: {}),
	};
}

/** Only the reasoning models take their thinking back (P06); the others refuse such chunks. */
function assistantContent(message: Message, model: string): string | ContentChunk[] {
	const text = textOf(message);
	const reasoning = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
	if (reasoning === '' || !/magistral/i.test(model)) return text;
	const thinking: ContentChunk = { type: 'thinking', thinking: [{ type: 'text', text: reasoning }] };
	return text === '' ? [thinking] : [thinking, { type: 'text', text }];
}

function userContent(message: Message): string | ContentChunk[] {
	if (!message.parts.some((part) => part.type === 'file')) return textOf(message);
	return message.parts.flatMap((part): ContentChunk[] => {
		if (part.type === 'text') return [{ type: 'text', text: part.text }];
		if (part.type !== 'file') return [];
		const url = `data:${part.mediaType};base64,${part.data}`;
		if (part.mediaType.startsWith('image/')) return [{ type: 'image_url', imageUrl: { url } }];
		return [{ type: 'document_url', documentUrl: url, documentName: part.name ?? 'file' }];
	});
}
