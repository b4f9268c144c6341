import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import type { Tool } from '../../lib/core/tool';
import { POSTGRES_CREDENTIALS, readRecordsSource } from '../../lib/n8n/read-records-source';
import { runToolItems } from '../../lib/n8n/run-tool-items';
import { supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { loadRows } from '../../lib/toolkits/records/load-rows';
import { recordTools } from '../../lib/toolkits/records/record-tools';
import { properties } from './description';

export class RecordsToolkit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Records Toolkit',
		name: 'recordsToolkit',
		icon: { light: 'file:records-toolkit.svg', dark: 'file:records-toolkit.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["about"] }}',
		description: 'Gives an agent tools that find, count and add up rows exactly: every row is looked at, no figure is estimated',
		defaults: { name: 'Records Toolkit' },
		inputs: [],
		credentials: POSTGRES_CREDENTIALS,
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tools'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			return supplyTools(this, await readTools(this, itemIndex));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runToolItems(this, async (itemIndex) => await readTools(this, itemIndex));
	}
}

async function readTools(ctx: ISupplyDataFunctions | IExecuteFunctions, itemIndex: number): Promise<Tool[]> {
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const table = await loadRows(await readRecordsSource(ctx, itemIndex), ctx.getTimezone());
	const about = String(ctx.getNodeParameter('about', itemIndex, 'records'));
	return recordTools(table, { about, prefix: String(options.prefix ?? '') });
}
