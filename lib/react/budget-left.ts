import type { SharedBudget } from '../core/tool';
import type { AgentSetup } from './agent-setup';
import { tokensSpent, type AgentState } from './agent-state';
import { costOf } from './price';

/**
 * What is left of a run for each of the agents that it calls now: tokens and cost in equal shares, so that those called together never have more
 * than all; seconds whole, since they run at one time.
 *
 * @param callers  names of the agents in the chain, this run's last
 * @param agents   how many are called together, at least 1
 */
export function budgetLeft({ limits, prices }: Pick<AgentSetup, 'limits' | 'prices'>, state: AgentState, callers: readonly string[], agents: number): SharedBudget {
	const { maxTokens, maxSeconds, maxCost } = limits;
	return {
		path: callers,
		...(Number.isFinite(maxTokens) && { maxTokens: Math.floor(Math.max(0, maxTokens - tokensSpent(state)) / agents) }),
		...(Number.isFinite(maxSeconds) && { maxSeconds: Math.max(0, maxSeconds - state.spentMs / 1000) }),
		...(Number.isFinite(maxCost) && { maxCost: Math.max(0, maxCost - (costOf(state, prices) ?? 0)) / agents }),
	};
}
