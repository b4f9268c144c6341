import { textOf } from '../../lib/core/message';
import { schemaReader } from '../../lib/react/structured-output';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';

const output = schemaReader({ type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] });

describe('a run that must answer with an object', () => {
	it('tells the model the schema, and once what was wrong', async () => {
		const model = scriptedModel([{ text: 'three' }, { text: 'Here: {"total": 3}' }]);
		const { end, run } = await runScripted({ model, setup: { output } });
		expect(end).toEqual({ stoppedBy: 'answer', partial: false, answer: 'Here: {"total": 3}', value: { total: 3 } });
		expect(textOf(model.requests[0]?.messages[0] ?? { role: 'system', parts: [] })).toContain('"required":["total"]');
		expect(textOf(model.requests[1]?.messages.at(-1) ?? { role: 'user', parts: [] })).toBe('The final answer must be one JSON object; no JSON was found in it.');
		expect(run.steps[0]?.correction).toContain('no JSON');
	});

	it('fails with the raw answer kept when the second one does not fit either', async () => {
		const model = scriptedModel([{ text: 'three' }, { text: 'four' }]);
		const { end, error } = await runScripted({ model, setup: { output } });
		expect(end).toMatchObject({ stoppedBy: 'error', answer: 'four', partial: true });
		expect(error?.message).toContain('is not what was asked for');
	});
});
