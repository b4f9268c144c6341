import { isCodedError, messageOf, raise, RetryException } from '../core/errors';
import { ReplyBuilder, type ChatModel, type ModelReply, type ModelRequest } from '../core/model';
import type { RunEvent } from '../core/run';
import type { AgentSetup } from './agent-setup';
import type { AgentState, Turn, TurnCall } from './agent-state';
import { formatRequest, offeredTools } from './format-request';
import { parseReply } from './output-parser';
import { prepareCall } from './prepare-call';
import { splitReasoning } from './split-reasoning';
import { readBase } from './start-run';

/** What one turn of the model came to; the turn is already in `state`, except for an answer that was empty or cut. */
export interface StepTaken {
	readonly state: AgentState;
	readonly turn: Turn;
	/** Set when the turn is the final answer. */
	readonly answer?: string;
}

/**
 * One turn: format → call → read → answer, calls, or a correction for the model.
 *
 * Inside only RetryException exists for a reply that cannot be used; it becomes the turn's correction. What the model's API
 * or the network did is thrown as CodedError: the caller ends the run with it.
 */
export async function* takeStep(setup: AgentSetup, state: AgentState): AsyncGenerator<RunEvent, StepTaken> {
	const began = setup.ports.clock.now();
	const step = state.turns.length + 1;
	yield { type: 'step-start', step };
	const called = yield* callModel(setup, state);
	const { reply } = called;
	const read = readReply(setup, called.state, reply);
	const turn: Turn = {
		...read.turn,
		usage: {
			in: reply.usage.inputTokens,
			out: reply.usage.outputTokens,
			...(reply.usage.cachedInputTokens !== undefined && { cached: reply.usage.cachedInputTokens }),
		},
		durationMs: setup.ports.clock.now() - began,
	};
	if (turn.correction !== undefined) yield { type: 'correction', step, message: turn.correction };
	return { state: { ...called.state, turns: [...called.state.turns, turn] }, turn, answer: read.answer };
}

interface Called {
	readonly state: AgentState;
	readonly reply: ModelReply;
}

/** Calls the model; falls back once to the text protocol where tools are refused, and to the fallback model on an outage. */
async function* callModel(setup: AgentSetup, state: AgentState): AsyncGenerator<RunEvent, Called> {
	try {
		return yield* streamReply(setup, state, setup.model);
	} catch (error) {
		const failure = isCodedError(error) ? error : undefined;
		if (failure?.reason === 'tools-unsupported' && state.protocol === 'native' && setup.protocol === 'auto') {
			const warning = `${setup.model.id} does not take tools; the text protocol was used instead.`;
			return yield* callModel(setup, { ...state, protocol: 'text', warnings: [...state.warnings, warning] });
		}
		if (!failure?.retryable || !setup.fallbackModel) return raise(error);
		const warning = `${setup.model.id} failed (${messageOf(error)}); ${setup.fallbackModel.id} took over.`;
		return yield* streamReply(setup, { ...state, warnings: [...state.warnings, warning] }, setup.fallbackModel);
	}
}

async function* streamReply(
	setup: AgentSetup,
	state: AgentState,
	model: ChatModel,
): AsyncGenerator<RunEvent, Called> {
	const request: ModelRequest = await formatRequest(setup, state, await readBase(setup, state));
	const step = state.turns.length + 1;
	const builder = new ReplyBuilder();
	let { firstTokenMs } = state;
	for await (const event of model.stream(request, setup.signal)) {
		firstTokenMs ??= setup.ports.clock.now() - state.startedAt;
		builder.add(event);
		if (event.type === 'text-delta') yield { type: 'text-delta', step, text: event.text };
		if (event.type === 'reasoning-delta') yield { type: 'reasoning-delta', step, text: event.text };
	}
	const models = [...new Set([...state.models, model.id])];
	return { state: { ...state, firstTokenMs, models }, reply: builder.reply() };
}

type Read = { readonly turn: Omit<Turn, 'usage' | 'durationMs'>; readonly answer?: string };

function readReply(setup: AgentSetup, state: AgentState, reply: ModelReply): Read {
	try {
		return state.protocol === 'text' ? readText(setup, state, reply) : readNative(setup, state, reply);
	} catch (error) {
		if (!(error instanceof RetryException)) return raise(error);
		return { turn: { message: reply.message, thought: '', calls: [], correction: error.message } };
	}
}

function readNative(setup: AgentSetup, state: AgentState, reply: ModelReply): Read {
	const { text } = splitReasoning(reply.text);
	if (reply.toolCalls.length === 0 || state.ending) {
		if (text.trim() === '') throw new RetryException('Your reply was empty. Call a tool or give your answer.');
		return { turn: { message: reply.message, thought: '', calls: [] }, answer: text.trim() };
	}
	const tools = offeredTools(setup, state);
	const calls = reply.toolCalls.map(({ callId, name, argumentsText }) =>
		toTurnCall({ callId, name }, prepareCall(tools, name, argumentsText)),
	);
	return { turn: { message: reply.message, thought: text.trim(), calls } };
}

function readText(setup: AgentSetup, state: AgentState, reply: ModelReply): Read {
	const tools = offeredTools(setup, state);
	const parsed = parseReply(reply.text, new Set(tools.map(({ name }) => name)));
	if (parsed.kind === 'answer') {
		return { turn: { message: reply.message, thought: parsed.thought, calls: [] }, answer: parsed.answer };
	}
	if (state.ending) throw new RetryException('Tools are no longer available. Write "Answer:" with your answer.');
	const kept = parsed.kept.trim();
	const calls = parsed.calls.map(({ name, argumentsText }, position) => {
		const callId = `t${state.turns.length + 1}c${position + 1}`;
		return toTurnCall({ callId, name }, prepareCall(tools, name, argumentsText));
	});
	const message = { role: 'assistant' as const, parts: [{ type: 'text' as const, text: kept }] };
	return { turn: { message, thought: parsed.thought, calls } };
}

function toTurnCall(
	call: { callId: string; name: string },
	prepared: ReturnType<typeof prepareCall>,
): TurnCall {
	if (prepared.ok) return { ...call, input: prepared.input };
	return { ...call, result: { isError: true, durationMs: null, text: prepared.message } };
}
