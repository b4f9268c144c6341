import { CodedError } from '../core/errors';
import type { ChatModel, FinishReason, ModelEvent, ModelRequest, Usage } from '../core/model';
import { asRecord } from './as-record';
import { textOfContent, toDicts } from './langchain-messages';

interface LangChainModel {
	readonly model?: unknown;
	readonly modelName?: unknown;
	bindTools?(tools: object[]): LangChainModel;
	stream(messages: object[], options: { signal: AbortSignal; stop?: readonly string[] }): Promise<AsyncIterable<Chunk>>;
}

interface Chunk {
	readonly content?: unknown;
	readonly tool_call_chunks?: ReadonlyArray<{ index?: number; id?: string; name?: string; args?: string }>;
	readonly usage_metadata?: { input_tokens?: number; output_tokens?: number };
	readonly response_metadata?: Record<string, unknown>;
}

/**
 * One of n8n's own chat models as a core model. It logs itself on the canvas. Arguments are what it streamed, unparsed.
 *
 * @throws BAD_INPUT when the object has no chat model's shape
 */
export function foreignModel(supplied: unknown): ChatModel {
	if (!isLangChainModel(supplied)) {
		throw new CodedError('BAD_INPUT', 'What is connected to the Model input is not a chat model', {
			remedy: 'Connect the Chat Model node or one of n8n\'s chat models.',
		});
	}
	const name = supplied.modelName ?? supplied.model ?? supplied.constructor.name;
	const canCall = supplied.bindTools === undefined ? 'no' : 'unknown';
	return {
		id: `n8n/${String(name)}`,
		capabilities: { tools: canCall, responseSchema: 'no', images: 'unknown' },
		stream: (request, signal) => streamForeign(supplied, request, signal),
	};
}

function isLangChainModel(supplied: unknown): supplied is LangChainModel {
	return typeof supplied === 'object' && supplied !== null && 'stream' in supplied && 'invoke' in supplied;
}

async function* streamForeign(
	model: LangChainModel,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const tools = (request.tools ?? []).map(({ name, description, inputSchema }) => ({
		type: 'function',
		function: { name, description, parameters: inputSchema },
	}));
	const bound = tools.length > 0 && model.bindTools ? model.bindTools(tools) : model;
	const progress: Progress = { usage: { inputTokens: null, outputTokens: null }, calls: [], reason: 'stop' };
	for await (const chunk of await bound.stream(toDicts(request.messages), { signal, stop: request.stop })) {
		yield* eventsOf(chunk, progress);
	}
	yield { type: 'finish', reason: progress.calls.length > 0 ? 'tool-calls' : progress.reason, usage: progress.usage };
}

interface Progress {
	usage: Usage;
	/** Ids seen, in order; '' for calls that came without one. */
	calls: string[];
	reason: FinishReason;
}

function* eventsOf(chunk: Chunk, progress: Progress): Generator<ModelEvent> {
	const text = textOfContent(chunk.content);
	if (text !== '') yield { type: 'text-delta', text };
	for (const call of chunk.tool_call_chunks ?? []) {
		const index = callIndex(call, progress);
		yield {
			type: 'tool-call-delta',
			index,
			...(call.id && { callId: call.id }),
			...(call.name && { name: call.name }),
			argumentsDelta: call.args ?? '',
		};
	}
	addUsage(chunk, progress);
	if (asRecord(chunk.response_metadata).finish_reason === 'length') progress.reason = 'length';
}

/** By id when there is one, since some providers give index 0 to all calls; a piece without id belongs to the last call. */
function callIndex(call: { id?: string; index?: number }, progress: Progress): number {
	if (!call.id) {
		if (progress.calls.length === 0) progress.calls.push('');
		return Math.min(call.index ?? Infinity, progress.calls.length - 1);
	}
	const known = progress.calls.indexOf(call.id);
	return known >= 0 ? known : progress.calls.push(call.id) - 1;
}

function addUsage({ usage_metadata: usage }: Chunk, progress: Progress): void {
	if (!usage) return;
	progress.usage = {
		inputTokens: usage.input_tokens ?? progress.usage.inputTokens,
		outputTokens: usage.output_tokens ?? progress.usage.outputTokens,
	};
}
