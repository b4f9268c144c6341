import { CodedError } from '../../core/errors';
import { textOf } from '../../core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../core/model';
import type { Ports } from '../../core/ports';
import { modelHost } from '../../inference/model-host-client';
import { findLanguageModel } from '../../inference/find-typed';
import { lockModel } from '../../inference/lock-model';
import { DTYPE_SUFFIX, type Dtype, type GenerateSpec } from '../../inference/protocol';
import type { ChatSettings } from '../settings';
import { StreamReader } from '../stream-reader';
import { toMessages, toTools } from './to-messages';
import { TagReader } from './tag-reader';

/**
 * A language model that runs on this machine, in the process of the local models. Its files are looked for at the first call.
 *
 * Pictures cannot be sent, and a schema is not held. Its stream throws CodedError BAD_INPUT when the model is missing or of another
 * kind, or takes no tools (reason `tools-unsupported`).
 */
export function makeChatModel(settings: ChatSettings, ports: Ports): ChatModel {
	const dtype = dtypeOf(settings.dtype);
	return {
		id: `local/${settings.model}@${dtype}`,
		capabilities: { tools: 'unknown', responseSchema: 'no', images: 'no' },
		stream: (request, signal) => stream({ settings, dtype, ports }, request, signal),
	};
}

interface LocalModel {
	readonly settings: ChatSettings;
	readonly dtype: Dtype;
	readonly ports: Ports;
}

async function* stream({ settings, dtype, ports }: LocalModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	const folder = findLanguageModel(settings.model, dtype);
	const { who } = settings;
	if (who) await lockModel({ folder, dtype, who }, ports);
	const reader = new StreamReader(() => `call_${ports.ids()}`);
	const tags = new TagReader();
	const stops = new StopText(request.stop ?? []);
	const call = { model: { folder, dtype, pooling: 'mean' as const }, spec: specOf(request, settings), signal, who };
	for await (const reply of modelHost('auto').generate(call)) {
		// What is already there of a reply that nobody wants any more is not given.
		signal.throwIfAborted();
		if (reply.type === 'generated') {
			for (const delta of [...tags.add(stops.end()), ...tags.end()]) yield* reader.add(delta);
			yield* reader.add({ finishReason: reply.reason, usage: { inputTokens: reply.inputTokens, outputTokens: reply.outputTokens } });
			continue;
		}
		const { text, isStopped } = stops.add(reply.text);
		for (const delta of tags.add(text)) yield* reader.add(delta);
		if (!isStopped) continue;
		for (const delta of tags.end()) yield* reader.add(delta);
		yield* reader.add({ finishReason: 'stop' });
		break;
	}
	signal.throwIfAborted();
	yield* reader.end();
}

function specOf(request: ModelRequest, settings: ChatSettings): GenerateSpec {
	const temperature = request.temperature ?? settings.temperature;
	const maxTokens = request.maxTokens ?? settings.maxTokens;
	return {
		messages: toMessages(request.messages.filter((message) => message.role !== 'system' || textOf(message) !== '')),
		tools: toTools(request),
		...(temperature === undefined ? {} : { temperature }),
		...(maxTokens === undefined ? {} : { maxTokens }),
	};
}

function dtypeOf(name = 'q4'): Dtype {
	if (Object.hasOwn(DTYPE_SUFFIX, name)) return name as Dtype;
	throw new CodedError('BAD_INPUT', `"${name}" is not a data type of local models`, {
		remedy: `Choose one of ${Object.keys(DTYPE_SUFFIX).join(', ')}.`,
	});
}

/** Ends a text at the first of some stop texts, which is not part of it; holds back what may begin one. */
export class StopText {
	private held = '';

	constructor(private readonly stops: readonly string[]) {}

	add(piece: string): { text: string; isStopped: boolean } {
		const text = this.held + piece;
		const at = Math.min(...this.stops.map((stop) => text.indexOf(stop)).filter((found) => found >= 0), Infinity);
		if (at < Infinity) return { text: text.slice(0, at), isStopped: true };
		let hold = 0;
		for (const stop of this.stops) {
			for (let length = Math.min(stop.length - 1, text.length); length > hold; length -= 1) {
				if (stop.startsWith(text.slice(-length))) hold = length;
			}
		}
		this.held = text.slice(text.length - hold);
		return { text: text.slice(0, text.length - hold), isStopped: false };
	}

	end(): string {
		return this.held;
	}
}
