import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { runToolItems } from '../../lib/n8n/run-tool-items';
import { testStorage } from '../../lib/n8n/storage';
import { supplyRetriever, supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { inputs, outputs, properties } from './description';
import { addDocuments, foundHits, readSearch, readSearchTool } from './read-retriever';

export class RagRetriever implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'RAG Retriever',
		name: 'ragRetriever',
		icon: { light: 'file:rag-retriever.svg', dark: 'file:rag-retriever.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["knowledgeBase"] }}',
		description: 'Finds the passages of a knowledge base that answer a query, by meaning and by words: in the flow, as a tool or as a retriever',
		defaults: { name: 'RAG Retriever' },
		inputs,
		outputs,
		usableAsTool: undefined,
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('mode', 0) === 'tool') {
			return await runToolItems(this, async (itemIndex) => [await readSearchTool(this, itemIndex, 'tool')]);
		}
		return [await eachItem(this, (itemIndex) => addDocuments(this, itemIndex))];
	}

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			if (this.getNodeParameter('mode', itemIndex) === 'tool') {
				return supplyTools(this, [await readSearchTool(this, itemIndex, 'supplied')]);
			}
			const { search, topK } = await readSearch(this, itemIndex, 'supplied');
			return supplyRetriever(this, async (request) => foundHits(await search(request)), topK);
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
