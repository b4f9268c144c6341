import type { Message } from '../../lib/core/message';
import type { ModelRequest } from '../../lib/core/model';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const numbered = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const twice = tool('twice', ({ n }) => ({ text: String(Number(n) * 2), data: Number(n) * 2 }), {
	inputSchema: numbered,
	description: `Doubles a whole number. ${'More about it. '.repeat(30)}`,
	intent: 'Double a number.',
});
const broken = tool('broken', () => {
	throw new Error('HTTP 500 from the ERP');
});

/** The messages after the question. */
function turns(request: ModelRequest | undefined): Message[] {
	return [...(request?.messages ?? [])].slice(2);
}

describe('tool calls', () => {
	it('go back exactly as said: text beside them, arguments as written, one turn, results in the order of the calls', async () => {
		const slow = tool('slow', async () => (await new Promise((resolve) => setTimeout(resolve, 20)), { text: 'slow done' }));
		const written = '{"n": 4,  "id":"x","tool":"y","toolCallId":"z"}';
		const model = scriptedModel([
			{ text: 'I check both.', calls: [{ name: 'slow', args: {}, id: 'a' }, { name: 'twice', args: written, id: 'b' }] },
			{ text: 'done' },
		]);
		const { run } = await runScripted({ model, tools: [slow, twice] });
		expect(turns(model.requests[1])).toEqual([
			{
				role: 'assistant',
				parts: [
					{ type: 'text', text: 'I check both.' },
					{ type: 'tool-call', callId: 'a', name: 'slow', argumentsText: '{}' },
					{ type: 'tool-call', callId: 'b', name: 'twice', argumentsText: written },
				],
			},
			{
				role: 'tool',
				parts: [
					{ type: 'tool-result', callId: 'a', name: 'slow', text: 'slow done', isError: false },
					{ type: 'tool-result', callId: 'b', name: 'twice', text: '8', isError: false },
				],
			},
		]);
		expect(run.steps[0]).toMatchObject({ number: 1, thought: 'I check both.', calls: [{ name: 'slow' }, { name: 'twice', result: { data: 8 } }] });
	});

	it('show the intent first, and the full description after a call that could not be made', async () => {
		const model = scriptedModel([{ calls: [{ name: 'twice', args: { n: 'many' } }] }, { text: 'ok' }]);
		await runScripted({ model, tools: [twice] });
		expect(model.requests[0]?.tools?.[0]?.description).toBe('Double a number.');
		const [, observed] = turns(model.requests[1]);
		expect(observed?.parts[0]).toMatchObject({ isError: true, text: expect.stringMatching(/The call was not made\.[\s\S]*n[\s\S]*Doubles a whole number/) });
	});

	it('find a tool by a name that differs only in case and separators, when just one does', async () => {
		const model = scriptedModel([{ calls: [{ name: 'Stock-Lookup', args: {} }, { name: 'A_B', args: {} }] }, { text: 'ok' }]);
		const twins = [tool('a-b', () => ({ text: '1' })), tool('ab', () => ({ text: '2' }))];
		const { run } = await runScripted({ model, tools: [tool('stock_lookup', () => ({ text: '36' })), ...twins] });
		expect(run.steps[0]?.calls.map(({ name, result }) => [name, result.isError])).toEqual([['stock_lookup', false], ['A_B', true]]);
	});

	it('S20 are coerced without loss before they run', async () => {
		const model = scriptedModel([{ calls: [{ name: 'twice', args: '{"n":"4"}' }] }, { text: 'ok' }]);
		const { run } = await runScripted({ model, tools: [twice] });
		expect(run.steps[0]?.calls[0]).toMatchObject({ input: { n: 4 }, result: { text: '8' } });
	});

	it('of unknown tools, with broken or cut arguments, and of failing tools are observations, not ends', async () => {
		const model = scriptedModel([
			{ calls: [{ name: 'twicee', args: {} }, { name: 'twice', args: '{"n": 4' }, { name: 'twice', args: 'ref=A1' }, { name: 'broken', args: {} }] },
			{ text: 'ok' },
		]);
		const { end } = await runScripted({ model, tools: [twice, broken] });
		const texts = turns(model.requests[1])[1]?.parts.map((part) => (part.type === 'tool-result' ? part.text : ''));
		expect(texts?.[0]).toBe('There is no tool named "twicee". Available: twice, broken.');
		expect(texts?.[1]).toContain('are cut off before their end');
		expect(texts?.[2]).toContain('must be one JSON object');
		expect(texts?.[3]).toBe('HTTP 500 from the ERP');
		expect(end.stoppedBy).toBe('answer');
	});

	it.each(['', '""', '[]', ' null ', '{}'])('L04 that return %j are observed as no data', async (text) => {
		const model = scriptedModel([{ calls: [{ name: 'empty', args: {} }] }, { text: 'ok' }]);
		await runScripted({ model, tools: [tool('empty', () => ({ text }))] });
		expect(turns(model.requests[1])[1]?.parts[0]).toMatchObject({ text: 'The tool ran and returned no data.' });
	});

	it('L06 report the answer as the end, however high the cap', async () => {
		const model = scriptedModel([{ calls: [{ name: 'twice', args: { n: 1 } }] }, { calls: [{ name: 'twice', args: { n: 2 } }] }, { text: '6' }]);
		const { run } = await runScripted({ model, tools: [twice], limits: { maxSteps: 100 } });
		expect(run).toMatchObject({ stoppedBy: 'answer', partial: false, usage: { in: 300, out: 30 } });
	});
});

describe('documents that tools find', () => {
	it('are listed once each as sources of the run', async () => {
		const documents = [{ title: 'Pumps', source: 'pumps.md', text: 'a' }, { title: 'Pumps', source: 'pumps.md', text: 'b' }, { source: 'x.pdf', text: 'c' }];
		const search = tool('search', () => ({ text: JSON.stringify({ documents }), data: { documents } }));
		const { run } = await runScripted({ model: scriptedModel([{ calls: [{ name: 'search', args: {} }] }, { text: 'ok' }]), tools: [search] });
		expect(run.sources).toEqual([{ title: 'Pumps', source: 'pumps.md' }, { title: 'x.pdf', source: 'x.pdf' }]);
	});
});
