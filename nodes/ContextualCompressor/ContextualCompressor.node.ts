import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { supplyRetriever } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { compressItem } from './compress-item';
import { compressingRetriever } from './compressing-retriever';
import { inputs, outputs, properties } from './description';

export class ContextualCompressor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contextual Compressor',
		name: 'contextualCompressor',
		icon: { light: 'file:contextual-compressor.svg', dark: 'file:contextual-compressor.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["method"] + ", keeps " + $parameter["keep"] + " %" }}',
		description: 'Shortens found passages to what the question and the conversation need, before they go into a prompt',
		defaults: { name: 'Contextual Compressor' },
		inputs,
		outputs,
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, async (itemIndex) => [await compressItem(this, itemIndex)])];
	}

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const { retriever, topK } = await compressingRetriever(this, itemIndex);
			return supplyRetriever(this, retriever, topK);
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
