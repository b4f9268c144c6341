import { startRun } from '../../lib/react/start-run';
import { runAgent } from '../../lib/react/run-agent';
import { runToolCalls } from '../../lib/react/run-tool-calls';
import { callableTools } from '../../lib/react/admit-tools';
import { DEFAULT_LIMITS, type AgentSetup } from '../../lib/react/agent-setup';
import type { AgentOutcome } from '../../lib/react/run-agent';
import { fakePorts } from '../support/fake-ports';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const shown = tool('look_up', () => ({ text: 'nothing' }));
const schema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const hidden = tool('cancel_order', ({ id }) => ({ text: `cancelled ${String(id)}` }), { inputSchema: schema });
const other = tool('weather', () => ({ text: 'sun' }));

async function run(model: ScriptedModel, more: Partial<AgentSetup> = {}): Promise<AgentOutcome> {
	const kept = new Map<string, string>();
	const setup: AgentSetup = {
		model, tools: [shown], protocol: 'native', language: 'en', limits: DEFAULT_LIMITS, atLimit: 'answer', temperature: 0, prices: [],
		hidden: { tools: [hidden, other], note: '2 more tools are connected.', find: async () => ['weather'] },
		results: {
			put: async (value) => (kept.set(`h${kept.size}`, JSON.stringify(value)), `h${kept.size - 1}`),
			get: async (handle) => JSON.parse(kept.get(handle) ?? '{}'),
		},
		ports: fakePorts(), signal: new AbortController().signal, ...more,
	};
	const state = await startRun(setup, { instructions: 'Be good.', query: 'Cancel 7', context: '', history: [], today: '2026-01-01' });
	const going = runAgent(setup, state, async (calls) =>
		await runToolCalls(callableTools(setup), calls, { ports: setup.ports, signal: setup.signal, timeoutMs: 1_000 }));
	for (;;) {
		const next = await going.next();
		if (next.done) return next.value;
	}
}
const offered = (model: ScriptedModel, turn: number) => model.requests[turn]?.tools?.map(({ name }) => name);

describe('tools that a router held back', () => {
	it('run when the model asks for one by name, and are shown from then on', async () => {
		const model = scriptedModel([{ calls: [{ name: 'cancel_order', args: { id: '7' } }] }, { text: 'done' }]);
		const outcome = await run(model);
		expect(offered(model, 0)).toEqual(['look_up']);
		expect(JSON.stringify(model.requests[0]?.messages)).toContain('2 more tools are connected.');
		expect(offered(model, 1)).toEqual(['look_up', 'cancel_order']);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain('cancelled 7');
		expect(outcome).toMatchObject({ kind: 'ended', end: { stoppedBy: 'answer', answer: 'done' } });
	});

	it('are named with their full description when the arguments do not fit', async () => {
		const model = scriptedModel([{ calls: [{ name: 'cancel_order', args: {} }] }, { text: 'done' }]);
		await run(model);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain('Does cancel_order in full.');
	});

	it('are proposed for a wrong name, so the model finds them', async () => {
		const model = scriptedModel([{ calls: [{ name: 'cancel_orders', args: {} }] }, { text: 'done' }]);
		await run(model);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain('Available: cancel_order');
	});

	it('are let in by the thought of a run that goes in circles', async () => {
		const same = { text: 'I need the weather.', calls: [{ name: 'look_up', args: {} }] };
		const model = scriptedModel([same, same, same, same, { text: 'done' }]);
		const outcome = await run(model);
		const turns = model.requests.map((_request, at) => offered(model, at) ?? []);
		expect(turns[0]).toEqual(['look_up']);
		expect(turns.some((names) => names.includes('weather'))).toBe(true);
		expect(outcome.kind).toBe('ended');
	});

	it('need a person as the shown ones do', async () => {
		const model = scriptedModel([{ calls: [{ name: 'cancel_order', args: { id: '7' } }] }, { text: 'not done' }]);
		await run(model, { needsApproval: ({ name }) => name === 'cancel_order' });
		expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('cancelled 7');
	});

	it('tell a model without any shown tool that none fits', async () => {
		const model = scriptedModel([{ text: 'Hello!' }]);
		await run(model, { tools: [], hidden: { tools: [hidden], note: 'None of the 1 other connected tools fits the question.', find: async () => [] } });
		const system = JSON.stringify(model.requests[0]?.messages[0]);
		expect(system).toContain('No tool is available');
		expect(system).toContain('None of the 1 other connected tools fits');
	});
});
