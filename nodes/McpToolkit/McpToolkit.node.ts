import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { runToolItems } from '../../lib/n8n/run-tool-items';
import { supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { credentials, inputs, outputs, properties } from './description';
import { readTools } from './read-tools';
import { runOperation } from './run-operation';
import { listSearch } from './search-server';

export class McpToolkit implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MCP Toolkit',
		name: 'mcpToolkit',
		icon: { light: 'file:mcp-toolkit.svg', dark: 'file:mcp-toolkit.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["transport"] === "stdio" ? $parameter["command"] : $parameter["url"] }}',
		description: 'Gives an agent the tools of an MCP server, started by a command or reached at an address; in the flow it calls a tool, reads a resource or gets a prompt',
		defaults: { name: 'MCP Toolkit' },
		inputs,
		outputs,
		usableAsTool: undefined,
		credentials,
		properties,
	};

	methods = { listSearch };

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			return supplyTools(this, await readTools(this, itemIndex));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('mode', 0, 'tool') === 'main') return [await eachItem(this, async (itemIndex) => await runOperation(this, itemIndex))];
		return await runToolItems(this, async (itemIndex) => await readTools(this, itemIndex));
	}
}
