import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../../lib/core/message';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { TaskPlanner } from '../../nodes/TaskPlanner/TaskPlanner.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const PLAN = JSON.stringify({
	steps: [
		{ id: 'a', title: 'History', task: 'Read the failures of excavator 12', depends_on: [], tools: ['history'], success: 'a list' },
		{ id: 'b', title: 'Stock', task: 'Look up the stock', depends_on: [], tools: [], success: '' },
		{ id: 'c', title: 'Compare', task: 'Which part is missing?', depends_on: ['a', 'b'], tools: [], success: '' },
	],
});

function plannerOnly(parameters: IDataObject, items: IDataObject[], turns: string[] = []) {
	const model = scriptedModel(turns.map((text) => ({ text })));
	const run = runWorkflow({
		nodeTypes: { 'p.planner': new TaskPlanner(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [tool('history', () => ({ text: '' }))]) },
		nodes: [start(), node('Planner', 'p.planner', parameters), node('Model', 'p.model'), node('Tools', 'p.tools')],
		connections: connect(['Start', 'main', 'Planner'], ['Model', 'ai_languageModel', 'Planner'], ...(parameters.operation === 'next' ? [] : [['Tools', 'ai_tool', 'Planner'] as const])),
		input: items.map((json) => ({ json })),
	});
	return { model, run };
}

describe('Task Planner', () => {
	it('gives one item a step, ready for a ReAct Agent, and keeps the rest of the item', async () => {
		const { run } = plannerOnly({ options: { maxTokens: 9_000 } }, [{ chatInput: 'Prepare the overhaul', site: 'Lyon' }], [PLAN]);
		const items = (await run).items('Planner');
		expect(items.map(({ json }) => json.query)).toEqual(['Read the failures of excavator 12\n\n(a list)', 'Look up the stock', 'Which part is missing?']);
		expect(items[0]?.json).toMatchObject({ site: 'Lyon', step: { id: 's1', number: 1, of: 3, tools: ['history'], maxTokens: 3_000 }, plan: { goal: 'Prepare the overhaul' } });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 0 }, { item: 0 }]);
	});

	it('with a loop of ReAct Agents on the canvas does each step once, with the results it needs, and joins them', async () => {
		const planner = scriptedModel([{ text: PLAN }, { text: 'Joint N-92c is missing.' }]);
		const worker = scriptedModel([{ text: 'three leaks' }, { text: 'no N-92c' }, { text: 'N-92c' }]);
		const run = await runWorkflow({
			nodeTypes: { 'p.planner': new TaskPlanner(), 'p.agent': new ReActAgent(), 'p.planning': modelNode(planner), 'p.working': modelNode(worker) },
			nodes: [
				start(), node('Plan', 'p.planner'), node('Next', 'p.planner', { operation: 'next' }), node('Agent', 'p.agent'),
				node('Join', 'p.planner', { operation: 'synthesise' }), node('Planning', 'p.planning'), node('Working', 'p.working'),
			],
			connections: {
				...connect(['Start', 'main', 'Plan'], ['Plan', 'main', 'Next'], ['Agent', 'main', 'Next'], ['Planning', 'ai_languageModel', 'Plan'], ['Planning', 'ai_languageModel', 'Join'], ['Working', 'ai_languageModel', 'Agent']),
				Next: { main: [[{ node: 'Agent', type: 'main', index: 0 }], [{ node: 'Join', type: 'main', index: 0 }]] },
			},
			input: [{ json: { query: 'Prepare the overhaul' } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.order.filter((name) => !name.endsWith('ing'))).toEqual(['Start', 'Plan', 'Next', 'Agent', 'Next', 'Agent', 'Next', 'Join']);
		expect(run.items('Join')[0]?.json).toMatchObject({ query: 'Prepare the overhaul', output: 'Joint N-92c is missing.', plan: { steps: [{ result: { output: 'three leaks' } }, { result: { output: 'no N-92c' } }, { result: { output: 'N-92c' } }] } });
		expect(run.items('Join')[0]?.json).toMatchObject({ run: { stoppedBy: 'answer', prompt: { question: 'Prepare the overhaul' }, answer: 'Joint N-92c is missing.', steps: [1, 2, 3].map((number) => ({ number, planStep: `s${number}` })), plan: { replanned: false } } });
		expect(run.items('Join')[0]?.json).not.toHaveProperty('runs');
		expect(worker.requests).toHaveLength(3);
		const third = textOf(worker.requests[2]!.messages.at(-1)!);
		expect(third).toMatch(/s1 – History:\nthree leaks\n\ns2 – Stock:\nno N-92c[\s\S]*Which part is missing\?/);
		expect(textOf(planner.requests[1]!.messages.at(-1)!)).toContain('s3 – Compare:\nN-92c');
	});

	it('goes on with what a person left of the plan, and counts an error as a failed step', async () => {
		const { run } = plannerOnly({}, [{ query: 'x' }], [PLAN]);
		const [first, , third] = (await run).items('Planner').map(({ json }) => json);
		const edited = { ...first, step: { ...(first!.step as IDataObject), task: 'Only the leaks' } };
		const next = (await plannerOnly({ operation: 'next' }, [third!, edited]).run).items('Planner');
		expect(next.map(({ json }) => json.query)).toEqual(['Only the leaks\n\n(a list)']);
		const after = (await plannerOnly({ operation: 'next' }, [{ ...next[0]!.json, error: '503' }]).run).items('Planner');
		expect(after.map(({ json }) => [json.query, json.context])).toEqual([['Which part is missing?', 's1 – History:\nFAILED: 503']]);
	});

	it('keeps two plans apart', async () => {
		const { run } = plannerOnly({}, [{ query: 'one' }, { query: 'two' }], ['["a1"]', '["b1","b2"]']);
		const items = (await run).items('Planner').map(({ json }) => ({ ...json, output: `did ${String(json.query)}` }));
		const done = await plannerOnly({ operation: 'next' }, items).run;
		expect(done.items('Planner')).toEqual([]);
		expect(done.items('Planner', 1).map(({ json }) => [json.query, (json.plan as { steps: unknown[] }).steps.length])).toEqual([['one', 1], ['two', 2]]);
	});

	it('says what is missing: a task, a plan', async () => {
		expect((await plannerOnly({ query: '={{ "" }}' }, [{}]).run).error?.message).toBe('The task is empty');
		expect((await plannerOnly({ operation: 'next' }, [{ output: 'x' }]).run).error?.message).toBe('Item 0 has no plan');
	});

	const step = (id: string, over: IDataObject = {}): IDataObject => ({ id, title: id, task: `do ${id}`, dependsOn: [], tools: [], success: '', ...over });
	const asPlan = (steps: IDataObject[]): IDataObject => ({ id: 'p', goal: 'all', steps, notes: [], usage: { in: 1, out: 1 } });

	it('does not give a step again and again whose agent says nothing: it failed', async () => {
		const plan = asPlan([step('s1'), step('s2', { dependsOn: ['s1'] })]);
		const { run } = plannerOnly({ operation: 'next' }, [{ plan, step: step('s1'), output: '' }]);
		expect((await run).items('Planner')).toMatchObject([{ json: { step: { id: 's2' }, context: expect.stringContaining('FAILED: The agent gave no answer.') } }]);
		const waiting = plannerOnly({ operation: 'next' }, [{ plan, step: step('s1') }]);
		expect((await waiting.run).items('Planner')).toMatchObject([{ json: { step: { id: 's1' } } }]);
	});

	it('takes steps back of which a person left little, and items that lost theirs', async () => {
		const plan = asPlan([step('s1'), { id: 's2', task: 'do s2' }]);
		const { run } = plannerOnly({ operation: 'next' }, [{ plan, step: { id: 's1', title: 'Only this' } }, { plan, step: 'gone' }, { plan, step: null }]);
		expect((await run).items('Planner').map(({ json }) => json.query)).toEqual(['Only this']);
		const lost = plannerOnly({ operation: 'next' }, [{ plan }]);
		expect((await lost.run).items('Planner').map(({ json }) => json.query)).toEqual(['do s1', 'do s2']);
	});

	it('keeps the results of steps that went side by side, and says which were not done', async () => {
		const steps = [step('s1'), step('s2'), step('s3'), step('s4')];
		const withResult = (id: string): IDataObject => asPlan(steps.map((one) => (one.id === id ? { ...one, result: { output: `result of ${id}` } } : one)));
		const { run, model } = plannerOnly({ operation: 'synthesise' }, [{ plan: withResult('s1'), step: step('s3'), output: 'three' }, { plan: withResult('s2') }], ['done']);
		expect((await run).items('Planner')[0]?.json.output).toBe('done');
		const asked = textOf(model.requests[0]!.messages.at(-1)!);
		for (const words of ['result of s1', 'result of s2', 'three', 's4 – s4:\nNOT DONE']) expect(asked).toContain(words);
	});
});
