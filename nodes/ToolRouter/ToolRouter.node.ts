import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { connectedEmbedder } from '../../lib/n8n/connected';
import { toolsByName } from '../../lib/n8n/connected-tools';
import { passCallsOn, supplyRoute } from '../../lib/n8n/routed-tools';
import { routeTools, type RouteOptions } from '../../lib/routing/tool-router';
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
		const query = String(this.getNodeParameter('query', itemIndex, '') ?? '');
		const tools = [...(await toolsByName(this, itemIndex))].map(([name, { tool }]) => ({ ...tool, name }));
		const embedder = await connectedEmbedder(this, itemIndex);
		const signal = this.getExecutionCancelSignal();
		const route = await routeTools(tools, query, { ...readOptions(this, itemIndex), embedder, signal });
		return supplyRoute(this, route, query);
	}

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		return await passCallsOn(this, response);
	}
}

function readOptions(
	ctx: ISupplyDataFunctions,
	itemIndex: number,
): Pick<RouteOptions, 'topK' | 'passthroughUpTo' | 'alwaysOn'> {
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const alwaysOn = String(options.alwaysOn ?? '');
	return {
		topK: ctx.getNodeParameter('topK', itemIndex, 8) as number,
		passthroughUpTo: typeof options.passthroughUpTo === 'number' ? options.passthroughUpTo : 12,
		alwaysOn: alwaysOn.split(/[,\n]/).map((name) => name.trim()).filter(Boolean),
	};
}
