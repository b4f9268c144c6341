import { CodedError } from '../../lib/core/errors';
import { textOf } from '../../lib/core/message';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const inputSchema = { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] };
const stock = tool('stock', ({ ref }) => ({ text: `36 of ${String(ref)}` }), { inputSchema });

describe('the JSON protocol', () => {
	it('holds each step to a schema built from the tools, and the last one to an answer', async () => {
		const model = scriptedModel([
			{ text: '{"thought":"look","action":"stock","action_input":{"ref":"A1"}}' },
			{ text: 'Here: ```json\n{"thought":"ok","answer":"36"}\n```' },
		]);
		const { end, run } = await runScripted({ model, tools: [stock], setup: { protocol: 'json' } });
		expect(end.answer).toBe('36');
		expect(run).toMatchObject({ protocol: 'json', steps: [{ thought: 'look', calls: [{ name: 'stock' }] }, { thought: 'ok' }] });
		const thought = { type: 'string' };
		expect(model.requests[0]?.responseSchema).toEqual({
			anyOf: [
				{
					type: 'object',
					properties: { thought, action: { const: 'stock' }, action_input: inputSchema },
					required: ['thought', 'action', 'action_input'],
					additionalProperties: false,
				},
				{ type: 'object', properties: { thought, answer: { type: 'string' } }, required: ['thought', 'answer'], additionalProperties: false },
			],
		});
		expect(model.requests[0]?.tools).toBeUndefined();
		expect(model.requests[1]?.messages.slice(2).map((message) => [message.role, textOf(message)])).toEqual([
			['assistant', '{"thought":"look","action":"stock","action_input":{"ref":"A1"}}'],
			['user', expect.stringMatching(/^Observation: <data (\w+)>36 of A1<\/data \1>$/)],
		]);
	});

	it('tells the model what was wrong with an object that is neither, or no object at all', async () => {
		const model = scriptedModel([{ text: '{"foo":1}' }, { text: 'hello' }, { text: '{"thought":"","answer":"ok"}' }]);
		const { run } = await runScripted({ model, tools: [stock], setup: { protocol: 'json' } });
		expect(run.steps.map(({ correction }) => correction)).toEqual([
			'The object had neither an "action" nor an "answer". Give one of them.',
			'Your reply was not one JSON object. Reply with one JSON object.',
			undefined,
		]);
	});

	it('is chosen for a model without tool calls that takes schemas, and left for text where the server refuses them', async () => {
		const capabilities = { tools: 'no', responseSchema: 'yes', images: 'no' } as const;
		const refusal = new CodedError('BAD_INPUT', 'response_format is not supported', { status: 400, reason: 'schema-unsupported' });
		const model = { ...scriptedModel([{ error: refusal }, { text: 'Answer: 1' }]), id: 'scripted/no-schema', capabilities };
		const { run } = await runScripted({ model, tools: [stock] });
		expect(model.requests[0]?.responseSchema).toBeDefined();
		expect(run).toMatchObject({ protocol: 'text', answer: '1', warnings: ['scripted/no-schema does not take schemas; the text protocol was used instead.'] });
	});
});
