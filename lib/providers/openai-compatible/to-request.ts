import { textOf, toolCallsOf, type FilePart, type Message, type Part } from '../../core/message';
import type { ModelRequest, ToolSpec } from '../../core/model';
import { adaptSchema } from '../../shape/adapt-schema';
import { isMistralFamily, mistralHistory } from '../mistral-history';
import type { ChatSettings } from '../settings';
import { isStrictSchema } from '../strict-schema';
import type { Preset } from './presets';

type Json = Record<string, unknown>;

/**
 * The body of POST /chat/completions for a request; settings give what the request leaves open.
 *
 * Tool schemas and call arguments go out exactly as they are. Empty assistant turns are left out (APIs refuse them).
 */
export function toRequest(request: ModelRequest, settings: ChatSettings, preset: Preset): Json {
	const history = isMistralFamily(settings.model) ? mistralHistory(request.messages) : request.messages;
	const tools = request.tools ?? [];
	const temperature = request.temperature ?? settings.temperature;
	const maxTokens = request.maxTokens ?? settings.maxTokens;
	return {
		model: settings.model,
		messages: history.flatMap((message) => wireMessages(message, preset)),
		stream: true,
		...(preset.streamUsage ? { stream_options: { include_usage: true } } : {}),
		...(tools.length > 0 ? { tools: tools.map(wireTool), tool_choice: request.toolChoice ?? 'auto' } : {}),
		...heldOutput(request, settings, preset),
		...(request.stop && request.stop.length > 0 ? { stop: request.stop } : {}),
		...(temperature === undefined ? {} : { temperature }),
		...(maxTokens === undefined ? {} : { [preset.maxTokensField]: maxTokens }),
	};
}

function wireMessages(message: Message, preset: Preset): Json[] {
	switch (message.role) {
		case 'system':
			return [{ role: 'system', content: textOf(message) }];
		case 'user':
			return [{ role: 'user', content: userContent(message) }];
		case 'assistant':
			return assistantMessage(message, preset);
		case 'tool':
			return message.parts.flatMap((part) =>
				part.type === 'tool-result' ? [{ role: 'tool', tool_call_id: part.callId, content: part.text }] : [],
			);
	}
}

function assistantMessage(message: Message, preset: Preset): Json[] {
	const text = textOf(message);
	const calls = toolCallsOf(message);
	if (text.trim() === '' && calls.length === 0) return [];
	const reasoning = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
	return [
		{
			role: 'assistant',
			content: text === '' ? null : text,
			...(preset.reasoningField && reasoning ? { [preset.reasoningField]: reasoning } : {}),
			...(calls.length > 0
				? {
						tool_calls: calls.map((call) => ({
							id: call.callId,
							type: 'function',
							function: { name: call.name, arguments: call.argumentsText },
						})),
					}
				: {}),
		},
	];
}

/** Plain text where there are no files, since small servers take nothing else. */
function userContent(message: Message): unknown {
	if (!message.parts.some((part) => part.type === 'file')) return textOf(message);
	return message.parts.flatMap(userPart);
}

function userPart(part: Part): Json[] {
	if (part.type === 'text') return [{ type: 'text', text: part.text }];
	return part.type === 'file' ? [filePart(part)] : [];
}

function filePart(file: FilePart): Json {
	const url = `data:${file.mediaType};base64,${file.data}`;
	if (file.mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
	return { type: 'file', file: { filename: file.name ?? 'file', file_data: url } };
}

function wireTool(tool: ToolSpec): Json {
	return {
		type: 'function',
		function: { name: tool.name, description: tool.description, parameters: adaptSchema(tool.inputSchema, 'openai').schema },
	};
}

/** llama.cpp takes a schema or a grammar of its own, in fields that all its versions know; it refuses both together with tools. */
function heldOutput(request: ModelRequest, settings: ChatSettings, preset: Preset): Json {
	const schema = request.responseSchema;
	if (preset.schemaField && schema) return { [preset.schemaField]: schema };
	if (schema) return { response_format: responseFormat(schema) };
	const hasTools = request.tools !== undefined && request.tools.length > 0;
	return preset.schemaField && settings.grammar && !hasTools ? { grammar: settings.grammar } : {};
}

function responseFormat(schema: Json): Json {
	return { type: 'json_schema', json_schema: { name: 'reply', schema, strict: isStrictSchema(schema) } };
}
