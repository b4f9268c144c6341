import { isCodedError, messageOf, raise } from '../core/errors';
import { ReplyBuilder, type ChatModel, type ModelReply, type ModelRequest } from '../core/model';
import type { RunEvent } from '../core/run';
import type { AgentSetup } from './agent-setup';
import { stepAtWork, type AgentState, type Turn } from './agent-state';
import { formatRequest } from './format-request';
import { promptsIn } from './prompts';
import { rememberRefusal } from './protocol';
import { readReply } from './read-reply';
import { readBase } from './start-run';

/** What one turn of the model came to; the turn is already in `state`, except for an answer that was empty or cut. */
export interface StepTaken {
	readonly state: AgentState;
	readonly turn: Turn;
	/** Set when the turn is the final answer. */
	readonly answer?: string;
	/** The end of the answer is missing. */
	readonly isCut: boolean;
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
	const called = yield* callModel(setup, state);
	const { reply } = called;
	const planStep = stepAtWork(state);
	const read = readReply(setup, called.state, reply);
	const turn: Turn = {
		...read.turn,
		usage: {
			in: reply.usage.inputTokens,
			out: reply.usage.outputTokens,
			...(reply.usage.cachedInputTokens !== undefined && { cached: reply.usage.cachedInputTokens }),
		},
		model: called.model,
		...(planStep !== undefined && { planStep }),
		durationMs: setup.ports.clock.now() - began,
	};
	if (turn.correction !== undefined) yield { type: 'correction', step, message: turn.correction };
	const warnings = read.cut ? [...called.state.warnings, read.cut] : called.state.warnings;
	const after = { ...called.state, warnings, turns: [...called.state.turns, turn] };
	return { state: after, turn, answer: read.answer, isCut: read.cut !== undefined };
}

interface Called {
	readonly state: AgentState;
	readonly reply: ModelReply;
	/** Who gave it. */
	readonly model: string;
}

/** Calls the model; where the API refuses tools or schemas, once more in a protocol that it takes; on an outage the fallback model. */
async function* callModel(setup: AgentSetup, state: AgentState): AsyncGenerator<RunEvent, Called> {
	try {
		return yield* streamReply(setup, state, setup.model);
	} catch (error) {
		const failure = isCodedError(error) ? error : undefined;
		const other = failure && rememberRefusal(setup, state.protocol, failure.reason);
		if (other) {
			const warning = `${setup.model.id} does not take ${other.refused}; the ${other.protocol} protocol was used instead.`;
			return yield* callModel(setup, { ...state, protocol: other.protocol, warnings: [...state.warnings, warning] });
		}
		if (!failure?.retryable || !setup.fallbackModel) return raise(error);
		const warning = `${setup.model.id} failed (${messageOf(error)}); ${setup.fallbackModel.id} took over.`;
		yield { type: 'restart', step: state.turns.length + 1, notice: promptsIn(setup.language).restarted };
		const { fallbackModel, ...others } = setup;
		return yield* callModel({ ...others, model: fallbackModel }, { ...state, warnings: [...state.warnings, warning] });
	}
}

async function* streamReply(
	setup: AgentSetup,
	state: AgentState,
	model: ChatModel,
): AsyncGenerator<RunEvent, Called> {
	const request: ModelRequest = await formatRequest(setup, state, await readBase(setup, state));
	const step = state.turns.length + 1;
	const planStep = stepAtWork(state);
	yield { type: 'step-start', step, protocol: state.protocol, ...(planStep !== undefined && { planStep }) };
	const builder = new ReplyBuilder();
	let { firstTokenMs } = state;
	for await (const event of model.stream(request, setup.signal)) {
		firstTokenMs ??= setup.ports.clock.now() - state.startedAt;
		builder.add(event);
		if (event.type === 'text-delta') yield { type: 'text-delta', step, text: event.text };
		if (event.type === 'reasoning-delta') yield { type: 'reasoning-delta', step, text: event.text };
	}
	const reply = builder.reply();
	const spoke = speakerOf(reply) ?? model.id;
	const models = [...new Set([...state.models, spoke])];
	return { state: { ...state, firstTokenMs, models }, reply, model: spoke };
}

/** Behind a policy each reply may come from another model, at its own price. */
export function speakerOf({ notes }: Pick<ModelReply, 'notes'>): string | undefined {
	const chosen: unknown = (notes?.policy as { chosen?: unknown } | undefined)?.chosen;
	return typeof chosen === 'string' && chosen !== '' ? chosen : undefined;
}
