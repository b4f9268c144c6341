import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { testStorage } from '../../lib/n8n/storage';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { addDocuments } from './add-documents';
import { backUpIndex, exportIndex, rebuildIndex, restoreIndex } from './copy-index';
import { properties } from './description';
import { compactIndex, deleteFromIndex, describeIndex, listDocuments, setRights, verifyIndex } from './manage-index';

type Operation = (ctx: IExecuteFunctions, itemIndex: number) => Promise<IDataObject | INodeExecutionData[]>;

/** Operations that handle one item after the other; the others work on all items together. */
const operations = (): Record<string, Operation> => ({
	backup: backUpIndex,
	compact: compactIndex,
	delete: deleteFromIndex,
	describe: describeIndex,
	export: exportIndex,
	list: listDocuments,
	rebuild: rebuildIndex,
	restore: restoreIndex,
	rights: setRights,
	verify: verifyIndex,
});

export class RagIndex implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'RAG Index',
		name: 'ragIndex',
		icon: { light: 'file:rag-index.svg', dark: 'file:rag-index.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["knowledgeBase"] }}',
		description: 'Puts documents into a knowledge base, so that RAG Retriever can search them: adds, synchronises, sets rights, deletes, describes',
		defaults: { name: 'RAG Index' },
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiEmbedding, displayName: 'Embeddings', maxConnections: 1 },
		],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Done', 'Unreadable'],
		usableAsTool: undefined,
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const operation = this.getNodeParameter('operation', 0) as string;
		const manage = operations()[operation];
		if (manage) return [await eachItem(this, (itemIndex) => manage(this, itemIndex)), []];
		try {
			return await addDocuments(this);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
