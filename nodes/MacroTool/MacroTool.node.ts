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

import { readMacro, runMacroItems } from '../../lib/n8n/macro-steps';
import { supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { properties } from './description';

export class MacroTool implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Macro Tool',
		name: 'macroTool',
		icon: { light: 'file:macro-tool.svg', dark: 'file:macro-tool.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter.toolName || "steps over connected tools" }}',
		description: 'Makes one tool out of several steps over other tools, always in the same order',
		defaults: { name: 'Macro Tool' },
		inputs: [{ type: NodeConnectionTypes.AiTool, displayName: 'Tools', required: true }],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tool'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			return supplyTools(this, [(await readMacro(this, itemIndex)).tool]);
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		return await runMacroItems(this, response);
	}
}
