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

import type { ChatModel } from '../../lib/core/model';
import type { Tool, ToolOutput } from '../../lib/core/tool';
import { runToolItems } from '../../lib/n8n/run-tool-items';
import { supplyModel, supplyTools } from '../../lib/n8n/supply';

function describe(name: string, output: string): INodeTypeDescription {
	return {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name },
		inputs: [],
		outputs: [output as never],
		properties: [{ displayName: 'Which', name: 'which', type: 'string', default: '' }],
	};
}

/** A chat model node of ours whose model is given by the test. */
export function modelNode(model: ChatModel): INodeType {
	return {
		description: describe('testModel', NodeConnectionTypes.AiLanguageModel),
		async supplyData(this: ISupplyDataFunctions): Promise<SupplyData> {
			return supplyModel(this, model);
		},
	};
}

/** A toolkit node of ours with the tools given by the test; its `which` parameter may hold an expression. */
export function toolNode(toolsOf: (which: string) => readonly Tool[]): INodeType {
	const read = (ctx: ISupplyDataFunctions | IExecuteFunctions, itemIndex: number): readonly Tool[] =>
		toolsOf(String(ctx.getNodeParameter('which', itemIndex, '')));
	return {
		description: describe('testToolkit', NodeConnectionTypes.AiTool),
		async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
			return supplyTools(this, read(this, itemIndex));
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return await runToolItems(this, async (itemIndex) => read(this, itemIndex));
		},
	};
}

/** A tool of another package: n8n's shape, no mark, called by n8n's engine with its arguments spread over the item. */
export function foreignToolNode(
	name: string,
	run: (json: IDataObject) => IDataObject | Promise<IDataObject>,
	schema: object = { type: 'object', properties: {} },
): INodeType {
	return {
		description: describe(name, NodeConnectionTypes.AiTool),
		async supplyData(): Promise<SupplyData> {
			const invoke = async (args: IDataObject): Promise<string> => JSON.stringify(await run(args));
			return { response: { name, description: `Does ${name}.`, schema, metadata: {}, invoke } };
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const items = this.getInputData();
			return [await Promise.all(items.map(async ({ json }, item) => ({ json: await run(json), pairedItem: { item } })))];
		},
	};
}

/** A tool with sensible defaults. */
export function tool(
	name: string,
	run: (input: Record<string, unknown>) => ToolOutput | Promise<ToolOutput>,
	more: Partial<Tool> = {},
): Tool {
	return {
		name,
		intent: `Does ${name}.`,
		description: `Does ${name} in full.`,
		inputSchema: { type: 'object', properties: {} },
		tags: [],
		run: async (input) => await run(input),
		...more,
	};
}
