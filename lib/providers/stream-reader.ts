import type { FinishReason, ModelEvent, Usage } from '../core/model';
import { CallJoiner, type CallPiece } from './call-joiner';
import { isRecord } from './json';

/** One chunk of a chat completion, whatever the API called its fields. */
export interface StreamDelta {
	/** Text, null, or a list of chunks {type: 'text' | 'thinking', …}. */
	readonly content?: unknown;
	readonly reasoning?: unknown;
	readonly calls?: readonly CallPiece[];
	readonly finishReason?: string | null;
	readonly usage?: Usage;
}

/**
 * Turns the chunks of one reply into core events; `end` gives the finish event.
 *
 * The last finish reason and the last usage win, since some APIs send usage in a chunk of its own after the reason.
 */
export class StreamReader {
	private readonly joiner: CallJoiner;
	private reason: string | undefined;
	private usage: Usage = { inputTokens: null, outputTokens: null };

	/** @param newId  makes the ids of calls that came without one */
	constructor(newId: () => string) {
		this.joiner = new CallJoiner(newId);
	}

	add(delta: StreamDelta): ModelEvent[] {
		this.reason = delta.finishReason ?? this.reason;
		this.usage = delta.usage ?? this.usage;
		return [
			...reasoningEvents(delta.reasoning),
			...contentEvents(delta.content),
			...(delta.calls ?? []).flatMap((piece) => this.joiner.add(piece)),
		];
	}

	/** True once the API said why it stopped. */
	get hasReason(): boolean {
		return this.reason !== undefined;
	}

	end(): ModelEvent[] {
		const late = this.joiner.end();
		return [...late, { type: 'finish', reason: finishReason(this.reason, this.joiner.count > 0), usage: this.usage }];
	}
}

function reasoningEvents(value: unknown): ModelEvent[] {
	const text = plainText(value);
	return text === '' ? [] : [{ type: 'reasoning-delta', text }];
}

function contentEvents(content: unknown): ModelEvent[] {
	if (!Array.isArray(content)) {
		const text = plainText(content);
		return text === '' ? [] : [{ type: 'text-delta', text }];
	}
	return content.flatMap((chunk: unknown): ModelEvent[] => {
		if (!isRecord(chunk)) return contentEvents(chunk);
		return chunk['type'] === 'thinking' ? reasoningEvents(chunk['thinking']) : contentEvents(chunk['text']);
	});
}

/** Text of a string, or of a list of {text}; '' for anything else. */
function plainText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(plainText).join('');
	return isRecord(value) ? plainText(value['text']) : '';
}

/** Some servers say `stop` although they asked for tools; the calls decide. */
function finishReason(reason: string | undefined, hasCalls: boolean): FinishReason {
	switch (reason) {
		case 'tool_calls':
		case 'function_call':
			return 'tool-calls';
		case 'stop':
			return hasCalls ? 'tool-calls' : 'stop';
		case 'length':
		case 'model_length':
			return 'length';
		case 'content_filter':
			return 'content-filter';
		default:
			return hasCalls && reason === undefined ? 'tool-calls' : 'other';
	}
}
