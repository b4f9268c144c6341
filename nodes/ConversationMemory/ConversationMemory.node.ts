import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { sharedMemoryKey } from '../../lib/n8n/memory-key';
import { testStorage } from '../../lib/n8n/storage';
import { supplyMemory } from '../../lib/n8n/supply-memory';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { inputs, outputs, properties } from './description';
import { readConversation } from './read-conversation';
import { runOperation } from './run-operation';

export class ConversationMemory implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Memory',
		name: 'conversationMemory',
		icon: { light: 'file:conversation-memory.svg', dark: 'file:conversation-memory.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["mode"] === "main" ? $parameter["operation"] : $parameter["memory"] }}',
		description: 'Remembers conversations for good, tool use included, each person’s apart: for agents and chats, or to export and delete what was kept',
		defaults: { name: 'Conversation Memory' },
		inputs,
		outputs,
		usableAsTool: undefined,
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, (itemIndex) => runOperation(this, itemIndex))];
	}

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const open = await readConversation(this, itemIndex);
			return supplyMemory(this, () => open(), () => open(sharedMemoryKey(this, itemIndex)));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
