import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { condense } from '../../lib/chat/condense';
import { CodedError } from '../../lib/core/errors';
import { connectedModel } from '../../lib/n8n/connected';
import { eachItem } from '../../lib/n8n/each-item';
import { portsOf } from '../../lib/n8n/ports';
import { readHistory } from '../../lib/n8n/read-history';
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

async function condenseItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const given = ctx.getNodeParameter('query', itemIndex, '') as unknown;
	const question = typeof given === 'string' ? given.trim() : '';
	if (question === '') {
		throw new CodedError('BAD_INPUT', 'There is no question to condense', {
			remedy: 'Let the field Question give a text, for example {{ $json.question }}.',
		});
	}
	const history = readHistory(ctx.getNodeParameter('history', itemIndex, ''));
	const skip = ctx.getNodeParameter('skip', itemIndex, false) === true;
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const model = async () => await connectedModel(ctx, itemIndex);
	const { query, original, ...details } = await condense({ question, history, skip }, { model, ports: portsOf(ctx), signal });
	if (details.how === 'original') ctx.addExecutionHints({ message: `The question stayed as it was: ${details.reason}`, type: 'warning', location: 'outputPane' });
	const item = ctx.getInputData()[itemIndex];
	const condensing = details as unknown as IDataObject;
	return { ...item, json: { ...item?.json, query, originalQuery: original, condensing }, pairedItem: { item: itemIndex } };
}
