import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import type { Tool, ToolOutput } from '../core/tool';
import { validateInput } from '../shape/validate-input';
import { toNodeError } from './to-node-error';
import { readToolItem, toToolItems } from './tool-item';

/**
 * The `execute` of every tool node: for each item finds the tool it names, checks the arguments, runs it, gives one item.
 *
 * `toolsOf` must give the same tools as the node's `supplyData`. A failing tool throws: n8n shows the node in red and hands
 * the message to the agent as that call's observation; the run goes on.
 */
export async function runToolItems(
	ctx: IExecuteFunctions,
	toolsOf: (itemIndex: number) => Promise<readonly Tool[]>,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (const [itemIndex, item] of ctx.getInputData().entries()) {
		try {
			const tools = await toolsOf(itemIndex);
			const call = readToolItem(item.json, tools);
			output.push(...toToolItems(await runNamed(ctx, tools, call), itemIndex));
		} catch (error) {
			throw toNodeError(ctx.getNode(), error, itemIndex);
		}
	}
	return [output];
}

async function runNamed(
	ctx: IExecuteFunctions,
	tools: readonly Tool[],
	call: { tool: string; input: Record<string, unknown> },
): Promise<ToolOutput> {
	const tool = tools.find((candidate) => candidate.name === call.tool);
	if (!tool) throw unknownTool(call.tool, tools);
	const checked = validateInput(tool.inputSchema, call.input);
	if (!checked.ok) throw new CodedError('BAD_INPUT', checked.message);
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const output = await tool.run(checked.value, { signal });
	if (output.isError) throw new CodedError('UPSTREAM', output.text);
	return output;
}

function unknownTool(name: string, tools: readonly Tool[]): CodedError {
	const known = tools.map((tool) => tool.name).join(', ') || 'none';
	return new CodedError('BAD_INPUT', `No tool named "${name}" here; this node has: ${known}`, {
		remedy: 'This node runs when an agent calls it. To try one tool, give an item {"tool": "<name>", ...arguments}.',
	});
}
