/** The embeddings of RAG Retriever fail when a query comes: words must do, never silently; or the node fails when it is told to. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes, runOne } from './rag-nodes';

const WARNING = 'The embeddings could not be used (The embeddings server does not answer): only words were compared';
const FAIL = { whenEmbeddingsFail: 'fail' };

/** Asks a retriever port as n8n's chains do. */
class Chain {
	description = { displayName: 'C', name: 'chain', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_retriever'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [retriever] = [await this.getInputConnectionData('ai_retriever', 0)].flat() as [{ invoke(query: string): Promise<IDataObject[]> }];
		return [(await retriever.invoke('purger en chaîne')).map((json) => ({ json }))];
	}
}

describe('RAG Retriever, when its embeddings fail at the query', () => {
	beforeAll(async () => {
		await indexItems('failing', [{ id: 'p1', text: 'Purger la pompe.' }, { id: 'p2', text: 'Fermer la vanne.' }], { embeddings: {} });
	});

	it('compares words in the flow, with a warning in the item and beside the output', async () => {
		const ask = async (options: IDataObject) =>
			await runOne({ type: 'retriever', parameters: { knowledgeBase: 'failing', query: 'purger vite', options }, embeddings: { broken: true }, items: [{ json: {} }] });
		const run = await ask({});
		expect(run.error).toBeUndefined();
		const { documents, retrieval } = run.items('N')[0]?.json as { documents: IDataObject[]; retrieval: { warnings: string[] } };
		expect(documents).toMatchObject([{ documentId: 'p1' }]);
		expect(retrieval).toMatchObject({ method: 'lexical', warnings: [expect.stringContaining(WARNING)] });
		expect(run.runData.N?.[0]?.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining(WARNING) }]);
		expect((await ask(FAIL)).error?.message).toContain('does not answer');
		const each = await ask({ output: 'items' });
		expect(each.items('N')[0]?.json).toMatchObject({ document: { documentId: 'p1' }, retrieval: { warnings: [expect.any(String)] } });
	});

	it('tells it to the agent as a tool', async () => {
		const ask = async (options: IDataObject) => {
			const model = scriptedModel([{ calls: [{ name: 'search_failing', args: { query: 'purger outil' } }] }, { text: 'fini' }]);
			const run = await runWorkflow({
				nodeTypes: { ...ragNodeTypes, 'p.agent': new ReActAgent(), 'p.model': modelNode(model) },
				nodes: [
					...[start(), node('Agent', 'p.agent', {}), node('Model', 'p.model'), node('E', 'p.embeddings', { broken: true })],
					node('Search', 'p.retriever', { mode: 'tool', knowledgeBase: 'failing', options }),
				],
				connections: connect(
					['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Search', 'ai_tool', 'Agent'], ['E', 'ai_embedding', 'Search'],
				),
				input: [{ json: { query: 'Que faire ?' } }],
			});
			return { run, said: JSON.stringify(model.requests[1]?.messages) };
		};
		const { run, said } = await ask({});
		expect(said).toContain(`(Warning: ${WARNING}`);
		expect(said).toContain('Purger la pompe.');
		expect(run.runData.Search?.[0]?.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining(WARNING) }]);
		const failed = await ask(FAIL);
		expect(failed.said).toContain('does not answer');
		expect(failed.said).not.toContain('Purger la pompe.');
	});

	it('shows it in the run of the retriever', async () => {
		const ask = async (options: IDataObject) =>
			await runWorkflow({
				nodeTypes: { ...ragNodeTypes, 'p.chain': new Chain() as never },
				nodes: [start(), node('C', 'p.chain'), node('R', 'p.retriever', { mode: 'retriever', knowledgeBase: 'failing', options }), node('E', 'p.embeddings', { broken: true })],
				connections: connect(['Start', 'main', 'C'], ['R', 'ai_retriever', 'C'], ['E', 'ai_embedding', 'R']),
			});
		const run = await ask({});
		expect(run.items('C').map(({ json }) => json.pageContent)).toEqual(['Purger la pompe.']);
		expect(run.runData.R?.[0]?.data?.ai_retriever?.[0]?.[0]?.json).toMatchObject({ warnings: [expect.stringContaining(WARNING)] });
		expect((await ask(FAIL)).error?.message).toContain('does not answer');
	});
});
