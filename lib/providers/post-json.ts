import { clearTimeout, setTimeout } from 'node:timers';
import { CodedError } from '../core/errors';
import type { Ports } from '../core/ports';
import { connectionError, refusalError, type Place } from './http-errors';
import { DEFAULT_RETRY, withRetry } from './retry';
import { DEFAULT_TIMEOUT_MS, type ChatSettings } from './settings';
import { silenceLimit, type SilenceLimit } from './silence-limit';

/** What stays the same for all requests of one model. */
export interface Endpoint {
	readonly place: Place;
	readonly ports: Ports;
	/** Sent with each request; Authorization is made from `place.apiKey`. */
	readonly headers?: { readonly [name: string]: string };
	readonly timeoutMs?: number;
	readonly maxAttempts?: number;
}

/** A whole answer may not be longer: it would fill the memory of n8n. */
const MAX_BODY_CHARACTERS = 64_000_000;

/** The endpoint of a place with the limits and headers that settings name. */
export function endpointOf(
	place: Place,
	{ timeoutMs, maxAttempts, headers }: Pick<ChatSettings, 'timeoutMs' | 'maxAttempts' | 'headers'>,
	ports: Ports,
): Endpoint {
	return {
		place,
		ports,
		...(headers === undefined ? {} : { headers }),
		...(timeoutMs === undefined ? {} : { timeoutMs }),
		...(maxAttempts === undefined ? {} : { maxAttempts }),
	};
}

/** An answer that has begun. `limit.end` must be called when its body is read. */
export interface Answer {
	readonly response: Response;
	readonly limit: SilenceLimit;
}

/**
 * Sends JSON and waits for a 2xx answer, with retries. The body of the answer is not read.
 *
 * @throws CodedError for a refusal or a lost connection; the signal's reason when it aborts
 */
export async function postJson(endpoint: Endpoint, body: unknown, signal: AbortSignal): Promise<Answer> {
	const policy = { ...DEFAULT_RETRY, maxAttempts: endpoint.maxAttempts ?? DEFAULT_RETRY.maxAttempts };
	const text = JSON.stringify(body);
	return await withRetry(async () => await postOnce(endpoint, text, signal), policy, endpoint.ports.clock, signal);
}

async function postOnce(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Answer> {
	const { place, ports, headers } = endpoint;
	const limit = silenceLimit(ports.clock, endpoint.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal, place.api);
	try {
		const authorization = place.apiKey ? { authorization: `Bearer ${place.apiKey}` } : {};
		const response = await ports.fetch(place.url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json', ...authorization, ...headers },
			body,
			signal: limit.signal,
		});
		limit.heard();
		if (response.ok) return { response, limit };
		const refusal = { status: response.status, headers: response.headers, now: ports.clock.now() };
		throw refusalError({ ...refusal, body: await beginningOf(response) }, place);
	} catch (error) {
		limit.end();
		signal.throwIfAborted();
		throw connectionError(error, place);
	}
}

/** What a refusal says may not fill the memory: an error page of a proxy can be of any length. */
const MAX_REFUSAL_BYTES = 65_536;

/** The text of a refusal up to 64 kB; the rest is not read. */
async function beginningOf({ body }: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	let bytes = 0;
	if (!body) return text;
	for await (const chunk of body) {
		text += decoder.decode(chunk as Uint8Array, { stream: true });
		bytes += (chunk as Uint8Array).length;
		if (bytes >= MAX_REFUSAL_BYTES) break;
	}
	return text;
}

/**
 * The bytes of an answer as they come. Leaving the loop closes the socket.
 *
 * @throws CodedError when the connection is lost or silent; the signal's reason when it aborts
 */
export async function* bytesOf(answer: Answer, place: Place, signal: AbortSignal): AsyncGenerator<Uint8Array> {
	const reader = answer.response.body?.getReader();
	let isRead = reader === undefined;
	try {
		while (reader && !isRead) {
			const { done, value } = await reader.read();
			isRead = done;
			answer.limit.heard();
			if (value) yield value;
		}
	} catch (error) {
		signal.throwIfAborted();
		throw connectionError(error, place);
	} finally {
		if (reader && !isRead) await leave(reader);
		answer.limit.end();
		signal.throwIfAborted();
	}
}

/** How long the end of a body may take after the last event that it announced, in milliseconds. */
const END_MS = 50;

/**
 * Leaves a body. A stream whose next piece is its end keeps its connection for the next request (closing it would cost a new
 * handshake for each step of an agent); otherwise more is to come that nobody wants, and the connection is closed.
 */
async function leave(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
	const isOver = await new Promise<boolean>((resolve) => {
		const late = setTimeout(resolve, END_MS, false);
		void reader.read().then(({ done }) => done, () => true).then((over) => {
			clearTimeout(late);
			resolve(over);
		});
	});
	if (!isOver) await reader.cancel();
}

/** The whole text of an answer. Throws as `bytesOf` does, and RESOURCE_LIMIT when it is over 64 million characters. */
export async function textOfAnswer(answer: Answer, place: Place, signal: AbortSignal): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of bytesOf(answer, place, signal)) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length > MAX_BODY_CHARACTERS) throw tooLarge(place);
	}
	return text + decoder.decode();
}

function tooLarge(place: Place): CodedError {
	return new CodedError('RESOURCE_LIMIT', `${place.api} answered with over ${MAX_BODY_CHARACTERS} characters (${place.url})`, {
		remedy: 'Check the base URL, or send fewer texts in one request.',
	});
}
