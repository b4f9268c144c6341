import type { IDataObject } from 'n8n-workflow';
import { MacroTool } from '../../nodes/MacroTool/MacroTool.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode, tool, toolNode } from '../support/test-nodes';

const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
const tools = [
	tool('find_part', ({ ref }) => ({ text: JSON.stringify({ id: `id-${String(ref)}` }) }), { inputSchema: schema('ref') }),
	tool('order_part', ({ id }) => (id === 'id-none' ? { text: 'no such part', isError: true } : { text: `ordered ${String(id)}` }), { inputSchema: schema('id') }),
];
const rows = [
	{ tool: 'find_part', arguments: '{"ref": "{input.reference}"}', name: '' },
	{ tool: 'order_part', arguments: '{"id": "{steps.find_part.id}"}', name: '' },
];

async function run(parameters: IDataObject, references: readonly string[], options: IDataObject = {}) {
	const calls = references.map((reference) => ({ name: 'buy_part', args: { reference } }));
	const model = scriptedModel([{ calls }, { text: 'done' }]);
	const result = await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.macro': new MacroTool(), 'p.tools': toolNode((which) => tools.filter(({ name }) => which.includes(name))) },
		nodes: [start(), node('Agent', 'p.agent', { query: 'go', options }), node('Model', 'p.model'), node('Macro', 'p.macro', parameters),
			node('Finder', 'p.tools', { which: 'find_part' }), node('Orders', 'p.tools', { which: 'order_part' })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Macro', 'ai_tool', 'Agent'], ['Finder', 'ai_tool', 'Macro'], ['Orders', 'ai_tool', 'Macro']),
		input: [{ json: {} }],
	});
	return { result, offered: model.requests[0]?.tools?.map(({ name }) => name), read: JSON.stringify(model.requests[1]?.messages) };
}

describe('Macro Tool', () => {
	it('shows one tool and runs its steps as visible runs of their nodes', async () => {
		const { result, offered, read } = await run({ steps: { rows }, toolName: 'buy_part' }, ['N-92c', 'N-93']);
		expect(result.error).toBeUndefined();
		expect(offered).toEqual(['buy_part']);
		expect(read).toContain('ordered id-N-92c');
		expect(read).toContain('ordered id-N-93');
		expect([result.runData.Finder?.length, result.runData.Orders?.length]).toEqual([2, 2]);
	});

	it('asks a person when a tool that it runs is to be approved, by that tool’s name', async () => {
		const { result } = await run({ steps: { rows }, toolName: 'buy_part' }, ['N-92c'], { approvalTools: 'order_part' });
		expect(result.items('Agent')[0]?.json).toMatchObject({ run: { stoppedBy: 'approval', warnings: [] }, question: { tool: 'buy_part' } });
		expect(result.runData.Orders).toBeUndefined();
	});

	it('tells the agent which step failed', async () => {
		const { result, read } = await run({ steps: { rows }, toolName: 'buy_part' }, ['none']);
		expect(result.error).toBeUndefined();
		expect(read).toContain('Step 2 of 2, order_part (order_part), failed: no such part');
	});

	it('says what is wrong with its steps', async () => {
		const wrong = await run({ steps: { rows: [{ tool: 'find_part', arguments: '[1]' }] } }, []);
		expect(JSON.stringify(wrong.result.error)).toContain('The arguments of step 1 are not a JSON object: [1]');
	});
});
