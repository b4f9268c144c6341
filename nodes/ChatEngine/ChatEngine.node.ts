import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { runChatItem } from '../../lib/n8n/chat/run-chat';
import { eachItem } from '../../lib/n8n/each-item';
import { inputs, properties } from './description';

export class ChatEngine implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chat Engine',
		name: 'chatEngine',
		icon: { light: 'file:chat-engine.svg', dark: 'file:chat-engine.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["documentsFrom"] === "item" ? "from the item\'s documents" : "from a retriever" }}',
		description: 'Answers questions from your documents, with numbered sources, and follows the conversation. It takes no actions: for those use the ReAct Agent.',
		defaults: { name: 'Chat Engine' },
		inputs,
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, (itemIndex) => runChatItem(this, itemIndex))];
	}
}
