import type { IDataObject } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const metadata = { options: { metadata: '={{ $json.meta }}', users: '={{ $json.users }}', everyone: '={{ !$json.users }}' } };
const orders = [
	{ id: 'o1', text: 'La pompe fuit.', meta: { site: 'Lyon', year: 2025, secret: 'a' } },
	{ id: 'o2', text: 'La pompe est remplacée.', meta: { site: 'Brest', year: 2026, secret: 'b' } },
	{ id: 'o3', text: 'La pompe du patron.', meta: { site: 'Lyon', year: 2026, secret: 'c' }, users: 'boss' },
];
const agentFilters = { field: [{ field: 'site', type: 'text', description: 'Lyon or Brest' }, { field: 'year', type: 'number' }] };

async function callTool(filters: unknown, options: IDataObject = {}, user = 'ann') {
	const model = scriptedModel([{ calls: [{ name: 'search_orders', args: { query: 'pompe', filters } }] }, { text: 'fini' }]);
	const run = await runWorkflow({
		nodeTypes: { ...ragNodeTypes, 'p.agent': new ReActAgent(), 'p.model': modelNode(model) },
		nodes: [
			start(),
			node('Agent', 'p.agent', {}),
			node('Model', 'p.model'),
			node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'orders', options: { agentFilters, ...options } }),
		],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Search', 'ai_tool', 'Agent']),
		input: [{ json: { query: 'Quelles pompes ?', user } }],
	});
	const data = run.runData.Search?.[0]?.data?.ai_tool?.[0]?.[0]?.json.data as Array<{ documentId: string }> | undefined;
	return { ids: data?.map(({ documentId }) => documentId).sort(), said: JSON.stringify(model.requests[1]?.messages), model };
}

describe('RAG Retriever, its options', () => {
	beforeAll(async () => {
		await indexItems('orders', orders, { parameters: metadata });
		await indexItems('notes', [{ id: 'n1', text: 'Une note sur la pompe de Lyon.' }]);
	});

	it('lets the agent filter by the fields that the builder allowed, within rights and the builder’s own filter', async () => {
		const { ids, model } = await callTool({ site: 'Lyon' });
		expect(ids).toEqual(['o1']);
		const schema = model.requests[0]?.tools?.[0]?.inputSchema as { properties: { filters: { properties: object } } };
		expect(Object.keys(schema.properties.filters.properties)).toEqual(['site', 'year', 'year_from', 'year_to']);
		expect((await callTool({ site: 'Lyon' }, {}, 'boss')).ids).toEqual(['o1', 'o3']);
		expect((await callTool({ year_from: 2026 }, {}, 'boss')).ids).toEqual(['o2', 'o3']);
		const own = { filterJson: '{"field": "year", "operator": "==", "value": 2025}' };
		expect((await callTool({ site: 'Brest' }, own)).ids).toEqual([]);
		expect((await callTool({ site: 'Lyon' }, own, 'boss')).ids).toEqual(['o1']);
	});

	it.each([
		[{ secret: 'b' }, 'secret'],
		[{ year: 'many' }, 'year'],
		[{ acl: '*' }, 'acl'],
	])('refuses filters of the agent such as %j, and tells it why', async (filters, named) => {
		const { ids, said } = await callTool(filters);
		expect(ids).toBeUndefined();
		expect(said).toContain(named);
		expect(said).not.toContain('remplacée');
	});

	it('searches several knowledge bases at once, and says where each passage comes from', async () => {
		const run = await runOne({
			type: 'retriever',
			parameters: { knowledgeBase: 'orders', query: 'pompe Lyon', options: { moreKnowledgeBases: 'notes' } },
			items: [{ json: { user: 'ann' } }],
		});
		expect(run.error).toBeUndefined();
		const [item] = run.items('N');
		expect((item?.json.documents as IDataObject[]).map(({ id }) => id)).toEqual(['notes/n1#0', 'orders/o1#0', 'orders/o2#0']);
		expect(item?.json.retrieval).toMatchObject({ knowledgeBase: 'orders, notes', found: 3 });
	});

	it.each(['blend', 'ranks', 'cascade'])('ranks by %s when asked to', async (fusion) => {
		const run = await runOne({ type: 'retriever', parameters: { knowledgeBase: 'orders', query: 'pompe fuit', options: { fusion } }, items: [{ json: {} }] });
		expect((run.items('N')[0]?.json.documents as IDataObject[])[0]).toMatchObject({ documentId: 'o1', score: 1, matched: ['pompe', 'fuit'] });
	});
});
