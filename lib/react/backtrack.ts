import type { AgentSetup } from './agent-setup';
import type { AgentState, Turn, TurnCall } from './agent-state';
import { branchesOf, type Fault, type Verdict } from './finalizer';
import { promptsIn } from './prompts';

/** The measures of the finalizer, carried out on the state. */

/** Adds a thought after the last turn, in the run's language, against the fault. */
export function injectThought(setup: AgentSetup, state: AgentState, fault: Fault): AgentState {
	const last = state.turns.at(-1);
	if (!last) return state;
	const injected = promptsIn(setup.language).injected[fault];
	return { ...state, turns: [...state.turns.slice(0, -1), { ...last, injected }] };
}

/**
 * Gives up the turns from `from` on: the model sees one note in their place, the report keeps them. The note names what was
 * called and succeeded, so that nothing with an effect is done twice.
 */
export function backtrack(
	setup: AgentSetup,
	state: AgentState,
	{ fault, from }: Extract<Verdict, { kind: 'backtrack' }>,
): AgentState {
	const prompts = promptsIn(setup.language);
	const reason = prompts.faults[fault];
	const dead = state.turns.slice(from).filter(({ abandoned }) => !abandoned);
	const note = prompts.backtracked(reason, doneCalls(dead));
	const branch = branchesOf(state) + 1;
	const turns = state.turns.map((turn, at): Turn => {
		if (at < from || turn.abandoned) return turn;
		return { ...turn, abandoned: { branch, reason, note } };
	});
	return { ...state, turns };
}

/** The run's next call gets no tools: it must give the final answer. */
export function forceEnd(setup: AgentSetup, state: AgentState, fault: Fault): AgentState {
	const reason = promptsIn(setup.language).faults[fault];
	return { ...state, ending: { stoppedBy: 'forced-answer', reason }, warnings: [...state.warnings, `Forced to an end: ${reason}`] };
}

const ARGUMENTS_SHOWN = 120;

function doneCalls(turns: readonly Turn[]): string[] {
	const done = turns.flatMap(({ calls }) => calls).filter(({ result }) => result && !result.isError && !result.repeated);
	return [...new Set(done.map(shortCall))];
}

function shortCall({ name, input }: TurnCall): string {
	return `${name}(${JSON.stringify(input ?? {}).slice(0, ARGUMENTS_SHOWN)})`;
}
