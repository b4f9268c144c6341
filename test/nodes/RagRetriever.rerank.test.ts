import type { IDataObject, INodeType, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import type { Hit } from '../../lib/core/document';
import { supplyReranker } from '../../lib/n8n/supply-reranker';
import { RagRetriever } from '../../nodes/RagRetriever/RagRetriever.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { indexItems, ragNodeTypes } from './rag-nodes';

/** A reranker of ours that puts the longest passage first. */
class LongestFirst {
	description = { displayName: 'L', name: 'longest', group: [], version: 1, description: '', defaults: {}, inputs: [], outputs: ['ai_reranker'], properties: [] };

	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		return supplyReranker(this, async ({ hits }) => {
			const ranked = [...hits].sort((a, b) => b.text.length - a.text.length);
			return ranked.map((hit, at) => ({ ...hit, score: 1 / (at + 1), scores: { ...hit.scores, rerank: hit.text.length } }));
		}, 6);
	}
}

/** n8n's shape, without our mark: the last comes first. */
class Backwards {
	description = { ...new LongestFirst().description, name: 'backwards' };

	async supplyData(): Promise<SupplyData> {
		const compressDocuments = async (pages: { metadata: object }[]): Promise<object[]> =>
			[...pages].reverse().map((page, at) => ({ ...page, metadata: { ...page.metadata, relevanceScore: 1 - at / 10 } }));
		return { response: { compressDocuments } };
	}
}

/** What is not a reranker. */
class Nonsense {
	description = { ...new LongestFirst().description, name: 'nonsense' };

	async supplyData(): Promise<SupplyData> {
		return { response: { anything: 1 } };
	}
}

const TYPES: Record<string, INodeType> = {
	...ragNodeTypes,
	'p.agent': new ReActAgent(),
	'p.longest': new LongestFirst() as never,
	'p.backwards': new Backwards() as never,
	'p.nonsense': new Nonsense() as never,
};

async function retrieve(parameters: IDataObject, reranker: string, query = 'pump'): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: TYPES,
		nodes: [start(), node('N', 'p.retriever', { knowledgeBase: 'ranked', query, ...parameters }), node('R', reranker)],
		connections: connect(['Start', 'main', 'N'], ['R', 'ai_reranker', 'N']),
		input: [{ json: { keep: 1 } }],
	});
}

const found = (run: WorkflowRun): Hit[] => run.items('N')[0]?.json.documents as unknown as Hit[];
const ids = (run: WorkflowRun): string[] => found(run).map(({ documentId }) => documentId);

describe('RAG Retriever with a Reranker', () => {
	beforeAll(async () => {
		await indexItems('ranked', [
			{ id: 'short', text: 'Pump, pump.' },
			{ id: 'middle', text: 'The pump is in hall two.' },
			{ id: 'long', text: 'When the shift begins, look at the gauge, note its value, and only then turn the pump on.' },
			{ id: 'other', text: 'Lunch is at noon.' },
		]);
	});

	it('gives the best of more passages than are wanted, in the order of the reranker', async () => {
		const run = await retrieve({ topK: 1 }, 'p.longest');
		expect(run.error).toBeUndefined();
		expect(ids(run)).toEqual(['long']);
		expect(found(run)[0]?.scores).toMatchObject({ lexical: expect.any(Number), rerank: expect.any(Number) });
		expect(run.items('N')[0]?.json).toMatchObject({ keep: 1, retrieval: { found: 1, reranked: 3 } });
		expect(run.runData['R']).toHaveLength(1);
	});

	it('lets the option decide how many passages are looked at, at least those that are wanted', async () => {
		expect(ids(await retrieve({ topK: 1, options: { candidates: 2 } }, 'p.longest'))).toEqual(['middle']);
		expect(ids(await retrieve({ topK: 3, options: { candidates: 1 } }, 'p.longest'))).toEqual(['long', 'middle', 'short']);
	});

	it('takes n8n’s rerankers by their shape', async () => {
		const run = await retrieve({ topK: 2 }, 'p.backwards');
		const [best, second] = found(run);
		expect([best?.scores?.rerank, second?.scores?.rerank]).toEqual([1, 0.9]);
		expect(best!.scores!.first).toBeLessThan(second!.scores!.first!);
	});

	it('asks no reranker when nothing is found', async () => {
		const run = await retrieve({}, 'p.longest', 'zebra');
		expect(run.error).toBeUndefined();
		expect(found(run)).toEqual([]);
		expect(run.runData['R']?.flatMap(({ data }) => data?.ai_reranker ?? []) ?? []).toEqual([]);
	});

	it('stops with what to change when something else is connected', async () => {
		expect((await retrieve({}, 'p.nonsense')).error?.message).toBe('What is connected to the Reranker input is not a reranker');
	});

	it('reranks for an agent too', async () => {
		const model = scriptedModel([{ calls: [{ name: 'search_ranked', args: { query: 'pump', max_results: 1 } }] }, { text: 'Look at the gauge.' }]);
		const run = await runWorkflow({
			nodeTypes: { ...TYPES, 'p.model': modelNode(model) },
			nodes: [start(), node('Agent', 'p.agent'), node('Model', 'p.model'), node('N', 'p.retriever', { mode: 'tool', knowledgeBase: 'ranked' }), node('R', 'p.longest')],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['N', 'ai_tool', 'Agent'], ['R', 'ai_reranker', 'N']),
			input: [{ json: { query: 'How is the pump started?' } }],
		});
		expect(run.error).toBeUndefined();
		const observed = JSON.stringify(model.requests[1]?.messages.at(-1));
		expect(observed).toContain('look at the gauge');
		expect(observed).not.toContain('hall two');
	});

	it('has the input in every mode', () => {
		expect(new RagRetriever().description.inputs).toContain('{ type: "ai_reranker", displayName: "Reranker", maxConnections: 1 }');
	});
});
