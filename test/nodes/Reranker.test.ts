import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type INodeType, type SupplyData } from 'n8n-workflow';
import { stopModelHosts } from '../../lib/inference/model-host-client';
import { eachItem } from '../../lib/n8n/each-item';
import { connectedReranker } from '../../lib/n8n/supply-reranker';
import { ChatModel } from '../../nodes/ChatModel/ChatModel.node';
import { Reranker } from '../../nodes/Reranker/Reranker.node';
import { writeCrossEncoder, writeEncoder } from '../support/tiny-models';

const TEXTS = ['invoice', 'pump', 'leak oil'];
interface Page {
	readonly pageContent: string;
	readonly metadata?: Record<string, unknown>;
}

/** Reranks the texts: through our mark, and as n8n's vector stores do. */
class Sorter {
	description = { displayName: 'S', name: 'sorter', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_reranker'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [
			await eachItem(this, async (i) => {
				const ours = await connectedReranker(this, i);
				const hits = await ours!({ query: 'pump', hits: TEXTS.map((text, at) => ({ id: text, documentId: text, text, meta: {}, score: 1 - at / 10 })) });
				const supplied = (await this.getInputConnectionData(NodeConnectionTypes.AiReranker, i)) as { compressDocuments(pages: Page[], query: string): Promise<Page[]> };
				const foreign = [supplied].flat()[0]!;
				const pages = await foreign.compressDocuments(TEXTS.map((pageContent, at) => ({ pageContent, metadata: { at } })), 'pump');
				return {
					ours: hits.map(({ id }) => id),
					theirs: pages.map(({ pageContent }) => pageContent),
					first: pages[0]?.metadata as IDataObject,
				};
			}),
		];
	}
}

/** n8n's shape without our mark: puts the shortest first. */
class ForeignReranker {
	description = { displayName: 'F', name: 'foreign', group: [], version: 1, description: '', defaults: {}, inputs: [], outputs: ['ai_reranker'], properties: [] };

	async supplyData(): Promise<SupplyData> {
		const compressDocuments = async (pages: Page[]): Promise<Page[]> =>
			[...pages]
				.sort((a, b) => a.pageContent.length - b.pageContent.length)
				.map((page, at) => ({ ...page, metadata: { ...page.metadata, relevanceScore: 1 / (at + 1) } }));
		return { response: { compressDocuments } };
	}
}

describe('Reranker node', () => {
	let folder: string;
	beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'rerank-'))));
	afterAll(() => {
		stopModelHosts();
		rmSync(folder, { recursive: true });
	});

	async function sort(parameters: IDataObject, type = 'reranker'): Promise<WorkflowRun> {
		const script = '[{"answer":"{\\"grades\\":[1,2,9]}"}]';
		const isJudge = parameters.method === 'judge';
		return await runWorkflow({
			nodeTypes: { sorter: new Sorter() as unknown as INodeType, reranker: new Reranker(), foreign: new ForeignReranker() as unknown as INodeType, chatModel: new ChatModel() },
			nodes: [start(), node('S', 'sorter'), node('R', type, { topK: 2, weight: 1, ...parameters }), node('M', 'chatModel', { provider: 'replay', scriptName: 'judge', script })],
			connections: connect(['Start', 'main', 'S'], ['R', 'ai_reranker', 'S'], ...(isJudge ? ([['M', 'ai_languageModel', 'R']] as const) : [])),
			input: [{ json: {} }],
		});
	}

	it('uses a cross-encoder on this machine, for our nodes and for n8n’s; uses are shown', async () => {
		const model = writeCrossEncoder(path.join(folder, 'cross'), { leak: 2, oil: 1, invoice: -2, pump: 0 });
		const run = await sort({ method: 'cross-encoder', localModel: model, dtype: 'fp32' });
		expect(run.error).toBeUndefined();
		expect(run.items('S')[0]?.json).toEqual({ ours: ['leak oil', 'pump', 'invoice'], theirs: ['leak oil', 'pump'], first: { at: 2, relevanceScore: 1 } });
		expect(run.runData['R']).toHaveLength(2);
	});

	it('blends late interaction with the first score', async () => {
		const model = writeEncoder(path.join(folder, 'encoder'), ['pump', 'leak', 'oil', 'invoice']);
		const run = await sort({ method: 'late-interaction', localModel: model, dtype: 'fp32', weight: 0.6 });
		expect(run.items('S')[0]?.json.ours).toEqual(['pump', 'invoice', 'leak oil']);
	});

	it('lets the connected chat model judge', async () => {
		const run = await sort({ method: 'judge' });
		expect(run.error).toBeUndefined();
		expect(run.items('S')[0]?.json.ours).toEqual(['leak oil', 'pump', 'invoice']);
	});

	it('our nodes take n8n’s rerankers by their shape', async () => {
		const run = await sort({}, 'foreign');
		expect(run.items('S')[0]?.json.ours).toEqual(['pump', 'invoice', 'leak oil']);
	});

	it.each([
		[{ method: 'cross-encoder', localModel: 'lab/none', dtype: 'q8', options: { download: false } }, /"lab\/none" is not installed/],
		[{ method: 'cross-encoder', localModel: 'x', dtype: 'q8', weight: 3 }, /weight of the reranker is 3/],
	])('stops with what to change for %j', async (parameters, message) => {
		expect(`${(await sort(parameters)).error?.message} ${JSON.stringify((await sort(parameters)).error)}`).toMatch(message);
	});
});
