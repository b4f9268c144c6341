import type { Message } from '../core/message';
import type { ToolUsage } from '../core/tool';
import type { Decision, Protocol, RunPlanResult, RunPlanStep, StepUsage, StoppedBy } from '../core/run';
import type { RunPlan } from './plan';

/**
 * The state of a run between two steps: small plain JSON, kept by n8n's engine while tools run. Observations over 1 kB and
 * the first messages stand in the result store; the state holds their handles.
 */
export interface AgentState {
	readonly version: 1;
	readonly protocol: Protocol;
	/** Handle of the first messages (system, history, question) in the result store. */
	readonly base: string;
	readonly promptHash: string;
	/** Stands in the fences around what tools gave; not to be guessed by them. */
	readonly mark: string;
	readonly turns: readonly Turn[];
	readonly startedAt: number;
	/** Time spent in earlier turns of the node, waits for people left out. */
	readonly spentMs: number;
	readonly firstTokenMs: number | null;
	readonly models: readonly string[];
	readonly warnings: readonly string[];
	/** Names of hidden tools that the engine let in. */
	readonly admitted?: readonly string[];
	/** Names of the only tools of the run, when its item restricted them: they hold also when another execution goes on. */
	readonly allowed?: readonly string[];
	/** Present when the run plans first. */
	readonly plan?: RunPlan;
	/** Set when the run must end: the next model call gets no tools. */
	readonly ending: { readonly stoppedBy: StoppedBy; readonly reason: string } | null;
}

/** One turn of the model with what came of it. */
export interface Turn {
	/** Exactly what the model said (an observation that it invented cut off). */
	readonly message: Message;
	readonly thought: string;
	readonly calls: readonly TurnCall[];
	/** The message sent back when the turn could not be used. */
	readonly correction?: string;
	/** The turn was an answer that did not fit the schema asked for. */
	readonly rejected?: boolean;
	/** A thought that the engine added after the turn. */
	readonly injected?: string;
	/** Set when the engine went back to before this turn: the model sees `note` in its place, once for the whole branch. */
	readonly abandoned?: { readonly branch: number; readonly reason: string; readonly note: string };
	/** The plan that this turn wrote: the model's reply itself is not shown to it again. */
	readonly plan?: readonly RunPlanStep[];
	/** Id of the step of the plan that was at work. */
	readonly planStep?: string;
	/** Set when that step ended with this turn. */
	readonly planResult?: RunPlanResult;
	/** What the model is told after this turn to go on with the plan. */
	readonly next?: string;
	readonly usage: StepUsage;
	/** The model that spoke: a fallback may take over for some turns, at its own price. */
	readonly model?: string;
	readonly durationMs: number;
}

export interface TurnCall {
	readonly callId: string;
	/** The id as the model gave it, where it is not unique in the run. */
	readonly wireId?: string;
	/** The tool's own name; of an unknown tool, the name as the model wrote it. */
	readonly name: string;
	/** The checked arguments; absent when the call was blocked. */
	readonly input?: Record<string, unknown>;
	/** What a person decided, for a call that needed it. */
	readonly decision?: Decision;
	/** The call of this turn that is the same: it is not made, and gets that one's result. */
	readonly sameAs?: string;
	/** Absent while the call is open. */
	readonly result?: StoredCallResult;
}

/** A result up to this many characters, data included, stands in the state; a larger one in the result store. */
export const INLINE_CHARACTERS = 1_000;
/** Characters of a larger one that stand in the state. */
export const SHORT_FORM = 200;

export interface StoredCallResult {
	readonly isError: boolean;
	/** The tool gave nothing. */
	readonly isEmpty?: boolean;
	/** The call was not made again: this is the result of the same call before. */
	readonly repeated?: boolean;
	readonly durationMs: number | null;
	/** The whole text when it is short, else its beginning. */
	readonly text: string;
	/** Handle of the whole result, when it does not fit here. */
	readonly handle?: string;
	readonly data?: unknown;
	/** How many pictures stand with the whole result, for a model that sees. */
	readonly files?: number;
	/** Tokens of an agent that was called. */
	readonly usage?: ToolUsage;
}

/** A call that waits to be run, with its turn's arguments checked. */
export interface OpenCall {
	readonly callId: string;
	readonly name: string;
	readonly input: Record<string, unknown>;
	readonly decision?: Decision;
}

/** The calls of the last turn that have no result yet, in the order the model made them; [] when none is open. */
export function openCalls(state: AgentState): OpenCall[] {
	const calls = state.turns.at(-1)?.calls ?? [];
	return calls.flatMap(({ callId, name, input, result, decision, sameAs }) =>
		result || !input || sameAs !== undefined ? [] : [{ callId, name, input, ...(decision && { decision }) }],
	);
}

/** The state with results of open calls; results for other calls, or for calls already answered, are dropped. */
export function withResults(state: AgentState, results: ReadonlyMap<string, StoredCallResult>): AgentState {
	const last = state.turns.at(-1);
	if (!last) return state;
	const calls = shareResults(
		last.calls.map((call) => {
			const result = results.get(call.callId);
			return call.result || !result ? call : { ...call, result };
		}),
	);
	return { ...state, turns: [...state.turns.slice(0, -1), { ...last, calls }] };
}

function shareResults(calls: readonly TurnCall[]): TurnCall[] {
	return calls.map((call) => {
		if (call.result || call.sameAs === undefined) return call;
		const result = calls.find(({ callId }) => callId === call.sameAs)?.result;
		return result ? { ...call, result: { ...result, repeated: true, durationMs: null } } : call;
	});
}

/** Tokens spent so far; a turn whose model did not report any counts 0. */
export function tokensSpent(state: AgentState): number {
	return usages(state).reduce((sum, usage) => sum + (usage.in ?? 0) + (usage.out ?? 0), 0);
}

/** Tokens of all model calls of a run: its own, and those of the agents that it called (once each). */
export function usages({ turns }: Pick<AgentState, 'turns'>): ToolUsage[] {
	const found: ToolUsage[] = [];
	for (const { usage, calls } of turns) {
		found.push(usage);
		for (const { result } of calls) if (result?.usage && !result.repeated) found.push(result.usage);
	}
	return found;
}

/** The step of the plan that the model works on now; undefined without a plan, while planning, and for the answer itself. */
export function stepAtWork({ plan, ending }: AgentState): string | undefined {
	return ending || plan?.todo !== 'follow' ? undefined : (plan.current ?? undefined);
}

/** The turns that the model still sees. */
export function liveTurns({ turns }: AgentState): Turn[] {
	return turns.filter(({ abandoned }) => !abandoned);
}
