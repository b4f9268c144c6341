import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const procedures = [
	{ id: 'p1', text: '# Pompe N-92c\n\nPurger la pompe avant le démarrage.', title: 'Pompes' },
	{ id: 'p2', text: 'Close the valve P101/A. Then call the shift leader.', title: 'Valves' },
	{ id: 'p3', text: 'Le déjeuner est servi à midi.', title: 'Cantine' },
];

/** Asks a retriever port as n8n's chains do: `invoke`, LangChain documents back. */
class Chain {
	description = { displayName: 'C', name: 'chain', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_retriever'], outputs: ['main'], properties: [] };

	async execute(this: { getInputConnectionData(type: string, item: number): Promise<unknown> }) {
		const [retriever] = [await this.getInputConnectionData('ai_retriever', 0)].flat() as [{ invoke(query: string): Promise<object[]> }];
		return [(await retriever.invoke('purger pompe')).map((json) => ({ json }))];
	}
}

describe('RAG Retriever', () => {
	beforeAll(async () => {
		await indexItems('shop', procedures, { embeddings: {} });
		await indexItems('words', procedures);
	});

	it('adds documents to each item and keeps the rest', async () => {
		const run = await runOne({
			type: 'retriever',
			parameters: { knowledgeBase: 'shop' },
			embeddings: {},
			items: [{ json: { query: 'purger N92C', keep: 1 } }, { json: { chatInput: 'valve' } }],
		});
		expect(run.error).toBeUndefined();
		const [first, second] = run.items('N');
		expect(first?.json).toMatchObject({ keep: 1, retrieval: { knowledgeBase: 'shop', method: 'hybrid', found: 3, notes: [] } });
		expect((first?.json.documents as object[])[0]).toMatchObject({ id: 'p1#0', title: 'Pompes', section: 'Pompe N-92c', score: 1 });
		expect((second?.json.documents as object[])[0]).toMatchObject({ documentId: 'p2' });
		expect(run.items('N').map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(run.runData.E).toHaveLength(2);
	});

	it('gives one item per passage when asked to', async () => {
		const run = await runOne({
			type: 'retriever',
			parameters: { knowledgeBase: 'words', query: 'pompe', options: { output: 'items' } },
			items: [{ json: { a: 1 } }],
		});
		expect(run.items('N').map((item) => item.json)).toMatchObject([{ a: 1, document: { documentId: 'p1' } }]);
	});

	it('says that it compared words only, and why', async () => {
		const run = await runOne({ type: 'retriever', parameters: { knowledgeBase: 'words', query: 'pompe' }, items: [{ json: {} }] });
		const notes = ['Only words were compared: no embeddings are connected.'];
		expect(run.items('N')[0]?.json.retrieval).toMatchObject({ method: 'lexical', notes });
		expect(run.runData.N?.[0]?.hints?.map((hint) => hint.message)).toEqual(notes);
	});

	it('fails one item without a query, or for a knowledge base that does not exist, and goes on', async () => {
		const run = await runOne({
			type: 'retriever',
			parameters: { knowledgeBase: '={{ $json.base }}' },
			onError: 'continueRegularOutput',
			items: [{ json: { base: 'words' } }, { json: { base: 'nowhere', query: 'x' } }, { json: { base: 'words', query: 'pompe' } }],
		});
		expect(run.items('N').map((item) => item.json.error ?? 'fine')).toEqual([
			'There is no query to search for',
			'There is no knowledge base "nowhere"',
			'fine',
		]);
	});

	it('is a tool for the agent, run by the engine, with a name from the knowledge base', async () => {
		const model = scriptedModel([
			{ calls: [{ name: 'search_shop', args: { query: 'purger N-92c', max_results: 1 } }] },
			{ text: 'Purger la pompe [1].' },
		]);
		const run = await runWorkflow({
			nodeTypes: { ...ragNodeTypes, 'p.agent': new ReActAgent(), 'p.model': modelNode(model) },
			nodes: [
				start(),
				node('Agent', 'p.agent', {}),
				node('Model', 'p.model'),
				node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'shop', intent: 'Find procedures' }),
				node('E', 'p.embeddings'),
			],
			connections: connect(
				['Start', 'main', 'Agent'],
				['Model', 'ai_languageModel', 'Agent'],
				['Search', 'ai_tool', 'Agent'],
				['E', 'ai_embedding', 'Search'],
			),
			input: [{ json: { query: 'Que faire avant le démarrage ?' } }],
		});
		expect(run.error).toBeUndefined();
		expect(run.items('Agent')[0]?.json.output).toBe('Purger la pompe [1].');
		expect(model.requests[0]?.tools?.[0]).toMatchObject({ name: 'search_shop', description: expect.stringContaining('Find procedures') });
		const observed = JSON.stringify(model.requests[1]?.messages);
		expect(observed).toContain('[1] Pompes › Pompe N-92c');
		expect(observed).not.toContain('Cantine');
		expect(run.runData.Search).toHaveLength(1);
	});

	it("is a retriever for n8n's chains", async () => {
		const run = await runWorkflow({
			nodeTypes: { ...ragNodeTypes, 'p.chain': new Chain() as never },
			nodes: [start(), node('C', 'p.chain'), node('R', 'p.retriever', { mode: 'retriever', knowledgeBase: 'words', topK: 1 })],
			connections: connect(['Start', 'main', 'C'], ['R', 'ai_retriever', 'C']),
		});
		expect(run.error).toBeUndefined();
		expect(run.items('C').map((item) => item.json)).toMatchObject([
			{ pageContent: expect.stringContaining('Purger la pompe'), metadata: { documentId: 'p1', title: 'Pompes' } },
		]);
		expect(run.runData.R).toHaveLength(1);
	});
});
