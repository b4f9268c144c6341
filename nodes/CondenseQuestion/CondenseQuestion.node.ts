import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { condenseItem } from './condense-item';
import { properties } from './description';

export class CondenseQuestion implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Condense Question',
		name: 'condenseQuestion',
		icon: { light: 'file:condense-question.svg', dark: 'file:condense-question.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		description: 'Turns a follow-up question and its history into one that stands alone, so that a search finds what is meant',
		subtitle: '={{ $parameter["skip"] === true ? "skipped" : "" }}',
		defaults: { name: 'Condense Question' },
		inputs: [
			NodeConnectionTypes.Main,
			{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Model', maxConnections: 1, required: true },
		],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await eachItem(this, async (itemIndex) => [await condenseItem(this, itemIndex)])];
	}
}
