import type { INodeType, ISupplyDataFunctions } from 'n8n-workflow';

import { textOf } from '../../lib/core/message';
import type { Tool } from '../../lib/core/tool';
import { agentTool } from '../../lib/n8n/agent/agent-tool';
import { AskUser } from '../../nodes/AskUser/AskUser.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { ReActAgentTool } from '../../nodes/ReActAgentTool/ReActAgentTool.node';
import { connect, node, resumeWorkflow, runWorkflow, start, type WorkflowCase } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const stock = tool('stock', () => ({ text: '4 in stock' }));
const order = tool('order', () => ({ text: 'ordered' }), { annotations: { destructive: true } });

const step = (id: string, task: string): object => ({ id, title: task, task, depends_on: [], tools: [], success: '' });
const twoSteps = { text: JSON.stringify({ steps: [step('a', 'look'), step('b', 'order')] }) };
const ask = (name: string) => ({ calls: [{ name, args: {} }] });

function workflow(model: ScriptedModel, more: Partial<WorkflowCase> = {}): WorkflowCase {
	return {
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.tools': toolNode(() => [stock, order]), 'p.ask': new AskUser() },
		nodes: [start(), node('Agent', 'p.agent', { planFirst: true, options: { streamChoice: 'tools' } }), node('Model', 'p.model'), node('Tools', 'p.tools'), node('Ask', 'p.ask', { way: 'wait' })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent'], ['Ask', 'ai_tool', 'Agent']),
		input: [{ json: { query: 'order seals' } }],
		...more,
	};
}

const lastSaid = ({ requests }: ScriptedModel): string[] => requests.map(({ messages }) => textOf(messages.at(-1)!).split('\n')[0] ?? '');

describe('Plan First over n8n’s engine', () => {
	it('keeps the plan while tools run and while a person is asked, and goes on with it', async () => {
		const model = scriptedModel([twoSteps, ask('stock'), { text: '4 there' }, ask('order'), { text: 'ordered it' }, { text: 'All done.' }]);
		const given = workflow(model);
		const waiting = await runWorkflow(given);
		expect(model.requests).toHaveLength(4);
		const run = await resumeWorkflow(given, waiting, [{ json: { response: { approved: true, at: '2026-01-01T00:00:00.000Z', by: 'Anna' } } }]);
		const { json } = run.items('Agent')[0]!;
		expect(json.output).toBe('All done.');
		expect(json.run).toMatchObject({ plan: { replanned: false, steps: [{ id: 's1', result: { output: '4 there' } }, { id: 's2', result: { output: 'ordered it' } }] } });
		expect(run.runData.Tools).toHaveLength(2);
		expect(lastSaid(model)).toEqual(['Plan this task in at most 5 steps:', 'This is the plan for the task:', '', 'Now do only step s2: order', '', 'The plan is done. Now answer the task itself from the results of its steps, and say what failed or is missing. The task was:']);
	});

	it('streams the plan, the calls and the answer, each once', async () => {
		const chunks: Array<{ type: string; content?: string }> = [];
		const model = scriptedModel([twoSteps, ask('stock'), { text: '4 there' }, { text: 'not ordered' }, { text: 'All done.' }]);
		await runWorkflow(workflow(model, { onChunk: (chunk) => void chunks.push(chunk as never) }));
		expect(chunks.filter(({ type }) => type === 'item').map(({ content }) => content).join('')).toBe('This is the plan for the task:\n- s1: look\n- s2: order\n\nstock {}\nAll done.');
	});

	it('does not plan without the option', async () => {
		const model = scriptedModel([{ text: 'direct' }]);
		const given = workflow(model);
		const nodes = given.nodes.map((one) => (one.name === 'Agent' ? { ...one, parameters: {} } : one));
		const run = await runWorkflow({ ...given, nodes });
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'direct', run: { steps: [{}] } });
		expect(run.items('Agent')[0]?.json.run).not.toHaveProperty('plan');
	});
});

describe('Plan First of an agent that is a tool', () => {
	function caller(parameters: object): { type: INodeType; asked: string[] } {
		const asked: string[] = [];
		const type = new ReActAgentTool();
		const { supplyData } = type;
		type.supplyData = async function (this: ISupplyDataFunctions, itemIndex: number) {
			const direct: Tool = agentTool(this, itemIndex);
			const { text } = await direct.run({ task: 'count' }, { signal: new AbortController().signal, budget: { path: ['Boss'], ...parameters } });
			asked.push(text);
			return await supplyData.call(this, itemIndex);
		};
		return { type, asked };
	}

	async function runBoss(buyer: ScriptedModel, budget: object): Promise<string[]> {
		const { type, asked } = caller(budget);
		await runWorkflow({
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.agentTool': type, 'p.boss': modelNode(scriptedModel([{ text: 'ok' }])), 'p.buyer': modelNode(buyer), 'p.tools': toolNode(() => [stock]) },
			nodes: [start(), node('Boss', 'p.agent'), node('Buyer', 'p.agentTool', { intent: 'Counts.', planFirst: true }), node('BossModel', 'p.boss'), node('BuyerModel', 'p.buyer'), node('Tools', 'p.tools')],
			connections: connect(['Start', 'main', 'Boss'], ['BossModel', 'ai_languageModel', 'Boss'], ['BuyerModel', 'ai_languageModel', 'Buyer'], ['Buyer', 'ai_tool', 'Boss'], ['Tools', 'ai_tool', 'Buyer']),
			input: [{ json: { query: 'count' } }],
		});
		return asked;
	}

	it('works in direct mode', async () => {
		const buyer = scriptedModel([twoSteps, ask('stock'), { text: '4 there' }, { text: 'nothing to order' }, { text: 'Four.' }]);
		expect(await runBoss(buyer, {})).toEqual(['Four.']);
		expect(lastSaid(buyer)[3]).toBe('Now do only step s2: order');
	});

	it('never takes more than its caller has left', async () => {
		const buyer = scriptedModel([twoSteps, { text: 'what I know' }]);
		expect(await runBoss(buyer, { maxTokens: 100 })).toEqual(['what I know']);
		expect(buyer.requests[1]?.tools).toBeUndefined();
		expect(lastSaid(buyer)[1]).toContain('Stop here: the limit of 100 tokens is reached (110 used)');
	});
});
