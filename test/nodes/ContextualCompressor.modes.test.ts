import type { IExecuteFunctions, INodeExecutionData, INodeType, SupplyData } from 'n8n-workflow';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel, type ScriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import { ragNodeTypes } from './rag-nodes';

const PASSAGES = [
	{ pageContent: 'La chaudière est au sous-sol. La pompe travaille à 3,5 bar de pression.', metadata: { source: 'manuel.pdf', page: 4 } },
	{ pageContent: 'Le déjeuner est servi à midi. Le café est offert.', metadata: { source: 'menu.pdf' } },
	{ pageContent: 'La pression du réseau est relevée le lundi.', metadata: { source: 'rondes.pdf' } },
];

/** A node of another package that supplies an object by n8n's shape. */
function supplies(type: string, response: object): INodeType {
	return {
		description: { displayName: type, name: type, group: [], version: 1, description: '', defaults: {}, inputs: [], outputs: [type], properties: [] } as never,
		supplyData: async (): Promise<SupplyData> => ({ response }),
	};
}

/** As n8n's Question and Answer Chain asks its retriever. */
const chain: INodeType = {
	description: {
		...{ displayName: 'Chain', name: 'chain', group: [], version: 1, description: '', defaults: {}, properties: [], outputs: ['main'] },
		inputs: ['main', { type: 'ai_retriever', maxConnections: 1, required: true }],
	} as never,
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const retriever = (await this.getInputConnectionData('ai_retriever', 0)) as { invoke(query: string): Promise<object[]> };
		return [await Promise.all(items.map(async ({ json }, item) => ({ json: { found: await retriever.invoke(String(json.query)) } as never, pairedItem: { item } })))];
	},
};

const asked: { queries: string[] } = { queries: [] };
const search = supplies('ai_retriever', {
	invoke: async (query: string) => {
		asked.queries.push(query);
		return PASSAGES;
	},
});
/** Puts the last first, as no other method would. */
const backwards = supplies('ai_reranker', {
	compressDocuments: async (documents: { metadata: object }[]) =>
		[...documents].reverse().map((document, at) => ({ ...document, metadata: { ...document.metadata, relevanceScore: 1 / (at + 1) } })),
});

async function runAll(parameters: object, links: Parameters<typeof connect>, more: { model?: ScriptedModel; query?: string } = {}): Promise<WorkflowRun> {
	const { model = scriptedModel([]), query = 'Quelle pression pour la pompe ?' } = more;
	return await runWorkflow({
		nodeTypes: { ...ragNodeTypes, 'p.chain': chain, 'p.search': search, 'p.backwards': backwards, 'p.model': modelNode(model) },
		nodes: [start(), node('C', 'p.compressor', parameters as never), node('Chain', 'p.chain'), node('S', 'p.search'), node('B', 'p.backwards'), node('M', 'p.model')],
		connections: connect(...links),
		input: [{ json: { query, documents: PASSAGES } }],
	});
}

describe('Contextual Compressor as a retriever', () => {
	const wired: Parameters<typeof connect> = [['Start', 'main', 'Chain'], ['C', 'ai_retriever', 'Chain'], ['S', 'ai_retriever', 'C']];

	it("gives n8n's chain fewer and shorter documents of n8n's retriever, with their metadata", async () => {
		asked.queries.length = 0;
		const run = await runAll({ mode: 'retriever', keep: 30 }, wired);
		expect(run.error).toBeUndefined();
		expect(asked.queries).toEqual(['Quelle pression pour la pompe ?']);
		expect(run.items('Chain')[0]?.json.found).toMatchObject([
			{ pageContent: 'La pompe travaille à 3,5 bar de pression.', metadata: { source: 'manuel.pdf', page: 4 } },
		]);
	});

	it('shows its work as a run of its own and follows the history of the item', async () => {
		const run = await runAll({ mode: 'retriever', keep: 30, history: '["Parlons de la chaudière."]' }, wired, { query: 'Et où est-elle ?' });
		expect(JSON.stringify(run.items('Chain')[0]?.json)).toContain('sous-sol');
		expect(run.runData.C?.[0]?.data?.ai_retriever?.[0]?.[0]?.json).toMatchObject({
			documents: [{ text: 'La chaudière est au sous-sol.', source: 'manuel.pdf' }, {}],
		});
	});

	it('says what to connect when there is no retriever', async () => {
		const run = await runAll({ mode: 'retriever' }, wired.slice(0, 2) as typeof wired);
		expect(JSON.stringify([run.error?.message, run.error?.cause, run.runData])).toContain('Retriever');
	});
});

describe('Contextual Compressor with other nodes', () => {
	it("lets n8n's reranker choose the passages first", async () => {
		const run = await runAll({ method: 'extract', keep: 100, options: { keepPassages: 1 } }, [['Start', 'main', 'C'], ['B', 'ai_reranker', 'C']]);
		expect(run.error).toBeUndefined();
		expect(run.items('C')[0]?.json).toMatchObject({
			documents: [{ text: 'La pression du réseau est relevée le lundi.', source: 'rondes.pdf' }],
			compression: { steps: [{ step: 'rerank', documents: 1 }, { step: 'extract', documents: 1 }] },
		});
	});

	it('lets the model sum up, with the ids, and shows its calls on the canvas', async () => {
		const model = scriptedModel([{ text: 'La pompe : 3,5 bar.' }, { text: 'NONE' }, { text: 'NONE' }]);
		const run = await runAll({ method: 'summary', keep: 100, options: { maxParallel: 1 } }, [['Start', 'main', 'C'], ['M', 'ai_languageModel', 'C']], { model });
		expect(run.error).toBeUndefined();
		expect(run.items('C')[0]?.json).toMatchObject({
			documents: [{ text: 'La pompe : 3,5 bar. [1]', meta: { page: 4 } }],
			compression: { method: 'summary', model: { calls: 3 } },
		});
		expect(run.runData.M).toHaveLength(3);
	});

	it('does the steps of an own order', async () => {
		const model = scriptedModel([{ text: '{"quotes": ["La pompe travaille à 3,5 bar de pression."]}' }]);
		const run = await runAll(
			{ method: 'chain', keep: 100, chain: { steps: [{ step: 'filter' }, { step: 'quotes' }] }, options: { minRelevance: 90 } },
			[['Start', 'main', 'C'], ['M', 'ai_languageModel', 'C']],
			{ model },
		);
		expect(run.items('C')[0]?.json).toMatchObject({ compression: { steps: [{ step: 'filter', documents: 1 }, { step: 'quotes', documents: 1 }] } });
	});
});
