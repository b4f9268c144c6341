import { makePlan, replan, synthesise, type PlannerSetup } from '../../lib/react/planner';
import { loadChatModel } from '../../lib/providers/registry';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { fakePorts } from '../support/fake-ports';
import { runScripted } from '../support/run-scripted';
import { tool } from '../support/test-nodes';

/** The script that the node is filled with. */
const standard = String(new ChatModel().description.properties.find(({ name }) => name === 'script')?.default);
const longer = [
	{ thought: 'I look at the costs of {{n.x}}.', calls: [{ tool: 'sum_costs' }, { tool: 'sum_costs', as: 'b' }] },
	{ calls: [{ tool: 'stock', arguments: { part: 'N-92c' } }] },
	{ answer: 'Done.' },
];
const calculate = tool('calculate', () => ({ text: '{"result": 42}', data: { result: 42 } }), { inputSchema: { type: 'object', properties: { expression: { type: 'string' } } } });

function setup(script: unknown, language: 'en' | 'fr' = 'en'): PlannerSetup {
	const model = loadChatModel('replay', { model: 'script', script }, fakePorts());
	return { model, tools: [calculate, tool('stock', () => ({ text: '' }))], language, maxSteps: 8, instructions: '', context: '', mark: 'abcd1234', signal: new AbortController().signal };
}

it.each(['en', 'fr'] as const)('the standard script gives a planner a plan (%s)', async (language) => {
	const plan = await makePlan(setup(standard, language), 'Add it up');
	expect(plan).toMatchObject({ notes: [], steps: [{ id: 's1', title: 'I add the two numbers.', task: 'I add the two numbers. (calculate)', tools: ['calculate'], dependsOn: [] }] });
});

it('each turn with calls is a step, and depends on the one before', async () => {
	const { steps, notes } = await makePlan(setup(longer), 'Costs and stock');
	expect(notes).toEqual([]);
	expect(steps.map(({ title, dependsOn, tools }) => [title, dependsOn, tools])).toEqual([['I look at the costs of.', [], []], ['stock', ['s1'], ['stock']]]);
});

it('results are joined word for word, and said to be', async () => {
	const plan = await makePlan(setup(standard), 'Add it up');
	const done = { ...plan, steps: plan.steps.map((step) => ({ ...step, result: { output: 'The result is 42.' } })) };
	expect((await synthesise(setup(standard), done)).answer).toBe('No model joined these results; the replayed script has no words for them.\n\ns1 – I add the two numbers.:\nThe result is 42.');
	expect((await replan(setup(standard), done)).steps).toHaveLength(2);
});

it('a run that plans first can be shown with the standard script', async () => {
	const model = loadChatModel('replay', { model: 'script', script: standard }, fakePorts());
	const { end, run } = await runScripted({ model, tools: [calculate], input: { query: 'Add it up', plansFirst: true } });
	const answer = 'The result is 42. No model is called: this is a script. Choose a provider in Chat Model.';
	expect(end).toMatchObject({ stoppedBy: 'answer', answer });
	expect(run.plan?.steps).toMatchObject([{ id: 's1', result: { output: answer } }]);
});
