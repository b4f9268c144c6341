import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { supplyEmbedder } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { credentials, properties } from './description';
import { readEmbedder } from './read-embedder';
import { searchModels } from './search-models';

export class Embeddings implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Embeddings',
		name: 'embeddings',
		icon: { light: 'file:embeddings.svg', dark: 'file:embeddings.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle:
			'={{ ({ local: $parameter["localModel"], mistral: $parameter["mistralModel"]?.value, ollama: $parameter["ollamaModel"]?.value })[$parameter["provider"]] ?? $parameter["model"]?.value }}',
		description: 'Turns texts into vectors for search and routing: on this machine (no text leaves it), at Mistral, Ollama or an OpenAI-compatible server',
		defaults: { name: 'Embeddings' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiEmbedding],
		outputNames: ['Embeddings'],
		usableAsTool: undefined,
		credentials,
		properties,
	};

	methods = { listSearch: { searchModels } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			return supplyEmbedder(this, await readEmbedder(this, itemIndex));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
