import type { ModelEvent, Usage } from '../../core/model';
import type { CallPiece } from '../call-joiner';
import { brokenOff, inBandError, notAnAnswer, type Place } from '../http-errors';
import { isRecord, jsonOf } from '../json';
import { sseData } from '../sse';
import { StreamReader, type StreamDelta } from '../stream-reader';

/**
 * Events of a streamed chat completion, from the raw bytes; the same whatever the cut of the bytes.
 *
 * @param newId  makes the ids of calls that came without one
 * @throws CodedError for an error object inside the stream, when no choice ever came, and when the stream ended without a finish
 *                    reason or [DONE]
 */
export async function* fromStream(
	bytes: AsyncIterable<Uint8Array>,
	place: Place,
	newId: () => string,
): AsyncGenerator<ModelEvent> {
	const reader = new StreamReader(newId);
	let choices = 0;
	let seen = '';
	let isDone = false;
	reading: for await (const batch of sseData(bytes)) {
		for (const data of batch) {
			isDone = data.trim() === '[DONE]';
			if (isDone) break reading;
			if (choices === 0 && seen.length < 1000) seen += data;
			const chunk = parsed(data, place);
			const choice = firstChoice(chunk);
			if (choice) choices += 1;
			for (const event of reader.add(toDelta(chunk, choice))) yield event;
		}
	}
	if (choices === 0) throw notAnAnswer(seen, place);
	if (!isDone && !reader.hasReason) throw brokenOff(place);
	yield* reader.end();
}

/**
 * Events of a whole chat completion, for servers that do not stream though asked to.
 *
 * @throws CodedError when the text is no chat completion, or holds an error object
 */
export function fromBody(body: string, place: Place, newId: () => string): ModelEvent[] {
	const chunk = parsed(body, place);
	const choice = firstChoice(chunk);
	if (!choice) throw notAnAnswer(body, place);
	const reader = new StreamReader(newId);
	return [...reader.add(toDelta(chunk, choice)), ...reader.end()];
}

function parsed(text: string, place: Place): Record<string, unknown> {
	const value = jsonOf(text);
	if (!isRecord(value)) throw notAnAnswer(text, place);
	if (value['error'] || value['object'] === 'error') throw inBandError(value['error'] || value, place);
	return value;
}

function firstChoice(chunk: Record<string, unknown>): Record<string, unknown> | undefined {
	const choices = chunk['choices'];
	const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
	// A server set to give several answers sends each under its own index: mixed, they would be none.
	return isRecord(first) && (typeof first['index'] !== 'number' || first['index'] === 0) ? first : undefined;
}

function toDelta(chunk: Record<string, unknown>, choice: Record<string, unknown> | undefined): StreamDelta {
	const message = choice?.['delta'] ?? choice?.['message'];
	const usage = toUsage(chunk['usage']);
	const finishReason = choice?.['finish_reason'];
	return {
		...(isRecord(message) ? messageFields(message) : {}),
		...(typeof finishReason === 'string' ? { finishReason } : {}),
		...(usage ? { usage } : {}),
	};
}

/** vLLM and DeepSeek say reasoning_content, OpenRouter and Ollama say reasoning; those who send both repeat themselves. */
function messageFields(message: Record<string, unknown>): StreamDelta {
	const calls = message['tool_calls'];
	return {
		content: message['content'],
		reasoning: message['reasoning_content'] || message['reasoning'],
		calls: Array.isArray(calls) ? calls.filter(isRecord).map(toPiece) : [],
	};
}

function toPiece(call: Record<string, unknown>): CallPiece {
	const named = isRecord(call['function']) ? call['function'] : {};
	return { index: call['index'], id: call['id'], name: named['name'], arguments: named['arguments'] };
}

function toUsage(usage: unknown): Usage | undefined {
	if (!isRecord(usage)) return undefined;
	const details = usage['prompt_tokens_details'];
	const cached = count(isRecord(details) ? details['cached_tokens'] : undefined);
	return {
		inputTokens: count(usage['prompt_tokens']),
		outputTokens: count(usage['completion_tokens']),
		...(cached === null ? {} : { cachedInputTokens: cached }),
	};
}

function count(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
