import type { ModelEvent, Usage } from '../../core/model';
import type { CallPiece } from '../call-joiner';
import { inBandError, notAnAnswer, type Place } from '../http-errors';
import { isRecord, jsonOf } from '../json';
import { linesOf } from '../lines';
import { StreamReader, type StreamDelta } from '../stream-reader';

/**
 * Events of a streamed /api/chat answer, one JSON object a line; the same whatever the cut of the bytes. A whole answer on one
 * line is read too.
 *
 * @param newId  makes the ids of the calls, since Ollama gives none
 * @throws CodedError for an error object, for something else than an answer, and for a stream that ends without `done`
 */
export async function* fromStream(bytes: AsyncIterable<Uint8Array>, place: Place, newId: () => string): AsyncGenerator<ModelEvent> {
	const reader = new StreamReader(newId);
	let isDone = false;
	for await (const line of linesOf(bytes)) {
		const chunk = jsonOf(line);
		if (!isRecord(chunk)) throw notAnAnswer(line, place);
		if (chunk['error']) throw inBandError(chunk['error'], place);
		if (!isRecord(chunk['message']) && chunk['done'] !== true) throw notAnAnswer(line, place);
		yield* reader.add(toDelta(chunk));
		isDone ||= chunk['done'] === true;
	}
	if (!isDone) throw notAnAnswer('(the stream ended before "done")', place);
	yield* reader.end();
}

function toDelta(chunk: Record<string, unknown>): StreamDelta {
	const message = isRecord(chunk['message']) ? chunk['message'] : {};
	const calls = message['tool_calls'];
	const usage = chunk['done'] === true ? usageOf(chunk) : undefined;
	const reason = chunk['done_reason'];
	return {
		content: message['content'],
		reasoning: message['thinking'],
		calls: Array.isArray(calls) ? calls.filter(isRecord).map(toPiece) : [],
		...(chunk['done'] === true ? { finishReason: typeof reason === 'string' ? reason : 'stop' } : {}),
		...(usage ? { usage } : {}),
	};
}

/** Each call comes whole. Its index, where there is one, counts within one chunk only, so it would join calls that are two. */
function toPiece(call: Record<string, unknown>): CallPiece {
	const named = isRecord(call['function']) ? call['function'] : {};
	return { id: call['id'], name: named['name'], arguments: named['arguments'] ?? {} };
}

function usageOf(chunk: Record<string, unknown>): Usage {
	return { inputTokens: count(chunk['prompt_eval_count']), outputTokens: count(chunk['eval_count']) };
}

function count(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
