import type { StoppedBy } from '../core/run';
import type { AgentSetup } from './agent-setup';
import { tokensSpent, type AgentState } from './agent-state';
import { costOf } from './price';

export interface Stop {
	readonly stoppedBy: Extract<StoppedBy, 'step-limit' | 'time' | 'budget'>;
	/** For the model and for the report. */
	readonly reason: string;
}

/** The cap that the run has reached, if any; looked at before each turn. `spentMs` counts earlier turns of the node. */
export function stopWhen({ limits, prices }: AgentSetup, state: AgentState, spentMs: number): Stop | undefined {
	const tokens = tokensSpent(state);
	if (state.turns.length >= limits.maxSteps) {
		return { stoppedBy: 'step-limit', reason: `the limit of ${limits.maxSteps} steps is reached` };
	}
	if (spentMs >= limits.maxSeconds * 1000) {
		return { stoppedBy: 'time', reason: `the limit of ${limits.maxSeconds} seconds is reached` };
	}
	if (tokens >= limits.maxTokens) {
		return { stoppedBy: 'budget', reason: `the limit of ${limits.maxTokens} tokens is reached (${tokens} used)` };
	}
	const cost = costOf(state, prices);
	if (cost !== null && cost >= limits.maxCost) {
		return { stoppedBy: 'budget', reason: `the limit of ${limits.maxCost} in cost is reached` };
	}
	return undefined;
}
