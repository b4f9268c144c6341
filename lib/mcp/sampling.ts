import { CodedError } from '../core/errors';
import type { Message } from '../core/message';
import { collectReply, type ChatModel, type FinishReason, type ModelRequest } from '../core/model';
import type { Sampler } from './server';

const MOST_TOKENS = 4096;

const STOP_REASONS: { readonly [reason in FinishReason]: string } = {
	stop: 'endTurn', length: 'maxTokens', 'tool-calls': 'toolUse', 'content-filter': 'endTurn', other: 'endTurn',
};

/**
 * Lets a server ask the connected model: text only, no tools, at most 4096 tokens each; a session allows 20 such calls.
 *
 * What the server sends is its own: it becomes the whole conversation; nothing of the run is added.
 *
 * @throws CodedError (answered to the server as an error) for pictures and sound
 */
export function samplerFor(model: ChatModel): Sampler {
	return async (params, signal) => {
		const reply = await collectReply(model, toRequest(params), signal);
		return { model: model.id, role: 'assistant', content: { type: 'text', text: reply.text }, stopReason: STOP_REASONS[reply.reason] };
	};
}

function toRequest(params: Record<string, unknown>): ModelRequest {
	const { systemPrompt, temperature, maxTokens, stopSequences } = params;
	const messages = (Array.isArray(params.messages) ? (params.messages as Record<string, unknown>[]) : []).map(toMessage);
	const system: Message[] = typeof systemPrompt === 'string' && systemPrompt !== '' ? [text('system', systemPrompt)] : [];
	return {
		messages: [...system, ...messages],
		maxTokens: typeof maxTokens === 'number' ? Math.min(maxTokens, MOST_TOKENS) : MOST_TOKENS,
		...(typeof temperature === 'number' && { temperature }),
		...(Array.isArray(stopSequences) && { stop: stopSequences.map(String) }),
	};
}

function toMessage(message: Record<string, unknown>): Message {
	const blocks = [message.content].flat() as Record<string, unknown>[];
	const odd = blocks.find((block) => block.type !== 'text');
	if (odd !== undefined) {
		throw new CodedError('BAD_INPUT', `Only text can be put to the model here, not ${String(odd.type)}.`);
	}
	return text(message.role === 'assistant' ? 'assistant' : 'user', blocks.map((block) => String(block.text ?? '')).join('\n'));
}

function text(role: 'system' | 'user' | 'assistant', words: string): Message {
	return { role, parts: [{ type: 'text', text: words }] };
}
