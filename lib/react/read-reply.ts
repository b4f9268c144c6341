import { raise, RetryException } from '../core/errors';
import type { ModelReply } from '../core/model';
import type { Tool } from '../core/tool';
import { callableTools } from './admit-tools';
import type { AgentSetup } from './agent-setup';
import type { AgentState, StoredCallResult, Turn, TurnCall } from './agent-state';
import { callKey, inputKey } from './call-key';
import { retry } from './corrections';
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
	/** Why the answer is not whole, when its end is missing. */
	readonly cut?: string;
}

/** Reads a whole reply in the run's protocol. What cannot be used becomes a turn with a correction for the model. */
export function readReply(setup: AgentSetup, state: AgentState, reply: ModelReply): ReadReply {
	try {
		return state.protocol === 'native' ? readNative(setup, state, reply) : readWritten(setup, state, reply);
	} catch (error) {
		if (!(error instanceof RetryException)) return raise(error);
		return { turn: { message: reply.message, thought: '', calls: [], correction: error.texts[setup.language] } };
	}
}

function readNative(setup: AgentSetup, state: AgentState, reply: ModelReply): ReadReply {
	const { text } = splitReasoning(reply.text);
	const message = withoutToolCalls(state, reply);
	if (reply.toolCalls.length === 0 || state.ending) {
		if (text.trim() === '') throw retry('emptyReply');
		return { turn: { message, thought: '', calls: [] }, answer: text.trim(), ...cutOf(reply) };
	}
	const calls = reply.toolCalls.map(({ callId, name, argumentsText }) =>
		toTurnCall(setup, state, { callId, name, argumentsText }),
	);
	return { turn: { message, thought: text.trim(), calls: sameOnce(withUniqueIds(state, calls)) } };
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
	if (parsed.kind === 'answer') {
		return { turn: { message: reply.message, thought, calls: [] }, answer: parsed.answer, ...cutOf(reply) };
	}
	if (state.ending) throw retry('toolsOver');
	const calls = parsed.calls.map(({ name, argumentsText }, position) =>
		toTurnCall(setup, state, { callId: `t${state.turns.length + 1}c${position + 1}`, name, argumentsText }),
	);
	const message = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: parsed.kept.trim() }] };
	return { turn: { message, thought, calls: sameOnce(calls) } };
}

/** What is offered, then what is hidden: asking for a hidden tool by name is enough. */
function nameableTools(setup: AgentSetup, state: AgentState): Tool[] {
	const offered = offeredTools(setup, state);
	return setup.hidden ? [...new Set([...offered, ...callableTools(setup)])] : [...offered];
}

function cutOf({ reason }: ModelReply): { readonly cut?: string } {
	if (reason === 'length') return { cut: 'The answer was cut off at the token limit of the model.' };
	return reason === 'content-filter' ? { cut: 'The answer was cut off by the content filter of the model.' } : {};
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
	const prepared = prepareCall(nameableTools(setup, state), call, setup.language);
	if (!prepared.ok) return { callId, name: call.name, result: { isError: true, durationMs: null, text: prepared.message } };
	const { name } = prepared;
	const before = earlierResult(setup, state, { name, key: inputKey(prepared.input) });
	const result: StoredCallResult | undefined = before && { ...before, repeated: true, durationMs: null };
	return { callId, name, input: prepared.input, ...(result && { result }) };
}

/**
 * The result of the same call before, also in a branch that was given up, so that no effect comes twice. A failed call may be made
 * again, but not one that a person refused. What a tool that only reads gave is forgotten once another one may have changed it.
 */
function earlierResult(setup: AgentSetup, state: AgentState, { name, key }: { name: string; key: string }): StoredCallResult | undefined {
	const readsOnly = isReadOnly(setup, name);
	let changedSince = false;
	for (const call of newestFirst(state)) {
		if (!call.result) continue;
		if (call.input && call.name === name && inputKey(call.input) === key) return changedSince ? undefined : repeatable(call);
		changedSince ||= readsOnly && !isReadOnly(setup, call.name);
	}
	return undefined;
}

function newestFirst({ turns }: AgentState): TurnCall[] {
	const calls: TurnCall[] = [];
	for (let at = turns.length - 1; at >= 0; at--) {
		const ofTurn = turns[at]?.calls ?? [];
		for (let position = ofTurn.length - 1; position >= 0; position--) calls.push(ofTurn[position] as TurnCall);
	}
	return calls;
}

function repeatable({ result, decision }: TurnCall): StoredCallResult | undefined {
	return result?.isError && decision?.approved !== false ? undefined : result;
}

function isReadOnly(setup: AgentSetup, name: string): boolean {
	return callableTools(setup).find((tool) => tool.name === name)?.annotations?.readOnly === true;
}

/** The same call twice in one turn is made once: a second effect is never what was meant. */
function sameOnce(calls: readonly TurnCall[]): TurnCall[] {
	const first = new Map<string, string>();
	return calls.map((call) => {
		if (!call.input || call.result) return call;
		const key = callKey(call.name, call.input);
		const sameAs = first.get(key);
		if (sameAs !== undefined) return { ...call, sameAs };
		first.set(key, call.callId);
		return call;
	});
}

/** Some servers give the same id again and again; results, and handles of results, must find their own call. */
function withUniqueIds({ turns }: AgentState, calls: readonly TurnCall[]): TurnCall[] {
	const taken = new Set(turns.flatMap((turn) => turn.calls.map(({ callId }) => callId)));
	return calls.map((call) => {
		let callId = call.callId;
		for (let number = 2; taken.has(callId); number++) callId = `${call.callId}_${number}`;
		taken.add(callId);
		return callId === call.callId ? call : { ...call, callId, wireId: call.callId };
	});
}
