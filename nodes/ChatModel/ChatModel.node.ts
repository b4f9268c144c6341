import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { portsOf } from '../../lib/n8n/ports';
import { testStorage } from '../../lib/n8n/storage';
import { supplyModel } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { loadChatModel } from '../../lib/providers/registry';
import { credentials, properties } from './description';
import { searchModels } from './search-models';
import { readSettings } from './read-settings';

export class ChatModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chat Model',
		name: 'chatModel',
		icon: { light: 'file:chat-model.svg', dark: 'file:chat-model.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle:
			'={{ ({ replay: "Replay: no model is called", local: $parameter["localModel"], mistral: $parameter["mistralModel"]?.value, ollama: $parameter["ollamaModel"]?.value })[$parameter["provider"]] ?? $parameter["model"]?.value }}',
		description: 'The language model behind an agent: Mistral, Ollama, any OpenAI-compatible server (vLLM, DeepInfra, OpenRouter …), a small one on this machine, or a replayed script',
		defaults: { name: 'Chat Model' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		usableAsTool: undefined,
		credentials,
		properties,
	};

	methods = { listSearch: { searchModels }, credentialTest: { testStorage } };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const { provider, settings } = await readSettings(this, itemIndex);
			return supplyModel(this, loadChatModel(provider, settings, portsOf(this)));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
