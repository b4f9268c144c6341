import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';

import { toNodeError } from '../../lib/n8n/to-node-error';
import { credentials, properties } from './description';
import { startWatch } from './start-watch';

export class McpResourceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'MCP Resource Trigger',
		name: 'mcpResourceTrigger',
		icon: { light: 'file:mcp-resource-trigger.svg', dark: 'file:mcp-resource-trigger.dark.svg' },
		group: ['trigger'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["uris"] || "all resources" }}',
		description: 'Starts the workflow when the content of a resource of an MCP server really changes',
		defaults: { name: 'MCP Resource Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties,
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		try {
			return await startWatch(this);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
