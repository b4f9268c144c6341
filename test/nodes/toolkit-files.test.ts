import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { GeneralToolkit } from '../../nodes/GeneralToolkit/GeneralToolkit.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { RecordsToolkit } from '../../nodes/RecordsToolkit/RecordsToolkit.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { workbook } from '../support/workbook';

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

	it('reads a sheet of a workbook of another node: French names on line 3, days, euros', async () => {
		const rows = [['Export du 31/12/2025'], [], ['N°', 'Coût', 'Échéance'], ['N-92c', 1234.56, { date: 46022 }], ['N-93', '12,5 €', { date: 46023 }], ['N-94', 7, { date: 46054 }]];
		const data = workbook({ Notice: [['a', 'b'], ['x', 1]], Commandes: rows }).toString('base64');
		const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
		const input = [{ json: {}, binary: { data: { data, mimeType, fileName: 'commandes.xlsx' } } }];
		const parameters = { source: 'file', file: "={{ $('Start').first().binary.data }}", about: 'commandes', options: { sheet: 'Commandes' } };
		const args = { measure: 'sum', column: 'cout', period: 'month', date_column: 'echeance' };
		const { run, read } = await call(new RecordsToolkit(), parameters, { name: 'aggregate_records', args, input });
		expect(run.error).toBeUndefined();
		expect(run.runData.Toolkit).toHaveLength(1);
		expect(read).toContain('\\"overall\\":{\\"group\\":{},\\"value\\":1254.06,\\"rows\\":3}');
		expect(read).toContain('{\\"group\\":{\\"period\\":\\"2026-01\\"},\\"value\\":12.5,\\"rows\\":1}');
	});

	it('names the sheets there are when the one asked for is not', async () => {
		const input = [{ json: {}, binary: { data: { data: workbook({ Orders: [['a'], ['x']] }).toString('base64'), mimeType: 'application/octet-stream' } } }];
		const parameters = { source: 'file', file: "={{ $('Start').first().binary.data }}", about: 'orders', options: { sheet: 'Commandes' } };
		const { run } = await call(new RecordsToolkit(), parameters, { name: 'count_records', args: {}, input });
		expect(JSON.stringify(run.error)).toMatch(/Commandes.*Orders/);
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
