import type { Tool } from '../core/tool';
import type { AgentSetup } from './agent-setup';
import { liveTurns, type AgentState } from './agent-state';

/** Tools that a router held back: not shown, but admitted when the model asks for one by name, or when the run is stuck. */

/** All that a call may name: the shown tools, then the hidden ones. */
export function callableTools({ tools, hidden }: Pick<AgentSetup, 'tools' | 'hidden'>): readonly Tool[] {
	return hidden ? [...tools, ...hidden.tools] : tools;
}

/** The hidden tools that the model sees by now: it asked for them, or the engine let them in. */
export function admittedTools(setup: AgentSetup, state: AgentState): Tool[] {
	if (!setup.hidden) return [];
	const names = new Set([...(state.admitted ?? []), ...liveTurns(state).flatMap(({ calls }) => calls.map(({ name }) => name))]);
	return setup.hidden.tools.filter(({ name }) => names.has(name));
}

/** At an impasse: the route for what the model thought last lets in the hidden tools that fit it. */
export async function admitForThought(setup: AgentSetup, state: AgentState): Promise<AgentState> {
	const need = lastNeed(state);
	if (!setup.hidden || need === '') return state;
	const found = await setup.hidden.find(need);
	const known = new Set(setup.hidden.tools.map(({ name }) => name));
	const admitted = [...new Set([...(state.admitted ?? []), ...found.filter((name) => known.has(name))])];
	return admitted.length === (state.admitted?.length ?? 0) ? state : { ...state, admitted };
}

function lastNeed(state: AgentState): string {
	const thoughts = state.turns.map(({ thought }) => thought.trim()).filter((thought) => thought !== '');
	const calls = state.turns.at(-1)?.calls ?? [];
	return thoughts.at(-1) ?? calls.map(({ name, input }) => `${name} ${JSON.stringify(input ?? {})}`).join('; ');
}
