import { CodedError, isCodedError, type ErrorDetails, type ErrorReason } from '../core/errors';
import { causesOf, quote, wordsOf } from './error-words';
import { isRecord, jsonOf } from './json';

/** Who was asked; named in errors. */
export interface Place {
	/** As the builder calls it: `Mistral`, `Ollama`. */
	readonly api: string;
	/** Address that was called, without key. */
	readonly url: string;
	readonly model: string;
	readonly credentialName?: string;
	/** Removed from anything quoted. */
	readonly apiKey?: string;
}

/** The parts of an HTTP answer that an error is made of. */
export interface Refusal {
	readonly status: number;
	readonly body: string;
	readonly headers: Headers;
	/** Milliseconds since 1970, to read a Retry-After that is a date. */
	readonly now: number;
}

const RETRYABLE = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/**
 * The error for an answer with a status other than 2xx. Its message quotes the API's own words.
 *
 * 401 and 403 name the credential, 404 the model; 429 and the 5xx are retryable, except when no money is left.
 */
export function refusalError(refusal: Refusal, place: Place): CodedError {
	const { status } = refusal;
	const words = quote(wordsOf(refusal.body), place.apiKey);
	const reason = reasonOf(status, words);
	const retryAfterMs = retryAfter(refusal.headers, refusal.now);
	const outOfMoney = /insufficient_quota|insufficient (?:credit|balance)|billing/i.test(refusal.body);
	const details: ErrorDetails = {
		status,
		remedy: remedyFor(reason, status, place, outOfMoney),
		retryable: RETRYABLE.has(status) && !outOfMoney && reason === undefined,
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(reason === undefined ? {} : { reason }),
	};
	const code = reason || (status >= 400 && status < 500 && !RETRYABLE.has(status)) ? 'BAD_INPUT' : 'UPSTREAM';
	return new CodedError(code, `${headline(reason, place, status)} (HTTP ${status} from ${place.url}): ${words}`, details);
}

/** The error for a 2xx answer that is not what the API promises: quotes its beginning. */
export function notAnAnswer(body: string, place: Place): CodedError {
	const what = /^\s*</.test(body) ? 'an HTML page' : 'something else';
	const words = body.trim() === '' ? '(an empty body)' : quote(body, place.apiKey);
	return new CodedError('UPSTREAM', `${place.api} did not answer with a chat completion but with ${what} (${place.url}): ${words}`, {
		remedy: 'Check the base URL: it must lead to the API itself (it often ends in /v1), not to a web page or a proxy.',
	});
}

/** The error for a stream that just stopped: half an answer must not pass for a whole one. */
export function brokenOff(place: Place): CodedError {
	return new CodedError('UPSTREAM', `${place.api} broke off in the middle of its answer (${place.url})`, {
		remedy: 'Try again. A proxy between n8n and the server may cut long answers: raise its time limit.',
		retryable: true,
	});
}

/** The error for a whole body where a stream was due: what the API says in it, or its beginning. */
export function unexpectedBody(body: string, place: Place): CodedError {
	const value = jsonOf(body);
	return isRecord(value) && value['error'] ? inBandError(value['error'], place) : notAnAnswer(body, place);
}

/** The error for an error object inside a stream or a 200 answer. */
export function inBandError(error: unknown, place: Place): CodedError {
	const words = quote(wordsOf(JSON.stringify({ error })), place.apiKey);
	const number = isRecord(error) ? Number(error['code'] ?? error['status']) : Number.NaN;
	const status = number >= 400 && number < 600 ? number : undefined;
	const reason = reasonOf(status ?? 400, words);
	return new CodedError('UPSTREAM', `${headline(reason, place)} (in its answer, from ${place.url}): ${words}`, {
		retryable: reason === undefined && (status === undefined || RETRYABLE.has(status)),
		...(status === undefined ? {} : { status }),
		...(reason === undefined ? {} : { reason }),
	});
}

/** The error for a request that got no answer, or lost it half-way. CodedErrors pass through unchanged. */
export function connectionError(error: unknown, place: Place): CodedError {
	if (isCodedError(error)) return error;
	const words = quote(causesOf(error), place.apiKey);
	return new CodedError('UPSTREAM', `No connection to ${place.api} at ${place.url}: ${words}`, {
		remedy: 'Check that the server is running and that n8n can reach this address (in Docker, localhost is the container).',
		retryable: true,
		cause: error,
	});
}

/** Milliseconds to wait that a server asks for, from `retry-after-ms` or `Retry-After` (seconds or date); never negative. */
export function retryAfter(headers: Headers, now: number): number | undefined {
	const ms = headers.get('retry-after-ms');
	if (ms !== null && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
	const value = headers.get('retry-after')?.trim();
	if (!value) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	const date = Date.parse(value);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headline(reason: ErrorReason | undefined, place: Place, status?: number): string {
	switch (reason) {
		case 'wrong-key':
			return `${place.api} refused the key${place.credentialName ? ` of credential "${place.credentialName}"` : ''}: wrong key`;
		case 'unknown-model':
			return `${place.api} does not know the model "${place.model}"`;
		case 'tools-unsupported':
			return `Model "${place.model}" does not take tools`;
		case 'schema-unsupported':
			return `Model "${place.model}" does not take a response schema`;
		case 'context-length':
			return `The request is too long for model "${place.model}"`;
		default:
			if (status === 404) return `${place.api} has nothing at this address for model "${place.model}"`;
			return status === 429 ? `${place.api} limits the rate of requests` : `${place.api} refused the request`;
	}
}

/** Real words: Ollama "does not support tools", vLLM "requires --enable-auto-tool-choice", OpenRouter "support tool use". */
function reasonOf(status: number, words: string): ErrorReason | undefined {
	if (status === 401 || status === 403) return 'wrong-key';
	if (/not support (?:tools|functions|tool|function)|support tool use|tool[- ]choice requires|tools param requires|(?:function|tool)[- ]calling is not/i.test(words)) {
		return 'tools-unsupported';
	}
	if (status === 429 || status >= 500) return undefined;
	if (/(?:response_format|json_schema).*(?:not|un)\W?support|not support.*(?:response_format|json_schema)/i.test(words)) {
		return 'schema-unsupported';
	}
	if (/context (?:length|window|size)|context_length_exceeded|too many tokens|prompt is too long/i.test(words)) return 'context-length';
	if (status !== 404 && status !== 400) return undefined;
	const missing = /not (?:found|exist)|does not exist|unknown|invalid model|no such|try pulling/i;
	return /model/i.test(words) && missing.test(words) ? 'unknown-model' : undefined;
}

function remedyFor(reason: ErrorReason | undefined, status: number, place: Place, outOfMoney: boolean): string {
	switch (reason) {
		case 'wrong-key':
			return `Open the credential${place.credentialName ? ` "${place.credentialName}"` : ''} and enter a valid key for ${place.api}.`;
		case 'unknown-model':
			return 'Choose a model of the list, or check its spelling and the base URL; with Ollama, pull the model first.';
		case 'tools-unsupported':
			return 'Use the text protocol in the agent, or a model that takes tools.';
		case 'schema-unsupported':
			return 'Use another protocol in the agent, or a model that takes a response schema.';
		case 'context-length':
			return 'Shorten the instructions or the tool results, offer fewer tools, or use a model with a longer context.';
		default:
	}
	if (outOfMoney || status === 402) return `Add credit to the account at ${place.api}.`;
	if (status === 404) return 'Check the base URL (it often ends in /v1) and the name of the model.';
	if (status === 429) return 'Wait, raise the rate limit of the account, or run fewer items at once.';
	return status >= 500 ? 'Try again later; the server has a fault of its own.' : 'Check the options of the model node.';
}
