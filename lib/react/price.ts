import type { AgentState, Turn } from './agent-state';

/** Prices of one model, in any one currency, for a million tokens. */
export interface ModelPrice {
	/** A model's id, or its end: `mistral-small` also fits `mistral/mistral-small`. */
	readonly model: string;
	readonly inPerMillion: number;
	readonly outPerMillion: number;
	/** Tokens that the server had cached; the price of others when absent. */
	readonly cachedPerMillion?: number;
}

/**
 * What a run has cost so far; null when a model of the run has no price, or when a call did not report its tokens: an unknown
 * cost must not look like none.
 */
export function costOf(state: Pick<AgentState, 'turns' | 'models'>, prices: readonly ModelPrice[]): number | null {
	if (prices.length === 0 && state.turns.length > 0) return null;
	const costs = state.turns.flatMap((turn) => [costOfTurn(turn, turn.model ?? state.models[0] ?? '', prices), ...agentCosts(turn)]);
	return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), state.turns.length > 0 ? 0 : null);
}

function costOfTurn({ usage }: Turn, model: string, prices: readonly ModelPrice[]): number | null {
	const price = prices.find((one) => model === one.model || model.endsWith(`/${one.model}`));
	if (!price || usage.in === null || usage.out === null) return null;
	const cached = usage.cached ?? 0;
	const cachedPrice = price.cachedPerMillion ?? price.inPerMillion;
	return ((usage.in - cached) * price.inPerMillion + cached * cachedPrice + usage.out * price.outPerMillion) / 1_000_000;
}

/** Of the agents that were called in a turn, each once. */
function agentCosts({ calls }: Turn): Array<number | null> {
	return calls.flatMap(({ result }) => (result?.usage && !result.repeated ? [result.usage.cost ?? null] : []));
}
