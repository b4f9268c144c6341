import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { toolsByName } from '../../lib/n8n/connected-tools';
import { readRouting } from '../../lib/n8n/read-routing';
import { passCallsOn, supplyRoute } from '../../lib/n8n/routed-tools';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { routeTools } from '../../lib/routing/tool-router';
import { properties } from './description';

export class ToolRouter implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Tool Router',
		name: 'toolRouter',
		icon: { light: 'file:tool-router.svg', dark: 'file:tool-router.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ "best " + $parameter.topK + " tools for the query" }}',
		description: 'Shows an agent only the few tools that fit its query, out of as many as you connect',
		defaults: { name: 'Tool Router' },
		inputs: [
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tools', required: true },
			{ type: NodeConnectionTypes.AiEmbedding, displayName: 'Embeddings', maxConnections: 1 },
		],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tools'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const query = String(this.getNodeParameter('query', itemIndex, '') ?? '');
			const connected = [...(await toolsByName(this, itemIndex))].filter(([, { hidden }]) => !hidden);
			const tools = connected.map(([name, { tool }]) => ({ ...tool, name }));
			const options = await readRouting(this, itemIndex);
			const route = await routeTools(tools, query, options);
			const routeFor = async (need: string) => await routeTools(tools, need, { ...options, passthroughUpTo: 0, history: '' });
			return supplyRoute(this, route, { query, routeFor });
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		return await passCallsOn(this, response);
	}
}
