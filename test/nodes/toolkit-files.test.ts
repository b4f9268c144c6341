import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { GeneralToolkit } from '../../nodes/GeneralToolkit/GeneralToolkit.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { RecordsToolkit } from '../../nodes/RecordsToolkit/RecordsToolkit.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

async function call(toolkit: INodeType, parameters: IDataObject, { name, args, input = [{ json: {} }] }: { name: string; args: IDataObject; input?: INodeExecutionData[] }) {
	const model = scriptedModel([{ calls: [{ name, args }] }, { text: 'done' }]);
	const run = await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.toolkit': toolkit },
		nodes: [start(), node('Agent', 'p.agent', { query: 'go' }), node('Model', 'p.model'), node('Toolkit', 'p.toolkit', parameters)],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Toolkit', 'ai_tool', 'Agent']),
		input,
	});
	return { run, read: JSON.stringify(model.requests[1]?.messages) };
}

describe('files in and out of toolkits', () => {
	it('reads a file of another node by expression, the same when the tool runs', async () => {
		const data = Buffer.from('Suivi;\nRéf;Coût\nN-92c;1 234,56 €\nN-93;0,44 €\n'.replace(/€/g, '\x80'), 'latin1').toString('base64');
		const input = [{ json: {}, binary: { data: { data, mimeType: 'text/csv', fileName: 'c.csv' } } }];
		const parameters = { source: 'file', file: "={{ $('Start').first().binary.data }}", about: 'orders' };
		const { run, read } = await call(new RecordsToolkit(), parameters, { name: 'aggregate_records', args: { measure: 'sum', column: 'cout' }, input });
		expect(run.error).toBeUndefined();
		expect(read).toContain('\\"value\\":1235');
	});

	it('says what to enter when the expression gives no file', async () => {
		const { run } = await call(new RecordsToolkit(), { source: 'file', file: 'text', about: 'x' }, { name: 'x', args: {} });
		expect(JSON.stringify(run.error)).toContain('not binary data but string');
	});

	it('attaches a chart to the answer of the agent as binary data', async () => {
		const args = { kind: 'bar', data: [{ m: 'A', v: 1 }], x: 'm', y: 'v', title: 'Costs' };
		const { run, read } = await call(new GeneralToolkit(), { groups: ['chart'] }, { name: 'draw_chart', args });
		expect(run.error).toBeUndefined();
		expect(read).toContain('Costs.png (image/png) is attached');
		const [item] = run.items('Agent');
		expect(Object.values(item?.binary ?? {})).toEqual([expect.objectContaining({ mimeType: 'image/png', fileName: 'Costs.png' })]);
	}, 30_000);
});
