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
import { portsOf } from '../../lib/n8n/ports';
import { runToolItems } from '../../lib/n8n/run-tool-items';
import { supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { generalTools, type ToolGroup } from '../../lib/toolkits/general-tools';
import type { NumberLocale } from '../../lib/toolkits/read-number';
import { properties } from './description';

export class GeneralToolkit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'General Toolkit',
		name: 'generalToolkit',
		icon: { light: 'file:general-toolkit.svg', dark: 'file:general-toolkit.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["groups"].join(", ") }}',
		description: 'Gives an agent exact tools for arithmetic, statistics, dates, text, lists, units and charts',
		defaults: { name: 'General Toolkit' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tools'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			return supplyTools(this, readTools(this, itemIndex));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runToolItems(this, async (itemIndex) => readTools(this, itemIndex));
	}
}

function readTools(ctx: ISupplyDataFunctions | IExecuteFunctions, itemIndex: number): Tool[] {
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	return generalTools({
		groups: ctx.getNodeParameter('groups', itemIndex, []) as ToolGroup[],
		timezone: String(options.timezone ?? '') || ctx.getTimezone(),
		locale: (options.locale ?? 'auto') as NumberLocale,
		clock: portsOf(ctx).clock,
	});
}
