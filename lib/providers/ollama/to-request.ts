import { textOf, toolCallsOf, type Message } from '../../core/message';
import type { ModelRequest } from '../../core/model';
import { adaptSchema } from '../../shape/adapt-schema';
import { isRecord, jsonOf } from '../json';
import { isMistralFamily, mistralHistory } from '../mistral-history';
import type { ChatSettings } from '../settings';

type Json = Record<string, unknown>;

/**
 * The body of POST /api/chat for a request; settings give what the request leaves open.
 *
 * Unlike the OpenAI routes it takes call arguments as objects, a schema as `format`, and the length of the context (P11, P12).
 *
 * @param contextTokens  num_ctx; undefined leaves the server's own
 */
export function toRequest(request: ModelRequest, settings: ChatSettings, contextTokens: number | undefined): Json {
	const history = isMistralFamily(settings.model) ? mistralHistory(request.messages) : request.messages;
	const tools = request.toolChoice === 'none' ? [] : (request.tools ?? []);
	return {
		model: settings.model,
		messages: history.flatMap(wireMessages),
		stream: true,
		...(tools.length > 0 ? { tools: tools.map(({ name, description, inputSchema }) => wireTool(name, description, adaptSchema(inputSchema, 'ollama').schema)) } : {}),
		...(request.responseSchema ? { format: request.responseSchema } : {}),
		...(settings.keepAlive === undefined ? {} : { keep_alive: settings.keepAlive }),
		options: optionsOf(request, settings, contextTokens),
	};
}

function optionsOf(request: ModelRequest, settings: ChatSettings, contextTokens: number | undefined): Json {
	const temperature = request.temperature ?? settings.temperature;
	const maxTokens = request.maxTokens ?? settings.maxTokens;
	return {
		...(contextTokens === undefined ? {} : { num_ctx: contextTokens }),
		...(temperature === undefined ? {} : { temperature }),
		...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
		...(request.stop && request.stop.length > 0 ? { stop: request.stop } : {}),
	};
}

function wireTool(name: string, description: string, parameters: unknown): Json {
	return { type: 'function', function: { name, description, parameters } };
}

function wireMessages(message: Message): Json[] {
	switch (message.role) {
		case 'system':
			return [{ role: 'system', content: textOf(message) }];
		case 'user':
			return [userMessage(message)];
		case 'assistant':
			return assistantMessage(message);
		case 'tool':
			return message.parts.flatMap((part) =>
				part.type === 'tool-result' ? [{ role: 'tool', tool_name: part.name, content: part.text }] : [],
			);
	}
}

/** Pictures go beside the text as bare base64; other files have no place in this API. */
function userMessage(message: Message): Json {
	const images = message.parts.flatMap((part) => (part.type === 'file' && part.mediaType.startsWith('image/') ? [part.data] : []));
	return { role: 'user', content: textOf(message), ...(images.length > 0 ? { images } : {}) };
}

/** Thinking goes back with the calls it led to, as Ollama's thinking models ask (P06). */
function assistantMessage(message: Message): Json[] {
	const content = textOf(message);
	const calls = toolCallsOf(message);
	if (content.trim() === '' && calls.length === 0) return [];
	const thinking = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
	if (calls.length === 0) return [{ role: 'assistant', content }];
	return [
		{
			role: 'assistant',
			content,
			...(thinking === '' ? {} : { thinking }),
			tool_calls: calls.map((call) => ({ function: { name: call.name, arguments: argumentsObject(call.argumentsText) } })),
		},
	];
}

/** Ollama refuses a request whose arguments are no object; text that is none is kept as one field. */
function argumentsObject(text: string): Json {
	const value = jsonOf(text);
	if (isRecord(value)) return value;
	return text.trim() === '' ? {} : { arguments: value ?? text };
}
