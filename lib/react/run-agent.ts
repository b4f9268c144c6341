/**
 * The ReAct loop, written once. It can be drained in one go (`runCalls` given) or suspended between steps: then it returns the
 * open calls, somebody else runs them, `observe` takes the results in, and `runAgent` goes on from the state.
 *
 * In: a setup (model, tools, caps) and a state. Out: run events, and how it ended or what it waits for. It knows nothing of
 * n8n, providers or storage.
 */
import { CodedError, isCodedError, messageOf } from '../core/errors';
import type { RunEvent, StoppedBy } from '../core/run';
import type { ToolResult } from '../core/tool';
import { withoutMarks } from '../text/fence';
import { admitForThought } from './admit-tools';
import type { AgentSetup } from './agent-setup';
import { openCalls, stepAtWork, withResults, type AgentState, type OpenCall } from './agent-state';
import { backtrack, forceEnd, injectThought } from './backtrack';
import { judge } from './finalizer';
import { endStep, giveUpStep, isPlanning, planTurn } from './follow-plan';
import { needsDecision } from './approval';
import { observe } from './observe';
import { promptsIn } from './prompts';
import { READ_RESULT, readResult } from './read-result';
import { stopWhen, type Stop } from './stop-when';
import { takeStep } from './take-step';

export type AgentOutcome =
	| { readonly kind: 'suspended'; readonly state: AgentState; readonly calls: readonly OpenCall[] }
	| { readonly kind: 'ended'; readonly state: AgentState; readonly end: AgentEnd };

export interface AgentEnd {
	readonly stoppedBy: StoppedBy;
	readonly partial: boolean;
	/** '' when the run failed or was stopped at a cap without an answer. */
	readonly answer: string;
	/** The answer as an object, when a structured one was asked for. */
	readonly value?: unknown;
	readonly error?: CodedError;
}

/** Runs the calls of one turn; the state tells what is left of the budget. */
export type RunCalls = (calls: readonly OpenCall[], state: AgentState) => Promise<readonly ToolResult[]>;

/** Goes on from a state until the end, or until calls are open and no `runCalls` is given. Never throws for a run's fault. */
export async function* runAgent(
	setup: AgentSetup,
	given: AgentState,
	runCalls?: RunCalls,
): AsyncGenerator<RunEvent, AgentOutcome> {
	const began = setup.ports.clock.now();
	let state = given;
	const spent = (): number => given.spentMs + setup.ports.clock.now() - began;
	const now = (): AgentState => ({ ...state, spentMs: spent() });
	try {
		for (;;) {
			setup.signal.throwIfAborted();
			state = yield* closeCalls(setup, state, runCalls);
			const calls = openCalls(state);
			if (calls.length > 0) return { kind: 'suspended', state: now(), calls };
			const stop = stopWhen(setup, state, spent());
			if (stop && setup.atLimit === 'fail') return ended(now(), atLimit(stop));
			state = stop ? { ...state, ending: stop } : await correctCourse(setup, state);
			if (isPlanning(state)) {
				state = yield* planTurn(setup, state);
				continue;
			}
			const step = yield* takeStep(setup, state);
			state = step.state;
			if (step.answer !== undefined && stepAtWork(state) !== undefined) {
				state = await endStep(setup, state, withoutMarks(state.mark, step.answer));
				continue;
			}
			const answer = step.answer === undefined ? undefined : await readAnswer(setup, state, { answer: withoutMarks(state.mark, step.answer), isCut: step.isCut });
			if (answer?.end) return ended(now(), answer.end);
			if (answer) state = answer.state;
			if (state.ending) return ended(now(), atLimit(state.ending));
		}
	} catch (error) {
		return ended(now(), failed(setup, error));
	}
}

/** What the finalizer asks for before the next turn. */
async function correctCourse(setup: AgentSetup, state: AgentState): Promise<AgentState> {
	if (state.ending) return state;
	const verdict = judge(setup, state);
	switch (verdict.kind) {
		case 'go':
			return state;
		case 'inject':
			return await admitForThought(setup, injectThought(setup, state, verdict.fault));
		case 'backtrack':
			return await admitForThought(setup, backtrack(setup, state, verdict));
		case 'force':
			return stepAtWork(state) === undefined ? forceEnd(setup, state, verdict.fault) : await giveUpStep(setup, state, verdict.fault);
	}
}

/** Answers what can be answered here: `read_result`, and with `runCalls` all the rest. */
async function* closeCalls(
	setup: AgentSetup,
	given: AgentState,
	runCalls?: RunCalls,
): AsyncGenerator<RunEvent, AgentState> {
	let state = given;
	const step = state.turns.length;
	const isOurs = !setup.tools.some(({ name }) => name === READ_RESULT);
	for (const call of openCalls(state).filter(({ name }) => isOurs && name === READ_RESULT)) {
		state = withResults(state, new Map([[call.callId, await readResult(setup, state, call)]]));
	}
	const calls = openCalls(state);
	if (!runCalls || calls.length === 0) return state;
	const free = calls.filter((call) => !needsDecision(setup, call));
	for (const { callId, name, input } of free) yield { type: 'tool-call', step, callId, name, input };
	const refused = calls.filter((call) => !free.includes(call)).map(({ callId, name }) => cannotAsk(setup, { callId, name }));
	const results = [...(await runCalls(free, state)), ...refused];
	for (const result of results) yield { type: 'tool-result', step, result };
	return await observe(setup, state, results);
}

interface AnswerRead {
	readonly state: AgentState;
	/** Absent when the model is to answer once more. */
	readonly end?: AgentEnd;
}

/** The end that an answer makes. A structured one that does not fit is sent back once, with what is wrong. */
async function readAnswer(
	setup: AgentSetup,
	state: AgentState,
	{ answer, isCut }: { answer: string; isCut: boolean },
): Promise<AnswerRead> {
	const how = state.ending ? { stoppedBy: state.ending.stoppedBy, partial: true } : { stoppedBy: 'answer' as const, partial: isCut };
	const read = await setup.output?.read(answer);
	if (!read) return { state, end: { ...how, answer } };
	if (read.ok) return { state, end: { ...how, answer, value: read.value } };
	const last = state.turns.at(-1);
	if (!last || state.ending || state.turns.some(({ rejected }) => rejected)) return { state, end: unfit(answer, read.problem) };
	const turns = [...state.turns.slice(0, -1), { ...last, correction: read.problem, rejected: true }];
	return { state: { ...state, turns } };
}

function unfit(answer: string, problem: string): AgentEnd {
	const error = new CodedError('UPSTREAM', `The answer is not what was asked for: ${problem}`, {
		remedy: 'Make the schema simpler, say in the Instructions what the fields mean, or use a stronger model. The raw answer is in the run.',
	});
	return { stoppedBy: 'error', partial: true, answer, error };
}

/** In direct mode nobody can be asked. */
function cannotAsk(setup: AgentSetup, call: { readonly callId: string; readonly name: string }): ToolResult {
	return { ...call, text: promptsIn(setup.language).cannotAsk, isError: true, durationMs: null };
}

function ended(state: AgentState, end: AgentEnd): AgentOutcome {
	return { kind: 'ended', state, end };
}


function atLimit(stop: { stoppedBy: StoppedBy; reason: string }): AgentEnd {
	const stoppedBy = stop.stoppedBy === 'forced-answer' ? 'no-progress' : stop.stoppedBy;
	const error = new CodedError('RESOURCE_LIMIT', `The agent stopped without an answer: ${stop.reason}`, {
		remedy: REMEDIES[stoppedBy as keyof typeof REMEDIES],
	});
	return { stoppedBy, partial: true, answer: '', error };
}

const REMEDIES: Readonly<Record<Stop['stoppedBy'] | 'no-progress', string>> = {
	'step-limit': 'Look at the steps of this run. Raise Max Steps, give fewer or clearer tools, or set When a Limit Is Reached to answer with what is known.',
	time: 'Look at which step took long. Raise Max Seconds or use a faster model.',
	budget: 'Raise Max Tokens, put a Tool Router or a Contextual Compressor before the agent, or use a shorter history.',
	'no-progress': 'Look at the steps of this run. Give clearer instructions or other tools, use a stronger model, or switch Protocol.',
};

function failed(setup: AgentSetup, error: unknown): AgentEnd {
	const reason: unknown = setup.signal.reason;
	if (setup.signal.aborted && (reason as { name?: unknown })?.name === 'TimeoutError') {
		return atLimit({ stoppedBy: 'time', reason: `the limit of ${setup.limits.maxSeconds} seconds is reached` });
	}
	if (setup.signal.aborted) {
		return { stoppedBy: 'aborted', partial: true, answer: '', error: new CodedError('ABORTED', 'The run was cancelled') };
	}
	const known = isCodedError(error) ? error : new CodedError('INTERNAL', messageOf(error), { cause: error });
	return { stoppedBy: 'error', partial: true, answer: '', error: known };
}
