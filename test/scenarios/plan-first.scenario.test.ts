import { CodedError } from '../../lib/core/errors';
import { textOf } from '../../lib/core/message';
import type { ModelRequest } from '../../lib/core/model';
import { RunStream, type StreamChoice } from '../../lib/react/run-stream';
import { runScripted } from '../support/run-scripted';
import { scriptedModel } from '../support/scripted-model';
import { tool } from '../support/test-nodes';

const inputSchema = { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] };
const stock = tool('stock', ({ ref }) => ({ text: `4 of ${String(ref)}` }), { inputSchema });
const price = tool('price', () => ({ text: 'HTTP 503', isError: true }), { inputSchema });
const catalogue = tool('catalogue', () => ({ text: '12 EUR' }), { inputSchema });

const step = (id: string, task: string, needs: string[] = []): object => ({ id, title: `T ${task}`, task, depends_on: needs, tools: [], success: '' });
const planText = (...steps: object[]): string => JSON.stringify({ steps });
const two = { text: planText(step('a', 'count the seals'), step('b', 'find the price', ['a'])) };
const ask = (name: string, ref = 'N-92c') => ({ calls: [{ name, args: { ref } }] });

/** The roles and texts of a request, the system text left out. */
function sent({ messages }: ModelRequest): string[] {
	return messages.slice(1).map((message) => {
		const parts = message.parts.map((part) => (part.type === 'tool-call' ? `call ${part.name}` : part.type === 'tool-result' ? part.text : part.type === 'text' ? part.text : part.type));
		return `${message.role}: ${parts.join(' + ')}`;
	});
}

it('writes a plan, does its steps one after the other with the plan in the prompt, and answers from their results', async () => {
	const model = scriptedModel([two, ask('stock'), { text: '4 seals' }, ask('catalogue'), { text: '12 EUR each' }, { text: '4 seals at 12 EUR' }]);
	const { end, run, events } = await runScripted({ model, tools: [stock, catalogue], input: { query: 'Seals?', plansFirst: true, context: 'Doc 1' } });
	expect(end).toEqual({ stoppedBy: 'answer', partial: false, answer: '4 seals at 12 EUR' });

	const [planning, first, second, third, , last] = model.requests as [ModelRequest, ...ModelRequest[]];
	expect(planning.tools).toBeUndefined();
	expect(textOf(planning.messages[0]!)).toMatch(/^You plan work for agents[\s\S]*follow these instructions:\nBe good\.\n\nToday is 2026-01-01[\s\S]*- stock: Does stock\./);
	expect(sent(planning)[0]).toMatch(/^user: Plan this task in at most 5 steps:\nSeals\?\n\nDocuments[\s\S]*Doc 1/);

	const toldPlan = 'user: This is the plan for the task:\n- s1: T count the seals\n- s2: T find the price\n\nNow do only step s1: count the seals\nUse the tools';
	expect(first?.tools?.map(({ name }) => name)).toEqual(['stock', 'catalogue']);
	expect(sent(first!)[0]).toMatch(/^user: Documents found[\s\S]*Seals\?$/);
	expect(sent(first!)[1]?.startsWith(toldPlan)).toBe(true);
	expect(sent(second!).slice(2)).toEqual(['assistant: call stock', 'tool: 4 of N-92c']);
	expect(sent(third!).slice(4)).toEqual(['assistant: 4 seals', expect.stringMatching(/^user: Now do only step s2: find the price\n/)]);
	expect(sent(last!).slice(8)).toEqual(['assistant: 12 EUR each', expect.stringMatching(/^user: The plan is done\.[\s\S]*Seals\?$/)]);

	expect(run.plan).toMatchObject({ replanned: false, notes: [], steps: [{ id: 's1', result: { output: '4 seals' } }, { id: 's2', dependsOn: ['s1'], result: { output: '12 EUR each' } }] });
	expect(run.steps.map(({ plan, planStep, planResult }) => [plan?.length, planStep, planResult?.output])).toEqual([
		[2, undefined, undefined], [undefined, 's1', undefined], [undefined, 's1', '4 seals'], [undefined, 's2', undefined], [undefined, 's2', '12 EUR each'], [undefined, undefined, undefined],
	]);
	expect(run.usage).toMatchObject({ in: 600, out: 60 });
	expect(events.find(({ type }) => type === 'plan')).toMatchObject({ step: 1, text: expect.stringContaining('- s2: T find the price') });
});

it('plans the open steps anew when a step fails, and no second time', async () => {
	const again = { text: planText(step('x', 'ask the catalogue'), step('y', 'ask by phone', ['x'])) };
	const model = scriptedModel([two, { text: '4 seals' }, ask('price'), { text: '**FAILED:** the price server is down' }, again, { text: 'FAILED: not in the catalogue' }, { text: 'nobody answers' }, { text: '4 seals, price unknown' }]);
	const { end, run } = await runScripted({ model, tools: [stock, price], input: { plansFirst: true } });
	expect(end.answer).toBe('4 seals, price unknown');
	expect(sent(model.requests[4]!)[0]).toMatch(/These steps are done[\s\S]*s1 – T count the seals:\n4 seals[\s\S]*s2 – T find the price:\nFAILED: the price server is down[\s\S]*still open:\n- none/);
	expect(sent(model.requests[5]!).at(-1)).toMatch(/^user: A step failed, so the plan was written anew:\n✓ s1: T count the seals\n✗ s2: T find the price\n- s3: T ask the catalogue\n- s4: T ask by phone\n\nNow do only step s3/);
	expect(sent(model.requests[6]!).at(-1)).toMatch(/^user: Now do only step s4: ask by phone/);
	expect(run.plan?.replanned).toBe(true);
	expect(run.plan?.steps.map(({ id, result }) => [id, result?.failed ?? false])).toEqual([['s1', false], ['s2', true], ['s3', true], ['s4', false]]);
});

it('gives a step up that goes in circles, and goes on', async () => {
	const circle = [ask('price', 'a'), ask('price', 'b'), ask('price', 'c'), ask('price', 'd')];
	const model = scriptedModel([two, ...circle, { text: planText(step('x', 'ask the catalogue')) }, ask('catalogue'), { text: '12 EUR' }, { text: 'done' }]);
	const { end, run } = await runScripted({ model, tools: [price, catalogue], input: { plansFirst: true } });
	expect(end).toMatchObject({ answer: 'done', partial: false });
	expect(run.warnings).toEqual(['Step s1 was given up: every call failed several times in a row.']);
	expect(run.plan?.steps.map(({ id, result }) => [id, result?.failed ?? false])).toEqual([['s1', true], ['s2', false]]);
});

it('shares its limits with the plan: a cap ends it with the work so far, or with what is known', async () => {
	const turns = [two, ask('stock'), { text: '4 seals' }];
	const failed = await runScripted({ model: scriptedModel(turns), tools: [stock], input: { plansFirst: true }, limits: { maxTokens: 330 } });
	expect(failed.end).toMatchObject({ stoppedBy: 'budget', answer: '' });
	expect(failed.run.plan?.steps.map(({ result }) => result?.output)).toEqual(['4 seals', undefined]);
	const answered = await runScripted({ model: scriptedModel([...turns, { text: '4, price unknown' }]), tools: [stock], input: { plansFirst: true }, limits: { maxTokens: 330 }, setup: { atLimit: 'answer' } });
	expect(answered.end).toEqual({ stoppedBy: 'budget', partial: true, answer: '4, price unknown' });
});

it('goes on without a plan when none can be read: the task is one step and its answer ends the run', async () => {
	const model = scriptedModel([{ text: 'I think.' }, { text: 'Well.' }, ask('stock'), { text: '4 seals' }]);
	const { end, run } = await runScripted({ model, tools: [stock], input: { query: 'Seals?', plansFirst: true } });
	expect(end.answer).toBe('4 seals');
	expect(sent(model.requests[2]!)[1]).toBe('user: This is the plan for the task:\n- s1: Seals?\n\nDo it, then answer the task.');
	expect(run.plan).toEqual({ replanned: false, notes: ['The model wrote no plan that could be read: the task is one step.'], steps: [{ id: 's1', title: 'Seals?', task: 'Seals?', dependsOn: [], success: '', result: { output: '4 seals' } }] });
	expect(run.usage.in).toBe(400);
});

it('ends with an error when the model cannot be reached for the plan, unless a fallback model can', async () => {
	const down = (): CodedError => new CodedError('UPSTREAM', 'down', { retryable: true });
	const alone = await runScripted({ model: scriptedModel([{ error: down() }]), input: { plansFirst: true } });
	expect(alone.end).toMatchObject({ stoppedBy: 'error', error: { message: 'down' } });
	const model = scriptedModel([{ error: down() }, { text: 'one' }, { text: 'all' }, { text: 'end' }]);
	const helped = await runScripted({ model, setup: { fallbackModel: scriptedModel([two]) }, input: { plansFirst: true } });
	expect(helped.end.answer).toBe('end');
	expect(helped.run.warnings[0]).toBe('scripted/model failed (down); scripted/model wrote the plan.');
});

it.each(['text', 'json'] as const)('works in the %s protocol, in French', async (protocol) => {
	const say = (answer: string) => ({ text: protocol === 'json' ? JSON.stringify({ thought: 'x', answer }) : `Thought: x\nAnswer: ${answer}` });
	const model = scriptedModel([two, say('ÉCHEC : pas de stock'), { text: planText(step('x', 'demander')) }, say('douze'), say('Rien en stock, douze euros')], 'no');
	const { end, run } = await runScripted({ model, tools: [stock], setup: { language: 'fr', protocol }, input: { query: 'Joints ?', plansFirst: true } });
	expect(end.answer).toBe('Rien en stock, douze euros');
	expect(run.plan?.steps.map(({ result }) => result)).toEqual([{ output: 'pas de stock', failed: true }, { output: 'douze' }]);
	const told = model.requests.map(({ messages }) => textOf(messages.at(-1)!));
	expect(told[0]).toContain('Planifie cette tâche en 5 étapes au plus :\nJoints ?');
	expect(told[1]).toMatch(/^Voici le plan de la tâche :\n- s1[\s\S]*Fais maintenant seulement l'étape s1 : count the seals/);
	expect(told[3]).toMatch(/^Une étape a échoué, le plan a donc été récrit :\n✗ s1[\s\S]*seulement l'étape s2 : demander/);
	expect(told[4]).toMatch(/^Le plan est terminé\. Réponds maintenant à la tâche elle-même[\s\S]*Joints \?$/);
});

it.each([
	['answer', 'Four in all.'],
	['tools', 'This is the plan for the task:\n- s1: T count the seals\n- s2: T find the price\n\nstock {"ref":"N-92c"}\nFour in all.'],
])('streams %s: what a step comes to is not the answer', async (choice, text) => {
	const model = scriptedModel([two, { ...ask('stock'), text: 'I look.' }, { text: '4 seals' }, { text: 'no price' }, { text: 'Four in all.' }]);
	const { events, end } = await runScripted({ model, tools: [stock], input: { plansFirst: true } });
	const stream = new RunStream(choice as StreamChoice, 'token');
	const pieces = [...events.flatMap((event) => stream.take(event)), ...stream.rest(end.answer)];
	expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});
