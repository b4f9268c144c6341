import type { Decision } from '../core/run';
import { callableTools } from './admit-tools';
import type { AgentSetup } from './agent-setup';
import type { AgentState, OpenCall, TurnCall } from './agent-state';
import { prepareCall } from './prepare-call';
import { promptsIn } from './prompts';

/** True while a person has to decide before the call may run. */
export function needsDecision(setup: Pick<AgentSetup, 'tools' | 'hidden' | 'needsApproval'>, call: OpenCall & { decision?: Decision }): boolean {
	const tool = callableTools(setup).find(({ name }) => name === call.name);
	if (call.decision || !setup.needsApproval) return false;
	// A tool that is not known here is never free to run.
	return tool === undefined || setup.needsApproval(tool);
}

/**
 * Takes a decision into the run. Approved: the call is open, with the edited arguments if there are any and if they fit. Refused
 * (also when nobody answered in time): the call is answered by the refusal, which the model reads. A second decision about the
 * same call changes nothing.
 */
export function decide(setup: AgentSetup, state: AgentState, callId: string, decision: Decision): AgentState {
	const last = state.turns.at(-1);
	if (!last) return state;
	const calls = last.calls.map((call) => (call.callId === callId && !call.decision ? decided(setup, call, decision) : call));
	return { ...state, turns: [...state.turns.slice(0, -1), { ...last, calls }] };
}

function decided(setup: AgentSetup, call: TurnCall, decision: Decision): TurnCall {
	if (!decision.approved) {
		const text = promptsIn(setup.language).refused(decision.note ?? '');
		return { ...call, decision, result: { isError: true, durationMs: null, text } };
	}
	if (!decision.arguments) return { ...call, decision };
	const prepared = prepareCall(callableTools(setup), { name: call.name, argumentsText: JSON.stringify(decision.arguments) }, setup.language);
	if (prepared.ok) return { ...call, decision, input: prepared.input };
	return { ...call, decision, result: { isError: true, durationMs: null, text: prepared.message } };
}
