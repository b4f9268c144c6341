import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { notAnAnswer } from '../http-errors';
import { bytesOf, endpointOf, postJson, textOfAnswer, type Endpoint } from '../post-json';
import type { ChatSettings } from '../settings';
import { ContextSize, DEFAULT_MAX_CONTEXT } from './context-size';
import { fromStream } from './from-stream';
import { ollamaPlace } from './place';
import { toRequest } from './to-request';

/**
 * A chat model of an Ollama server, through its native route: the context is as long as the request needs, schemas are held.
 *
 * @throws CodedError BAD_INPUT when the address is none or no model is chosen
 */
export function makeChatModel(settings: ChatSettings, ports: Ports): ChatModel {
	const endpoint = endpointOf(ollamaPlace(settings, '/api/chat'), settings, ports);
	const context = new ContextSize(settings.maxContextTokens ?? DEFAULT_MAX_CONTEXT);
	return {
		id: `ollama/${settings.model}`,
		capabilities: { tools: 'unknown', responseSchema: 'yes', images: 'unknown' },
		stream: (request, signal) => stream({ endpoint, context, settings }, request, signal),
	};
}

interface Model {
	readonly endpoint: Endpoint;
	readonly context: ContextSize;
	readonly settings: ChatSettings;
}

async function* stream({ endpoint, context, settings }: Model, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const { place, ports } = endpoint;
	const contextTokens = context.forRequest(request, request.maxTokens ?? settings.maxTokens);
	const answer = await postJson(endpoint, toRequest(request, settings, contextTokens), signal);
	if (/text\/html/.test(answer.response.headers.get('content-type') ?? '')) {
		throw notAnAnswer(await textOfAnswer(answer, place, signal), place);
	}
	for await (const event of fromStream(bytesOf(answer, place, signal), place, () => `call_${ports.ids()}`)) {
		if (event.type === 'finish') {
			const warning = context.learn(request, event.usage.inputTokens);
			if (warning) ports.log('warn', warning);
		}
		yield event;
	}
}
