import type { Message, Part } from '../core/message';
import { textOf, toolCallsOf } from '../core/message';
import { liveTurns, type AgentState, type Turn, type TurnCall } from './agent-state';

/**
 * A run as one turn of a conversation: the question, the calls that ran with what the model read first of their results, and the
 * answer. What was given up, blocked or corrected is left out, and the protocol does not show: calls are calls.
 */
export function rememberedTurn(state: AgentState, { query, answer }: { query: string; answer: string }): Message[] {
	return [said('user', query), ...liveTurns(state).flatMap(exchange), said('assistant', answer)];
}

function said(role: 'user' | 'assistant', text: string): Message {
	return { role, parts: [{ type: 'text', text }] };
}

function exchange({ message, calls, correction }: Turn): Message[] {
	const ran = calls.filter(({ input, result }) => input && result);
	if (correction !== undefined || ran.length === 0) return [];
	const isNative = toolCallsOf(message).length > 0;
	const beside: Part[] = isNative && textOf(message).trim() !== '' ? [{ type: 'text', text: textOf(message) }] : [];
	return [
		{ role: 'assistant', parts: [...beside, ...ran.map(callPart)] },
		{ role: 'tool', parts: ran.map(resultPart) },
	];
}

function callPart({ callId, name, input }: TurnCall): Part {
	return { type: 'tool-call', callId, name, argumentsText: JSON.stringify(input) };
}

function resultPart({ callId, name, result }: TurnCall): Part {
	const text = result?.handle ? `${result.text}…` : (result?.text ?? '');
	return { type: 'tool-result', callId, name, text, isError: result?.isError ?? false };
}
