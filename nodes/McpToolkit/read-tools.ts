import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import type { Tool } from '../../lib/core/tool';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import type { OneToolSettings } from '../../lib/mcp/tool-settings';
import { asRecord } from '../../lib/n8n/as-record';
import { openSession } from '../../lib/n8n/mcp/session';

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

/** The tools of the server that the node names; those that cannot be offered are named in the log. */
export async function readTools(ctx: NodeContext, itemIndex: number): Promise<readonly Tool[]> {
	if (ctx.getNodeParameter('mode', itemIndex, 'tool') === 'main') {
		throw new CodedError('BAD_INPUT', 'This node is set to be a step in the flow, but is connected as a tool.', {
			remedy: 'Set "Use As" to "Tools for an Agent".',
		});
	}
	const { session, server, options } = await openSession(ctx, itemIndex);
	const offer = Array.isArray(options.offer) ? (options.offer as string[]) : [];
	const settings = {
		server,
		...selectionIn(options),
		prefix: String(options.prefix ?? ''),
		perTool: perToolIn(options),
		maxCharacters: Number(options.maxCharacters ?? 0),
		offerResources: offer.includes('resources'),
		offerPrompts: offer.includes('prompts'),
	};
	const { tools, refused } = await mcpTools(session, settings, ctx.getExecutionCancelSignal());
	if (refused.length > 0) ctx.logger.warn('MCP tools that cannot be offered', { refused });
	return tools;
}

/** Which tools of the server are used. */
export function selectionIn(options: IDataObject): { include: string[]; exclude: string[] } {
	return { include: listOf(options.include), exclude: listOf(options.exclude) };
}

/** What the builder set for single tools. */
export function perToolIn(options: IDataObject): OneToolSettings[] {
	const rows = asRecord(options.perTool).tools;
	return (Array.isArray(rows) ? rows.map(asRecord) : []).map(({ name, intent, timeoutSeconds }) => ({
		name: String(name ?? '').trim(),
		...(typeof intent === 'string' && intent.trim() !== '' && { intent }),
		...(Number(timeoutSeconds) > 0 && { timeoutMs: Number(timeoutSeconds) * 1000 }),
	}));
}

function listOf(value: unknown): string[] {
	return String(value ?? '').split(/[,\n]/).map((name) => name.trim()).filter(Boolean);
}
