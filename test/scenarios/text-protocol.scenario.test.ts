import { CodedError } from '../../lib/core/errors';
import { textOf } from '../../lib/core/message';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const stock = tool('stock', ({ ref }) => ({ text: `36 of ${String(ref)}` }), {
	inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] },
});

describe('the text protocol', () => {
	it('describes the tools, stops before an observation, and gives results back as text', async () => {
		const model = scriptedModel(
			[
				{ text: 'Thought: stock\nAction: stock\nAction Input: {"ref":"A1"}\nObservation: 99\nAnswer: 99' },
				{ text: 'Thought: ok\nAnswer: 36' },
			],
			'no',
		);
		const { end, run } = await runScripted({ model, tools: [stock] });
		expect(end).toMatchObject({ answer: '36', stoppedBy: 'answer' });
		expect(run.protocol).toBe('text');
		expect(run.steps[0]?.blocks?.map(({ type }) => type)).toEqual(['thought', 'action', 'action_input']);
		expect(run.prompt.question).toBe('go');
		const [first, second] = model.requests;
		expect(textOf(first?.messages[0] ?? { role: 'system', parts: [] })).toContain('- stock: Does stock in full. Arguments: {"type":"object"');
		expect(first).toMatchObject({ stop: ['\nObservation:'] });
		expect(first?.tools).toBeUndefined();
		expect(second?.messages.slice(2).map((message) => [message.role, textOf(message)])).toEqual([
			['assistant', 'Thought: stock\nAction: stock\nAction Input: {"ref":"A1"}'],
			['user', expect.stringMatching(/^Observation: <data (\w+)>36 of A1<\/data \1>$/)],
		]);
	});

	it('R21 feeds a reply that cannot be read back to the model, twice if need be, and never returns it', async () => {
		const model = scriptedModel(
			[
				{ text: 'Action: stock\nAction Input: {"ref": "A' },
				{ text: 'Thought: again' },
				{ text: 'Action: stock\nAction Input: {"ref":"A1"}' },
				{ text: 'Answer: 36' },
			],
			'no',
		);
		const { end, run } = await runScripted({ model, tools: [stock] });
		expect(end.answer).toBe('36');
		expect(run.steps.map(({ correction }) => correction?.slice(0, 30))).toEqual([
			'The Action Input for stock can',
			'You wrote only a thought. Call',
			undefined,
			undefined,
		]);
	});

	it('is used when an endpoint refuses tools: once, noted in the report', async () => {
		const refusal = new CodedError('BAD_INPUT', 'tools are not supported', { status: 400, reason: 'tools-unsupported' });
		const model = { ...scriptedModel([{ error: refusal }, { text: 'Action: stock\nAction Input: {"ref":"B"}' }, { text: 'Answer: done' }, { text: 'Answer: again' }]), id: 'scripted/refusing' };
		const { end, run } = await runScripted({ model, tools: [stock] });
		expect(end.answer).toBe('done');
		expect(run).toMatchObject({ protocol: 'text', warnings: ['scripted/refusing does not take tools; the text protocol was used instead.'] });
		expect(model.requests[0]?.tools).toHaveLength(1);
		expect(model.requests[2]?.tools).toBeUndefined();
		const second = await runScripted({ model, tools: [stock] });
		expect(second.run).toMatchObject({ protocol: 'text', warnings: [], answer: 'again' });
	});
});
