import { costOf } from '../../lib/react/price';
import type { Turn } from '../../lib/react/agent-state';

const turn = (model: string, more: Partial<Turn> = {}): Turn => ({
	message: { role: 'assistant', parts: [] }, thought: '', calls: [], usage: { in: 1_000_000, out: 0 }, model, durationMs: 1, ...more,
});
const prices = [{ model: 'small', inPerMillion: 1, outPerMillion: 1 }, { model: 'large', inPerMillion: 20, outPerMillion: 60 }];
const models = ['p/small', 'p/large'];
const agent = (cost: number | null): Turn['calls'] => [{ callId: 'c', name: 'a', input: {}, result: { isError: false, durationMs: 1, text: 'x', usage: { in: 1, out: 1, cost } } }];

describe('the cost of a run', () => {
	it('takes for each turn the price of the model that gave it, also after a fallback took over', () => {
		expect(costOf({ models, turns: [turn('p/small'), turn('p/large')] }, prices)).toBe(21);
	});

	it('counts what called agents cost, and is not known when theirs is not', () => {
		expect(costOf({ models, turns: [turn('p/small', { calls: agent(2) })] }, prices)).toBe(3);
		expect(costOf({ models, turns: [turn('p/small', { calls: agent(null) })] }, prices)).toBeNull();
	});

	it('is not known, never 0, without turns, without a price or without counts', () => {
		expect(costOf({ models: [], turns: [] }, prices)).toBeNull();
		expect(costOf({ models, turns: [turn('p/other')] }, prices)).toBeNull();
		expect(costOf({ models, turns: [turn('p/small', { usage: { in: null, out: 1 } })] }, prices)).toBeNull();
	});
});
