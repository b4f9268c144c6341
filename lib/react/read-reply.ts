import { raise, RetryException } from '../core/errors';
import type { ModelReply } from '../core/model';
import type { Tool } from '../core/tool';
import { callableTools } from './admit-tools';
import type { AgentSetup } from './agent-setup';
import { liveTurns, type AgentState, type StoredCallResult, type Turn, type TurnCall } from './agent-state';
import { callKey } from './call-key';
import { offeredTools } from './format-request';
import { parseStep } from './json-protocol';
import { parseReply } from './output-parser';
import { prepareCall } from './prepare-call';
import { splitReasoning } from './split-reasoning';

export type ReadTurn = Omit<Turn, 'usage' | 'durationMs'>;

/** A reply as a turn; `answer` is set when it is the final one. */
export interface ReadReply {
	readonly turn: ReadTurn;
	readonly answer?: string;
}

/** Reads a whole reply in the run's protocol. What cannot be used becomes a turn with a correction for the model. */
export function readReply(setup: AgentSetup, state: AgentState, reply: ModelReply): ReadReply {
	try {
		return state.protocol === 'native' ? readNative(setup, state, reply) : readWritten(setup, state, reply);
	} catch (error) {
		if (!(error instanceof RetryException)) return raise(error);
		return { turn: { message: reply.message, thought: '', calls: [], correction: error.message } };
	}
}

function readNative(setup: AgentSetup, state: AgentState, reply: ModelReply): ReadReply {
	const { text } = splitReasoning(reply.text);
	const message = withoutToolCalls(state, reply);
	if (reply.toolCalls.length === 0 || state.ending) {
		if (text.trim() === '') throw new RetryException('Your reply was empty. Call a tool or give your answer.');
		return { turn: { message, thought: '', calls: [] }, answer: text.trim() };
	}
	const calls = reply.toolCalls.map(({ callId, name, argumentsText }) =>
		toTurnCall(setup, state, { callId, name, argumentsText }),
	);
	return { turn: { message, thought: text.trim(), calls: withUniqueIds(calls) } };
}

/** At a forced end calls are not answered any more, so they must not stand in the history. */
function withoutToolCalls(state: AgentState, { message }: ModelReply): Turn['message'] {
	if (!state.ending) return message;
	return { ...message, parts: message.parts.filter(({ type }) => type !== 'tool-call') };
}

function readWritten(setup: AgentSetup, state: AgentState, reply: ModelReply): ReadReply {
	const tools = nameableTools(setup, state);
	const parsed =
		state.protocol === 'json' ? parseStep(splitReasoning(reply.text).text) : parseReply(reply.text, namesOf(tools));
	const { thought } = parsed;
	if (parsed.kind === 'answer') return { turn: { message: reply.message, thought, calls: [] }, answer: parsed.answer };
	if (state.ending) throw new RetryException('Tools are no longer available. Give your answer.');
	const calls = parsed.calls.map(({ name, argumentsText }, position) =>
		toTurnCall(setup, state, { callId: `t${state.turns.length + 1}c${position + 1}`, name, argumentsText }),
	);
	const message = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: parsed.kept.trim() }] };
	return { turn: { message, thought, calls } };
}

/** What is offered, then what is hidden: asking for a hidden tool by name is enough. */
function nameableTools(setup: AgentSetup, state: AgentState): Tool[] {
	return [...new Set([...offeredTools(setup, state), ...callableTools(setup)])];
}

function namesOf(tools: readonly Tool[]): ReadonlySet<string> {
	return new Set(tools.map(({ name }) => name));
}

/** A call ready to run, blocked with words for the model, or answered from the same call before. */
function toTurnCall(
	setup: AgentSetup,
	state: AgentState,
	call: { readonly callId: string; readonly name: string; readonly argumentsText: string },
): TurnCall {
	const { callId } = call;
	const prepared = prepareCall(nameableTools(setup, state), call.name, call.argumentsText);
	if (!prepared.ok) return { callId, name: call.name, result: { isError: true, durationMs: null, text: prepared.message } };
	const { name } = prepared;
	const before = earlierResult(state, callKey(name, prepared.input));
	const result: StoredCallResult | undefined = before && { ...before, repeated: true, durationMs: null };
	return { callId, name, input: prepared.input, ...(result && { result }) };
}

function earlierResult(state: AgentState, key: string): StoredCallResult | undefined {
	const calls = liveTurns(state).flatMap((turn) => turn.calls);
	return calls.findLast(({ name, input, result }) => input && result && callKey(name, input) === key)?.result;
}

/** Some servers give two calls of one turn the same id; results must find their own call. */
function withUniqueIds(calls: readonly TurnCall[]): TurnCall[] {
	const seen = new Map<string, number>();
	return calls.map((call) => {
		const count = (seen.get(call.callId) ?? 0) + 1;
		seen.set(call.callId, count);
		return count === 1 ? call : { ...call, callId: `${call.callId}_${count}` };
	});
}
