import { isCodedError, messageOf } from '../core/errors';
import { ReplyBuilder, type ChatModel, type ModelEvent, type ModelReply, type ModelRequest } from '../core/model';
import { StreamWriter, type Granularity, type StreamChannel, type StreamMessage, type StreamMeta } from '../core/stream-message';
import { guardedModel } from './guarded-model';
import { regroupedModel } from './regrouped-model';

export interface StreamOptions {
	/** Id of the stream; each message carries it. */
	readonly id: string;
	readonly parentId?: string;
	readonly granularity?: Granularity;
	readonly signal: AbortSignal;
}

/**
 * A reply of any model as stream messages: start@control, delta@answer / @thought / @action …, complete@thought, complete@action for
 * each call, complete@answer; or error@control, after which the stream ends. The error is a message, not a throw, except when the
 * signal aborts.
 */
export async function* streamMessages(model: ChatModel, request: ModelRequest, options: StreamOptions): AsyncGenerator<StreamMessage> {
	const writer = new StreamWriter(options.id, options.parentId ?? null);
	const source = regroupedModel(guardedModel(model), options.granularity ?? 'token');
	const reply = new ReplyBuilder();
	yield writer.write('start', 'control', '', { model: model.id });
	try {
		for await (const event of source.stream(request, options.signal)) {
			reply.add(event);
			const delta = deltaOf(event);
			if (delta) yield writer.write('delta', ...delta);
		}
	} catch (error) {
		options.signal.throwIfAborted();
		yield writer.write('error', 'control', messageOf(error), errorMeta(error));
		return;
	}
	yield* completion(writer, reply.reply());
}

function deltaOf(event: ModelEvent): [StreamChannel, string, StreamMeta] | undefined {
	switch (event.type) {
		case 'text-delta':
			return ['answer', event.text, {}];
		case 'reasoning-delta':
			return ['thought', event.text, {}];
		case 'tool-call-delta':
			return ['action', event.argumentsDelta, { index: event.index, ...(event.name ? { name: event.name } : {}) }];
		case 'finish':
			return undefined;
	}
}

function* completion(writer: StreamWriter, reply: ModelReply): Generator<StreamMessage> {
	const thought = reply.message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
	if (thought !== '') yield writer.write('complete', 'thought', thought);
	for (const { callId, name, argumentsText } of reply.toolCalls) yield writer.write('complete', 'action', argumentsText, { callId, name });
	const { inputTokens, outputTokens } = reply.usage;
	yield writer.write('complete', 'answer', reply.text, { reason: reply.reason, inputTokens, outputTokens });
}

function errorMeta(error: unknown): StreamMeta {
	if (!isCodedError(error)) return { code: 'INTERNAL', retryable: false };
	return { code: error.code, retryable: error.retryable, ...(error.status === undefined ? {} : { status: error.status }) };
}
