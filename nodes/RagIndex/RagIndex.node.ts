import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { testStorage } from '../../lib/n8n/storage';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { addDocuments } from './add-documents';
import { properties } from './description';
import { deleteFromIndex, describeIndex } from './manage-index';

export class RagIndex implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'RAG Index',
		name: 'ragIndex',
		icon: { light: 'file:rag-index.svg', dark: 'file:rag-index.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["knowledgeBase"] }}',
		description: 'Puts documents into a knowledge base on this machine, so that RAG Retriever can search them; also deletes and describes',
		defaults: { name: 'RAG Index' },
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiEmbedding, displayName: 'Embeddings', maxConnections: 1 },
		],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Done', 'Unreadable'],
		usableAsTool: undefined,
		credentials: [{ name: 'reactEngineStorageApi', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const operation = this.getNodeParameter('operation', 0) as 'add' | 'delete' | 'describe';
		switch (operation) {
			case 'delete':
				return [await eachItem(this, (itemIndex) => deleteFromIndex(this, itemIndex)), []];
			case 'describe':
				return [await eachItem(this, (itemIndex) => describeIndex(this, itemIndex)), []];
			case 'add':
				try {
					return await addDocuments(this);
				} catch (error) {
					throw toNodeError(this.getNode(), error);
				}
		}
	}
}
