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

import { runAgentItems } from '../../lib/n8n/agent/agent-items';
import { agentTool, agentToolHost } from '../../lib/n8n/agent/agent-tool';
import { supplyTools } from '../../lib/n8n/supply';
import { inputs, properties } from './description';

export class ReActAgentTool implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ReAct Agent Tool',
		name: 'reActAgentTool',
		icon: { light: 'file:re-act-agent-tool.svg', dark: 'file:re-act-agent-tool.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: 'a specialist for another agent',
		description: 'An agent that another agent can call as a tool: a specialist with its own instructions, model and tools',
		defaults: { name: 'Specialist' },
		inputs,
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tool'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		return supplyTools(this, [agentTool(this, itemIndex)]);
	}

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		return await runAgentItems(this, response, agentToolHost);
	}
}
