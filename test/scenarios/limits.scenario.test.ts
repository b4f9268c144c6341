import { textOf } from '../../lib/core/message';
import type { ChatModel } from '../../lib/core/model';
import { runScripted } from '../support/run-scripted';
import { scriptedModel, type ScriptedTurn } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const look = tool('look', () => ({ text: 'seen' }));
const call: ScriptedTurn = { calls: [{ name: 'look', args: {} }] };

describe('a run at its cap', () => {
	it('L01 fails with the steps so far and says which cap', async () => {
		const model = scriptedModel([call, call]);
		const { end, error, run } = await runScripted({ model, tools: [look], limits: { maxSteps: 2 } });
		expect(end).toMatchObject({ stoppedBy: 'step-limit', partial: true, answer: '' });
		expect(error).toMatchObject({ code: 'RESOURCE_LIMIT', message: expect.stringContaining('the limit of 2 steps'), remedy: expect.stringContaining('Max Steps') });
		expect(run.steps).toHaveLength(2);
	});

	it('L03 answers with what is known when asked to: one last call with the tools off, marked partial', async () => {
		const model = scriptedModel([call, call, { text: 'Half of it.' }]);
		const { end, run } = await runScripted({ model, tools: [look], limits: { maxSteps: 2 }, setup: { atLimit: 'answer' } });
		expect(end).toMatchObject({ stoppedBy: 'step-limit', partial: true, answer: 'Half of it.' });
		expect(model.requests[2]?.tools).toBeUndefined();
		expect(textOf(model.requests[2]?.messages.at(-1) ?? { role: 'user', parts: [] })).toContain('the limit of 2 steps is reached');
		expect(run.partial).toBe(true);
	});

	it('L05 stops hard when the model goes on calling after that', async () => {
		const model = scriptedModel([call, call]);
		const { end, error } = await runScripted({ model, tools: [look], limits: { maxSteps: 1 }, setup: { atLimit: 'answer' } });
		expect(end).toMatchObject({ stoppedBy: 'step-limit', answer: '' });
		expect(error?.code).toBe('RESOURCE_LIMIT');
		expect(model.requests).toHaveLength(2);
	});

	it('counts tokens and seconds', async () => {
		const tokens = await runScripted({ model: scriptedModel([call, call]), tools: [look], limits: { maxTokens: 150 } });
		expect(tokens.end.stoppedBy).toBe('budget');
		expect(tokens.error?.message).toContain('150 tokens is reached (220 used)');
		let now = 0;
		const late = await runScripted({
			model: scriptedModel([call]),
			tools: [look],
			limits: { maxSeconds: 5 },
			setup: { ports: { fetch, log: () => undefined, ids: () => 'i', clock: { now: () => (now += 1_000), sleep: async () => await new Promise(() => undefined) } } },
		});
		expect(late.end.stoppedBy).toBe('time');
	});
});

it('tokens behind a Model Policy are priced and named by the model that it chose for each reply', async () => {
	const chosen = ['p/small', 'p/large'];
	const scripted = scriptedModel([{ calls: [{ name: 'look', args: {} }] }, { text: 'ok' }]);
	const model: ChatModel = {
		...scripted,
		id: 'policy/p/small',
		async *stream(request, signal) {
			const notes = { policy: { chosen: chosen[scripted.requests.length] } };
			for await (const event of scripted.stream(request, signal)) yield event.type === 'finish' ? { ...event, notes } : event;
		},
	};
	const prices = [{ model: 'small', inPerMillion: 1, outPerMillion: 0 }, { model: 'large', inPerMillion: 100, outPerMillion: 0 }];
	const { run } = await runScripted({ model, tools: [tool('look', () => ({ text: 'x' }))], setup: { prices } });
	expect(run.usage).toMatchObject({ model: 'p/small, p/large', cost: 0.0101 });
});
