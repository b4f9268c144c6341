import type { AgentSetup } from './agent-setup';
import type { AgentState } from './agent-state';
import type { StoredResult } from './result-store';

/** A run that stands still, with all it needs: it can be kept anywhere and go on in another execution. Plain JSON. */
export interface PortableRun {
	readonly version: 1;
	readonly state: AgentState;
	/** Contents of the result store, by the handles in the state. */
	readonly results: Readonly<Record<string, StoredResult>>;
}

/** Collects what the state points to. Files of tools are left out: they stay with the execution that made them. */
export async function packRun(setup: Pick<AgentSetup, 'results'>, state: AgentState): Promise<PortableRun> {
	const results: Record<string, StoredResult> = {};
	for (const handle of handlesOf(state)) {
		const { text, data } = await setup.results.get(handle);
		results[handle] = { text, ...(data !== undefined && { data }) };
	}
	return { version: 1, state, results };
}

/** The state again, its results put into this execution's store. */
export async function unpackRun(setup: Pick<AgentSetup, 'results'>, run: PortableRun): Promise<AgentState> {
	const moved = new Map<string, string>();
	for (const [handle, result] of Object.entries(run.results)) moved.set(handle, await setup.results.put(result));
	const now = (handle: string): string => moved.get(handle) ?? handle;
	const { state } = run;
	return {
		...state,
		base: now(state.base),
		turns: state.turns.map((turn) => ({
			...turn,
			calls: turn.calls.map((call) =>
				call.result?.handle ? { ...call, result: { ...call.result, handle: now(call.result.handle) } } : call,
			),
		})),
	};
}

function handlesOf(state: AgentState): Set<string> {
	const ofCalls = state.turns.flatMap(({ calls }) => calls.flatMap(({ result }) => result?.handle ?? []));
	return new Set([state.base, ...ofCalls]);
}
