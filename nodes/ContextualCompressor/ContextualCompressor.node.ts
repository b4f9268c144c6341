import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { compress, type CompressRequest } from '../../lib/compression/compress';
import { readHistory, readPassages } from '../../lib/compression/read-passages';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { eachItem } from '../../lib/n8n/each-item';
import { properties } from './description';

export class ContextualCompressor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contextual Compressor',
		name: 'contextualCompressor',
		icon: { light: 'file:contextual-compressor.svg', dark: 'file:contextual-compressor.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["method"] + ", keeps " + $parameter["keep"] + " %" }}',
		description: 'Shortens passages to what the question and the conversation need, word for word and without a model',
		defaults: { name: 'Contextual Compressor' },
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiEmbedding, displayName: 'Embeddings', maxConnections: 1 },
		],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, async (itemIndex) => [await compressItem(this, itemIndex)])];
	}
}

function readRequest(ctx: IExecuteFunctions, itemIndex: number): CompressRequest {
	const read = (name: string, fallback?: unknown): unknown => ctx.getNodeParameter(name, itemIndex, fallback);
	const query = read('query');
	return {
		query: typeof query === 'string' ? query : '',
		history: readHistory(read('history')),
		documents: readPassages(read('documents')),
		method: read('method') as CompressRequest['method'],
		keepShare: (read('keep') as number) / 100,
		maxTokens: read('maxTokens') as number,
		minRelevance: (read('options.minRelevance', 0) as number) / 100,
	};
}

async function compressItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const request = readRequest(ctx, itemIndex);
	const embedder = await connectedEmbedder(ctx, itemIndex);
	const signal = ctx.getExecutionCancelSignal();
	const result = await compress(request, { ...(embedder && { embedder }), ...(signal && { signal }) });
	for (const message of result.compression.warnings) ctx.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	const item = ctx.getInputData()[itemIndex];
	return {
		...item,
		json: { ...item?.json, ...(result as unknown as IDataObject) },
		pairedItem: { item: itemIndex },
	};
}
