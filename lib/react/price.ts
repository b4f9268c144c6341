import type { AgentState } from './agent-state';

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
	const known = state.models.map((model) => prices.find((price) => model === price.model || model.endsWith(`/${price.model}`)));
	const [price] = known;
	if (!price || known.some((one) => one === undefined)) return null;
	let cost = 0;
	for (const { usage } of state.turns) {
		if (usage.in === null || usage.out === null) return null;
		const cached = usage.cached ?? 0;
		const cachedPrice = price.cachedPerMillion ?? price.inPerMillion;
		cost += (usage.in - cached) * price.inPerMillion + cached * cachedPrice + usage.out * price.outPerMillion;
	}
	return cost / 1_000_000;
}
