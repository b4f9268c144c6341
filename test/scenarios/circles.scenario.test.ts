import { textOf, type Message } from '../../lib/core/message';
import type { ModelRequest } from '../../lib/core/model';
import { runScripted } from '../support/run-scripted';
import { scriptedModel, type ScriptedTurn } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const any = { type: 'object', properties: { n: { type: 'integer' } } };
const call = (name: string, n = 0): ScriptedTurn => ({ calls: [{ name, args: { n } }] });
const lastText = (request: ModelRequest | undefined): string => textOf(request?.messages.at(-1) ?? { role: 'user', parts: [] });
const results = (request: ModelRequest | undefined): string[] =>
	(request?.messages ?? []).flatMap((message: Message) => message.parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));

function counting(name: string, text: (n: number) => string) {
	let ran = 0;
	const made = tool(name, ({ n }) => (ran++, { text: text(Number(n)) }), { inputSchema: any });
	return { made, ran: () => ran };
}

describe('the same call again', () => {
	it('L04 is answered from memory with a hint the second time, with a thought against it; the third time the run is forced to its end', async () => {
		const look = counting('look', () => '');
		const model = scriptedModel([call('look'), call('look'), call('look'), { text: 'Nothing is known.' }]);
		const { end, run } = await runScripted({ model, tools: [look.made] });
		expect(look.ran()).toBe(1);
		expect(results(model.requests[2])).toEqual([
			'The tool ran and returned no data.',
			'You made this call before; it was not made again. Its result was:\nThe tool ran and returned no data.',
		]);
		expect(lastText(model.requests[2])).toBe('Thought: I already have this result. I must use it, ask for something else, or answer now.');
		expect(model.requests[3]?.tools).toBeUndefined();
		expect(lastText(model.requests[3])).toContain('Stop here: the same call was made again and again');
		expect(end).toEqual({ stoppedBy: 'forced-answer', partial: true, answer: 'Nothing is known.' });
		expect(run.steps.map(({ injected }) => injected !== undefined)).toEqual([false, true, false, false]);
		expect(run.warnings).toEqual(['Forced to an end: the same call was made again and again']);
	});

	it('with the keys in another order is the same, with other arguments it is not', async () => {
		const look = tool('look', () => ({ text: 'seen' }), { inputSchema: { type: 'object', properties: { a: {}, b: {} } } });
		const model = scriptedModel([
			{ calls: [{ name: 'look', args: '{"a":1,"b":2}' }] },
			{ calls: [{ name: 'look', args: '{"b":2,"a":1}' }] },
			{ calls: [{ name: 'look', args: '{"a":2,"b":1}' }] },
			{ text: 'ok' },
		]);
		const { run } = await runScripted({ model, tools: [look] });
		expect(run.steps.map(({ calls }) => calls[0]?.result.text)).toEqual(['seen', 'seen', 'seen', undefined]);
		expect(results(model.requests[3])[1]).toMatch(/^You made this call before/);
		expect(results(model.requests[3])[2]).toBe('seen');
	});
});

describe('a run in circles', () => {
	it('gets a thought, in its language, after two calls made in turn twice, and goes on when the model takes another way', async () => {
		const a = counting('first', () => 'A');
		const b = counting('second', () => 'B');
		const model = scriptedModel([
			{ calls: [{ name: 'first', args: {} }, { name: 'second', args: {} }] },
			call('first', 1),
			call('second', 1),
			call('first', 1),
			call('second', 1),
			{ text: 'trouvé' },
		]);
		const { end, run } = await runScripted({ model, tools: [a.made, b.made], setup: { language: 'fr' } });
		expect(end.answer).toBe('trouvé');
		expect(run.steps[3]?.injected).toContain("j'ai déjà ce résultat");
	});

	it('gives up a branch of errors, removes it from what the model sees but for one line, and keeps it in the report', async () => {
		const good = counting('create_order', () => 'order 7 created');
		const bad = tool('fetch_price', () => ({ text: 'HTTP 503', isError: true }), { inputSchema: any });
		const model = scriptedModel([
			call('create_order', 1),
			call('fetch_price', 1),
			call('fetch_price', 2),
			call('fetch_price', 3),
			call('fetch_price', 4),
			{ text: 'Ordered, price unknown.' },
		]);
		const { end, run } = await runScripted({ model, tools: [good.made, bad] });
		expect(lastText(model.requests[4])).toBe('Thought: these calls keep failing. I must read the messages, change the arguments or use another tool.');
		const seen = model.requests[5]?.messages.slice(2) ?? [];
		expect(seen.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
		expect(textOf(seen[2] as Message)).toBe('An attempt was given up here: every call failed several times in a row. Take another way.');
		expect(JSON.stringify(seen)).not.toContain('HTTP 503');
		expect(end).toMatchObject({ stoppedBy: 'answer', answer: 'Ordered, price unknown.', partial: false });
		expect(run.steps.map(({ number, parent, abandoned }) => [number, parent, abandoned !== undefined])).toEqual([
			[1, null, false],
			[2, 1, true],
			[3, 2, true],
			[4, 3, true],
			[5, 4, true],
			[6, 1, false],
		]);
	});

	it('names what succeeded in a branch that is given up, so that it is not done twice', async () => {
		const order = counting('order', (n) => (n < 3 ? '' : 'late'));
		const start = counting('start', () => 'begun');
		const model = scriptedModel([call('start'), call('order', 0), call('order', 1), call('order', 2), call('order', -1), { text: 'none' }]);
		await runScripted({ model, tools: [order.made, start.made] });
		expect(lastText(model.requests[5])).toContain('Already done, do not repeat: order({"n":0}); order({"n":1}); order({"n":2}); order({"n":-1}).');
	});

	it('is forced to an end when ways back do not help, within its steps', async () => {
		const start = counting('start', () => 'begun');
		const bad = tool('bad', () => ({ text: 'no', isError: true }), { inputSchema: any });
		let n = 0;
		const model = scriptedModel([call('start'), ...Array.from({ length: 40 }, () => () => call('bad', n++))]);
		const { end, run } = await runScripted({ model, tools: [start.made, bad], limits: { maxSteps: 40 } });
		expect(end).toMatchObject({ stoppedBy: 'no-progress', answer: '', partial: true });
		expect(new Set(run.steps.map(({ abandoned }) => abandoned)).size).toBe(2);
		expect(run.steps.length).toBeLessThan(20);
	});

	it('returns to the last good step after replies that cannot be used, once', async () => {
		const start = counting('start', () => 'begun');
		const model = scriptedModel([call('start'), { text: '' }, { text: '' }, { text: '' }, { text: 'now it works' }]);
		const { end } = await runScripted({ model, tools: [start.made] });
		expect(end.answer).toBe('now it works');
		expect(model.requests[4]?.messages).toHaveLength(5);
		expect(lastText(model.requests[4])).toContain('several replies in a row could not be used');
	});
});
