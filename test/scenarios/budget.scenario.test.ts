import { runScripted } from '../support/run-scripted';
import { scriptedModel, type ScriptedTurn } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const big = tool('big', ({ n }) => ({ text: `${String(n)}: ${'lorem '.repeat(2_000)}` }), { inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } });
const call = (n: number): ScriptedTurn => ({ calls: [{ name: 'big', args: { n } }] });

describe('what a run costs', () => {
	const prices = [{ model: 'model', inPerMillion: 2, outPerMillion: 10 }];

	it('is reported with a price, and null without one, never 0', async () => {
		const priced = await runScripted({ model: scriptedModel([{ text: 'a' }]), setup: { prices } });
		expect(priced.run.usage).toMatchObject({ in: 100, out: 10, cost: 0.0003 });
		const unknown = await runScripted({ model: scriptedModel([{ text: 'a' }]), setup: { prices: [{ ...prices[0], model: 'other' } as never] } });
		expect(unknown.run.usage.cost).toBeNull();
	});

	it('ends the run at its limit', async () => {
		const { end, error } = await runScripted({ model: scriptedModel([call(1), call(2)]), tools: [big], setup: { prices }, limits: { maxCost: 0.0005 } });
		expect(end.stoppedBy).toBe('budget');
		expect(error?.message).toContain('0.0005 in cost');
	});
});

describe('what the model is sent', () => {
	it('is bounded: older observations are shortened in their place, pairs stay, the newest turns stay whole', async () => {
		const model = scriptedModel([call(1), call(2), call(3), call(4), { text: 'done' }]);
		await runScripted({ model, tools: [big], limits: { maxContextTokens: 9_000 } });
		const lengths = (model.requests[4]?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text.length > 10_000] : [])));
		expect(lengths).toEqual([false, false, true, true]);
		const first = model.requests[4]?.messages[3]?.parts[0];
		expect(first).toMatchObject({ type: 'tool-result', callId: 'm1c1', text: expect.stringMatching(/^1: lorem[\s\S]*call read_result with handle "m1c1"/) });
	});
});
