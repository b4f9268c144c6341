import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { supplyReranker } from '../../lib/n8n/supply-reranker';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { properties } from './description';
import { readReranker } from './read-reranker';

export class Reranker implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Reranker',
		name: 'reranker',
		icon: { light: 'file:reranker.svg', dark: 'file:reranker.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["method"] }}',
		description: 'Puts the passages that a search found in a better order: with a model on this machine, or judged by a chat model',
		defaults: { name: 'Reranker' },
		inputs: `={{ $parameter.method === 'judge' ? [{ type: 'ai_languageModel', displayName: 'Model', required: true, maxConnections: 1 }] : [] }}`,
		outputs: [NodeConnectionTypes.AiReranker],
		outputNames: ['Reranker'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const topK = this.getNodeParameter('topK', itemIndex) as number;
			return supplyReranker(this, await readReranker(this, itemIndex), topK);
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
