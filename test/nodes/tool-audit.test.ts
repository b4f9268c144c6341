import type { IDataObject } from 'n8n-workflow';
import { ToolAudit } from '../../nodes/ToolAudit/ToolAudit.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { tool, toolNode } from '../support/test-nodes';

const tools = [
	tool('stock_level', () => ({ text: '' }), { intent: 'Gives the stock of a part.', description: 'Gives the stock of a part.' }),
	tool('weather', () => ({ text: '' }), { intent: 'Gives the weather.', description: 'Gives the weather.' }),
];

async function audit(parameters: IDataObject, query = 'stock') {
	const run = await runWorkflow({
		nodeTypes: { 'p.audit': new ToolAudit(), 'p.tools': toolNode(() => tools) },
		nodes: [start(), node('Audit', 'p.audit', parameters), node('Tools', 'p.tools'), node('More', 'p.tools')],
		connections: connect(['Start', 'main', 'Audit'], ['Tools', 'ai_tool', 'Audit'], ['More', 'ai_tool', 'Audit']),
		input: [{ json: { query, kept: 1 } }],
	});
	expect(run.error).toBeUndefined();
	return run.items('Audit');
}

describe('Tool Audit', () => {
	it('adds the audit and its table to the item, with aliases for names that two nodes share', async () => {
		const [item] = await audit({});
		const { audit: found, table, kept } = item?.json as { audit: { totals: { tools: number }; collisions: IDataObject[]; ranking: IDataObject[] }; table: string; kept: number };
		expect([found.totals.tools, kept]).toEqual([4, 1]);
		expect(found.collisions).toContainEqual(expect.objectContaining({ why: 'same name', nodes: ['Tools', 'More'] }));
		expect(String(found.ranking[0]?.name)).toMatch(/^stock_level_[0-9a-f]{8}$/);
		expect(table).toContain('### Too alike');
	});

	it('gives one item per tool, as rows that the Tool Router takes as intents', async () => {
		const items = await audit({ output: 'tools' });
		expect(items).toHaveLength(4);
		expect(items[0]).toMatchObject({ json: { originalName: 'stock_level', node: 'Tools', intent: 'Gives the stock of a part.', intentFrom: 'description' }, pairedItem: { item: 0 } });
	});
});
