import type { Message, Part, ToolCallPart } from '../core/message';
import type { StepUsage, StoppedBy } from '../core/run';

/**
 * The state of a run between two steps: small plain JSON, kept by n8n's engine while tools run. Observations over 1 kB and
 * the first messages stand in the result store; the state holds their handles.
 */
export interface AgentState {
	readonly version: 1;
	readonly protocol: 'native' | 'text';
	/** Handle of the first messages (system, history, question) in the result store. */
	readonly base: string;
	readonly promptHash: string;
	readonly turns: readonly Turn[];
	readonly startedAt: number;
	/** Time spent in earlier turns of the node, waits for people left out. */
	readonly spentMs: number;
	readonly firstTokenMs: number | null;
	readonly models: readonly string[];
	readonly warnings: readonly string[];
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
	readonly usage: StepUsage;
	readonly durationMs: number;
}

export interface TurnCall {
	readonly callId: string;
	/** The name as the model wrote it. */
	readonly name: string;
	/** The checked arguments; absent when the call was blocked. */
	readonly input?: Record<string, unknown>;
	/** Absent while the call is open. */
	readonly result?: StoredCallResult;
}

export interface StoredCallResult {
	readonly isError: boolean;
	readonly durationMs: number | null;
	/** The whole text when it is short, else its beginning. */
	readonly text: string;
	/** Handle of the whole result, when it does not fit here. */
	readonly handle?: string;
	readonly data?: unknown;
}

/** A call that waits to be run, with its turn's arguments checked. */
export interface OpenCall {
	readonly callId: string;
	readonly name: string;
	readonly input: Record<string, unknown>;
}

/** The calls of the last turn that have no result yet, in the order the model made them; [] when none is open. */
export function openCalls(state: AgentState): OpenCall[] {
	const calls = state.turns.at(-1)?.calls ?? [];
	return calls.flatMap(({ callId, name, input, result }) => (result || !input ? [] : [{ callId, name, input }]));
}

/** The state with one more turn. */
export function withTurn(state: AgentState, turn: Turn): AgentState {
	return { ...state, turns: [...state.turns, turn] };
}

/** The state with results of open calls; results for other calls, or for calls already answered, are dropped. */
export function withResults(state: AgentState, results: ReadonlyMap<string, StoredCallResult>): AgentState {
	const last = state.turns.at(-1);
	if (!last) return state;
	const calls = last.calls.map((call) => {
		const result = results.get(call.callId);
		return call.result || !result ? call : { ...call, result };
	});
	return { ...state, turns: [...state.turns.slice(0, -1), { ...last, calls }] };
}

/** Tokens spent so far; a turn whose model did not report any counts 0. */
export function tokensSpent(state: AgentState): number {
	return state.turns.reduce((sum, { usage }) => sum + (usage.in ?? 0) + (usage.out ?? 0), 0);
}

/** Corrective turns at the end of the run so far. */
export function correctionsInARow(state: AgentState): number {
	const lastGood = state.turns.findLastIndex((turn) => turn.correction === undefined);
	return state.turns.length - 1 - lastGood;
}

/** The calls of a message without reasoning: what a text-protocol turn keeps. */
export function withoutCalls(parts: readonly Part[]): Part[] {
	return parts.filter((part): part is Exclude<Part, ToolCallPart> => part.type !== 'tool-call');
}
