import { createRequire } from 'node:module';
import type { MistralCore } from '@mistralai/mistralai/core.js';
import { CodedError, messageOf } from '../../core/errors';
import type { Ports } from '../../core/ports';
import { inBandError, notAnAnswer, unexpectedBody, type Place } from '../http-errors';
import { isRecord, jsonOf } from '../json';
import { bytesOf, endpointOf, postJson, textOfAnswer } from '../post-json';
import type { ChatSettings } from '../settings';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

export const MISTRAL_URL = 'https://api.mistral.ai';
const KEPT_CHARACTERS = 2000;

/** The SDK's client for one request, whose transport is ours: retries, Retry-After, silence limit, typed errors. */
export interface MistralCall {
	readonly client: MistralCore;
	/** The error to throw for what the SDK threw or returned: ours when the transport failed, else its complaint. */
	failure(error: unknown): Error;
}

type ClientSettings = Pick<ChatSettings, 'model' | 'apiKey' | 'baseUrl' | 'credentialName' | 'timeoutMs' | 'maxAttempts' | 'headers'>;

/**
 * Address and names of one route. The SDK adds /v1 itself, so an address that ends in it is taken too.
 *
 * @throws CodedError BAD_INPUT without key or model: the SDK would take a key from the environment of n8n instead
 */
export function mistralPlace(settings: ClientSettings, route: string): Place & { readonly apiKey: string } {
	const { model, apiKey, credentialName } = settings;
	const server = (settings.baseUrl?.trim() || MISTRAL_URL).replace(/\/+$/, '').replace(/\/v1$/, '');
	if (!apiKey) {
		throw new CodedError('BAD_INPUT', 'No API key for Mistral', {
			remedy: `Open the credential${credentialName ? ` "${credentialName}"` : ''} and enter a key.`,
			reason: 'wrong-key',
		});
	}
	if (!URL.canParse(server)) {
		throw new CodedError('BAD_INPUT', `"${server}" is not a base URL for Mistral`, {
			remedy: `Leave Base URL empty, or enter an address such as ${MISTRAL_URL}.`,
		});
	}
	if (model.trim() === '') {
		throw new CodedError('BAD_INPUT', 'No model is chosen for Mistral', {
			remedy: 'Choose a model of the list or type its name, such as mistral-small-latest.',
		});
	}
	return { api: 'Mistral', url: `${server}/v1${route}`, model, apiKey, ...(credentialName ? { credentialName } : {}) };
}

/** Makes a client for one call. The SDK is loaded here. */
export function mistralCall(settings: ClientSettings, ports: Ports, signal: AbortSignal, route: string): MistralCall {
	const { MistralCore: Core } = load('@mistralai/mistralai/core.js') as typeof import('@mistralai/mistralai/core.js');
	const { HTTPClient } = load('@mistralai/mistralai/lib/http.js') as typeof import('@mistralai/mistralai/lib/http.js');
	const place = mistralPlace(settings, route);
	const transport = new Transport(place, settings, ports, signal);
	return {
		client: new Core({
			apiKey: place.apiKey,
			serverURL: place.url.slice(0, -`/v1${route}`.length),
			httpClient: new HTTPClient({ fetcher: async (input, init) => await transport.fetch(new Request(input, init)) }),
			retryConfig: { strategy: 'none' },
		}),
		failure: (error) => transport.failure(error),
	};
}

/**
 * Carries the SDK's requests. The SDK wraps what a transport throws in classes of its own and lets raw parser errors through,
 * so the first failure, and the last bytes seen, are kept here for `failure`.
 */
class Transport {
	private failed: Error | undefined;
	private tail = '';

	constructor(
		private readonly place: Place,
		private readonly settings: ClientSettings,
		private readonly ports: Ports,
		private readonly signal: AbortSignal,
	) {}

	async fetch(request: Request): Promise<Response> {
		try {
			const headers = { ...Object.fromEntries(request.headers), ...this.settings.headers };
			const endpoint = endpointOf(this.place, { ...this.settings, headers }, this.ports);
			const answer = await postJson(endpoint, JSON.parse(await request.text()), this.signal);
			const { headers: received, status } = answer.response;
			const isStream = /event-stream/.test(received.get('content-type') ?? '');
			if (isStream) return new Response(ReadableStream.from(this.watched(bytesOf(answer, this.place, this.signal))), { status, headers: received });
			const text = await textOfAnswer(answer, this.place, this.signal);
			if (/event-stream/.test(request.headers.get('accept') ?? '')) throw unexpectedBody(text, this.place);
			this.tail = text.slice(0, KEPT_CHARACTERS);
			return new Response(text, { status, headers: { 'content-type': received.get('content-type') ?? '' } });
		} catch (error) {
			throw this.kept(error);
		}
	}

	failure(error: unknown): Error {
		if (this.signal.aborted) return this.signal.reason as Error;
		if (this.failed) return this.failed;
		const inBand = errorIn(this.tail);
		if (inBand !== undefined) return inBandError(inBand, this.place);
		if (this.tail !== '' && !this.tail.startsWith('data:')) return notAnAnswer(this.tail, this.place);
		const words = `${firstLine(messageOf(error))}; it read: ${this.tail.slice(-300)}`;
		return new CodedError('UPSTREAM', `Mistral sent something its SDK cannot read (${this.place.url}): ${words}`, {
			remedy: 'If the address is not Mistral’s own, choose the OpenAI-compatible provider.',
			cause: error,
		});
	}

	private kept(error: unknown): unknown {
		this.failed = error as Error;
		return error;
	}

	private async *watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		const decoder = new TextDecoder();
		try {
			for await (const chunk of bytes) {
				this.tail = (this.tail + decoder.decode(chunk, { stream: true })).slice(-KEPT_CHARACTERS);
				yield chunk;
			}
		} catch (error) {
			throw this.kept(error);
		}
	}
}

/** The error object of the last event that has one; undefined when there is none. */
function errorIn(tail: string): unknown {
	for (const line of tail.split('\n').reverse()) {
		const data = /^(?:data: ?)?(\{.*"(?:error|object)".*\})\s*$/.exec(line)?.[1];
		if (data === undefined) continue;
		const value = jsonOf(data);
		if (isRecord(value) && (value['error'] || value['object'] === 'error')) return value['error'] ?? value;
	}
	return undefined;
}

function firstLine(text: string): string {
	return text.split('\n', 1)[0] ?? '';
}
