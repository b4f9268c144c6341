import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { tool, toolNode } from '../support/test-nodes';
import { arithmeticTools } from '../../lib/toolkits/arithmetic';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';

/** A replayed agent: the script chooses the tools, the tools run for real, and figures come from their results only. */

const SCRIPT = [
	{
		thought: 'I need the costs and the hours.',
		calls: [
			{ tool: 'costs', arguments: { text: '{{query}}' }, as: 'costs' },
			{ tool: 'calculate', arguments: { expression: '17 * 3' }, as: 'hours' },
		],
	},
	{ thought: 'One sum is left.', calls: [{ tool: 'calculate', arguments: { expression: '{{costs.total}} / {{hours.result}}' }, as: 'rate' }] },
	{ answer: '{{costs.asset}} costs {{rate.result | number:2}} an hour.' },
];

async function report(total: number, options: Record<string, unknown> = {}): Promise<WorkflowRun> {
	const schema = { type: 'object', properties: { text: { type: 'string' } } };
	const costs = tool('costs', ({ text }) => ({ text: JSON.stringify({ asset: text, total }) }), { inputSchema: schema });
	return await runWorkflow({
		nodeTypes: {
			'p.agent': new ReActAgent(),
			'p.model': new ChatModel(),
			'p.tools': toolNode(() => [costs, ...arithmeticTools('en')]),
		},
		nodes: [
			start(),
			node('Agent', 'p.agent', { instructions: 'Be exact.', options: options as never }),
			node('Model', 'p.model', { provider: 'replay', scriptName: 'rate', script: JSON.stringify(SCRIPT) }),
			node('Tools', 'p.tools', {}),
		],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']),
		input: [{ json: { query: 'EX-12' } }, { json: { query: 'EX-7' } }],
	});
}

describe('replay in the agent', () => {
	it.each(['native', 'text'])('quotes what the tools gave, for each item, in the %s protocol', async (protocol) => {
		const run = await report(1020, { protocol });
		expect(run.error).toBeUndefined();
		expect(run.items('Agent').map(({ json }) => json.output)).toEqual(['EX-12 costs 20.00 an hour.', 'EX-7 costs 20.00 an hour.']);
	});

	it('follows when the data change', async () => {
		const run = await report(2040);
		expect(run.items('Agent')[0]?.json).toMatchObject({ output: 'EX-12 costs 40.00 an hour.', run: { usage: { model: 'replay/rate', in: null } } });
	});

	it('says that it was stopped when the agent takes the tools away', async () => {
		const run = await report(1020, { maxSteps: 1 });
		const said = JSON.stringify([run.items('Agent')[0]?.json, run.error?.message]);
		expect(said).toMatch(/stopped before its answer|step/i);
		expect(said).not.toContain('Action Input');
	});
});
