import type { IDataObject, INodeExecutionData, INodeType, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { CodedError } from '../../lib/core/errors';
import { supplyEmbedder } from '../../lib/n8n/supply';
import { ContextualCompressor } from '../../nodes/ContextualCompressor/ContextualCompressor.node';
import { RagIndex } from '../../nodes/RagIndex/RagIndex.node';
import { RagRetriever } from '../../nodes/RagRetriever/RagRetriever.node';
import { fakeEmbedder } from '../support/fake-embedder';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';

/** An embeddings node over the fake embedder; `id`, `dimension` and whether it fails by parameter. */
class FakeEmbeddings {
	description = {
		displayName: 'Fake Embeddings',
		name: 'fakeEmbeddings',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['ai_embedding'],
		properties: [
			{ displayName: 'ID', name: 'id', type: 'string', default: 'fake/words' },
			{ displayName: 'Dimension', name: 'dimension', type: 'number', default: 64 },
			{ displayName: 'Broken', name: 'broken', type: 'boolean', default: false },
		],
	};

	async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
		const id = this.getNodeParameter('id', 0) as string;
		const embedder = fakeEmbedder({ id, dimension: this.getNodeParameter('dimension', 0) as number });
		const fail = async (): Promise<never> => {
			throw new CodedError('UPSTREAM', 'The embeddings server does not answer', { retryable: true });
		};
		return supplyEmbedder(this, this.getNodeParameter('broken', 0) === true ? { ...embedder, embed: fail } : embedder);
	}
}

export const ragNodeTypes: Record<string, INodeType> = {
	'p.index': new RagIndex(),
	'p.retriever': new RagRetriever(),
	'p.compressor': new ContextualCompressor(),
	'p.embeddings': new FakeEmbeddings() as never,
};

export interface OneNode {
	readonly type: 'index' | 'retriever' | 'compressor';
	readonly parameters: IDataObject;
	readonly items: INodeExecutionData[];
	/** Parameters of the fake embeddings; absent connects none. */
	readonly embeddings?: IDataObject;
	readonly onError?: 'continueRegularOutput';
	/** Name of the storage in an Engine Storage credential. */
	readonly storage?: string;
}

/** Runs one node, named N, on items. */
export async function runOne(given: OneNode): Promise<WorkflowRun> {
	const credentials = given.storage === undefined ? {} : { credentials: { reactEngineStorageApi: { id: 'c', name: 'Storage' } } };
	return await runWorkflow({
		nodeTypes: ragNodeTypes,
		nodes: [
			start(),
			node('N', `p.${given.type}`, given.parameters, { ...credentials, ...(given.onError && { onError: given.onError }) }),
			...(given.embeddings ? [node('E', 'p.embeddings', given.embeddings)] : []),
		],
		connections: connect(['Start', 'main', 'N'], ...(given.embeddings ? ([['E', 'ai_embedding', 'N']] as const) : [])),
		input: given.items,
		...(given.storage !== undefined && { credentials: { Storage: { storage: given.storage } } }),
	});
}

/** Puts documents into a knowledge base with RAG Index. */
export async function indexItems(knowledgeBase: string, items: IDataObject[], more: Partial<OneNode> = {}): Promise<WorkflowRun> {
	const parameters = { knowledgeBase, ...more.parameters };
	return await runOne({ type: 'index', items: items.map((json) => ({ json })), ...more, parameters });
}
