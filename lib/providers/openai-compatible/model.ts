import { CodedError, raise } from '../../core/errors';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { alternatingHistory, wantsAlternation } from '../alternating-history';
import { notAnAnswer, type Place } from '../http-errors';
import { bytesOf, endpointOf, postJson, textOfAnswer, type Endpoint } from '../post-json';
import type { ChatSettings } from '../settings';
import { fromBody, fromStream } from './from-stream';
import { deferredStream } from '../tapped-stream';
import { presetOf, type Preset } from './presets';
import { toRequest } from './to-request';

/**
 * A chat model behind an OpenAI-compatible chat completions API: OpenAI, Ollama /v1, vLLM, LM Studio, llama.cpp and others.
 *
 * @throws CodedError BAD_INPUT when no base URL or no model is given
 */
export function makeChatModel(settings: ChatSettings, ports: Ports): ChatModel {
	const preset = presetOf(settings.preset);
	const place = placeOf(settings, preset, '/chat/completions');
	const endpoint = endpointOf(place, settings, ports);
	const template: Template = { alternates: false };
	const bodyOf = (request: ModelRequest): unknown => {
		const messages = template.alternates ? alternatingHistory(request.messages) : request.messages;
		return toRequest({ ...request, messages }, settings, preset);
	};
	return {
		id: `${settings.preset ?? 'openai-compatible'}/${settings.model}`,
		capabilities: { tools: preset.tools, responseSchema: preset.responseSchema, images: 'unknown' },
		stream: (request, signal) => deferredStream(async () => await open(endpoint, () => bodyOf(request), template, signal)),
	};
}

/** What was found out about the chat template of the model. */
interface Template {
	alternates: boolean;
}

/**
 * The address of one route of the API, with everything that errors name.
 *
 * @param route  begins with /
 * @throws CodedError BAD_INPUT when base URL, model or a needed key is missing, or the base URL is none
 */
export function placeOf(
	settings: Pick<ChatSettings, 'model' | 'baseUrl' | 'apiKey' | 'credentialName'>,
	preset: Preset,
	route: string,
): Place {
	const { model, apiKey, credentialName } = settings;
	const base = (settings.baseUrl?.trim() || preset.baseUrl).replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
	if (!URL.canParse(base) || !/^https?:/.test(base)) {
		throw new CodedError('BAD_INPUT', `"${base}" is not a base URL for ${preset.label}`, {
			remedy: 'Enter an address such as http://127.0.0.1:8000/v1 in the credential or in Base URL.',
		});
	}
	if (model.trim() === '') {
		throw new CodedError('BAD_INPUT', `No model is chosen for ${preset.label}`, {
			remedy: 'Choose a model of the list or type its name.',
		});
	}
	if (preset.needsKey && !apiKey) {
		throw new CodedError('BAD_INPUT', `${preset.label} needs an API key`, {
			remedy: 'Set Authentication to API Key and choose a credential with a key.',
			reason: 'wrong-key',
		});
	}
	return {
		api: preset.label,
		url: base + route,
		model,
		...(credentialName ? { credentialName } : {}),
		...(apiKey ? { apiKey } : {}),
	};
}

async function open(endpoint: Endpoint, bodyOf: () => unknown, template: Template, signal: AbortSignal): Promise<AsyncIterable<ModelEvent>> {
	const { place, ports } = endpoint;
	const answer = await postJson(endpoint, bodyOf(), signal).catch(async (error: unknown) => {
		if (template.alternates || !wantsAlternation(error)) return raise(error);
		template.alternates = true;
		return await postJson(endpoint, bodyOf(), signal);
	});
	const newId = () => `call_${ports.ids()}`;
	const type = answer.response.headers.get('content-type') ?? '';
	if (/event-stream/.test(type)) return fromStream(bytesOf(answer, place, signal), place, newId);
	const text = await textOfAnswer(answer, place, signal);
	// A server may stream under any content type; only what looks like a stream is read as one.
	if (/^\s*(?:data|event|id|retry)?:/.test(text)) return fromStream(streamOf([new TextEncoder().encode(text)]), place, newId);
	if (/^\s*\{/.test(text)) return streamOf(fromBody(text, place, newId));
	throw notAnAnswer(text, place);
}

async function* streamOf<T>(values: readonly T[]): AsyncGenerator<T> {
	yield* values;
}
