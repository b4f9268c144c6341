import type { Message, Part, ToolCallPart } from './message';

/** JSON Schema as plain JSON; never rebuilt through another schema library. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A tool as a model sees it. */
export interface ToolSpec {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
}

export interface ModelRequest {
	readonly messages: readonly Message[];
	/** Offered tools; absent or [] means that no tool may be called. */
	readonly tools?: readonly ToolSpec[];
	readonly toolChoice?: 'auto' | 'none' | 'required';
	/** Holds the whole reply to this schema where the API can. */
	readonly responseSchema?: JsonSchema;
	/** Texts at which generation stops; an API that ignores them is tolerated by the readers. */
	readonly stop?: readonly string[];
	/** 0..2; absent leaves the model's own default. */
	readonly temperature?: number;
	readonly maxTokens?: number;
	/** Facts for logs and for APIs that keep them; at most 32 keys. */
	readonly metadata?: { readonly [key: string]: string | number | boolean };
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

/** Token counts of one model call; null when the API did not say. */
export interface Usage {
	readonly inputTokens: number | null;
	readonly outputTokens: number | null;
	readonly cachedInputTokens?: number;
}

/**
 * What a model streams. `tool-call-delta`s with the same `index` belong to one call; `callId` and `name` come with the first
 * of them. `finish` comes once, last.
 */
export type ModelEvent =
	| { readonly type: 'text-delta'; readonly text: string }
	| { readonly type: 'reasoning-delta'; readonly text: string }
	| {
			readonly type: 'tool-call-delta';
			readonly index: number;
			readonly callId?: string;
			readonly name?: string;
			readonly argumentsDelta: string;
	  }
	| { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage; readonly notes?: ModelNotes };

/** Plain JSON about how a reply came about (time taken, model chosen), for run data; the loop reads only who spoke (`policy.chosen`). */
export type ModelNotes = { readonly [topic: string]: unknown };

export interface ModelCapabilities {
	/** Does the API take tools? `unknown` is found out at the first call. */
	readonly tools: 'yes' | 'no' | 'unknown';
	readonly responseSchema: 'yes' | 'no' | 'unknown';
	readonly images: 'yes' | 'no' | 'unknown';
}

/**
 * A chat model. `stream` is its only method; a whole reply is a fold over it (`collectReply`).
 *
 * The iterable throws CodedError for what the API or the network did, and stops at once, its socket closed, when the signal
 * aborts or when the reader leaves the loop.
 */
export interface ChatModel {
	/** provider/model, as shown in reports. */
	readonly id: string;
	readonly capabilities: ModelCapabilities;
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A whole model turn. `message` holds reasoning, text and calls in that order, exactly as said. */
export interface ModelReply {
	readonly message: Message;
	readonly text: string;
	readonly toolCalls: readonly ToolCallPart[];
	readonly reason: FinishReason;
	readonly usage: Usage;
	readonly notes?: ModelNotes;
}

interface OpenCall {
	callId: string;
	name: string;
	argumentsText: string;
}

/**
 * Gathers events into a reply; usable for one event at a time (`add`) and at the end (`reply`).
 *
 * Calls keep the order in which their index first appeared. A call without an id gets `call_<n>`, n from 1. A stream without
 * `finish` gives reason `other` and unknown usage.
 */
export class ReplyBuilder {
	private text = '';
	private reasoning = '';
	private readonly calls = new Map<number, OpenCall>();
	private finish: { reason: FinishReason; usage: Usage; notes?: ModelNotes } = {
		reason: 'other',
		usage: { inputTokens: null, outputTokens: null },
	};

	add(event: ModelEvent): void {
		switch (event.type) {
			case 'text-delta':
				this.text += event.text;
				return;
			case 'reasoning-delta':
				this.reasoning += event.text;
				return;
			case 'tool-call-delta':
				this.addCall(event);
				return;
			case 'finish':
				this.finish = { reason: event.reason, usage: event.usage, ...(event.notes && { notes: event.notes }) };
		}
	}

	reply(): ModelReply {
		const toolCalls = [...this.calls.values()].map(
			(call, position): ToolCallPart => ({
				type: 'tool-call',
				callId: call.callId || `call_${position + 1}`,
				name: call.name,
				argumentsText: call.argumentsText,
			}),
		);
		const parts: Part[] = [];
		if (this.reasoning) parts.push({ type: 'reasoning', text: this.reasoning });
		if (this.text) parts.push({ type: 'text', text: this.text });
		parts.push(...toolCalls);
		return { message: { role: 'assistant', parts }, text: this.text, toolCalls, ...this.finish };
	}

	private addCall(event: Extract<ModelEvent, { type: 'tool-call-delta' }>): void {
		const call = this.calls.get(event.index) ?? { callId: '', name: '', argumentsText: '' };
		call.callId ||= event.callId ?? '';
		call.name ||= event.name ?? '';
		call.argumentsText += event.argumentsDelta;
		this.calls.set(event.index, call);
	}
}

/** Runs a model to its end and folds the stream into one reply. Throws what the stream throws. */
export async function collectReply(
	model: ChatModel,
	request: ModelRequest,
	signal: AbortSignal,
): Promise<ModelReply> {
	const builder = new ReplyBuilder();
	for await (const event of model.stream(request, signal)) builder.add(event);
	return builder.reply();
}
