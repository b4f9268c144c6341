import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import type { Tool } from '../../lib/core/tool';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import { closeSessions, sessionFor } from '../../lib/mcp/session-cache';
import { portsOf } from '../../lib/n8n/ports';
import { readServer } from './read-server';

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

/**
 * The tools of the server that the node names, over one session for the whole execution: it ends with the execution, or
 * after a minute without use when the execution waits.
 */
export async function readTools(ctx: NodeContext, itemIndex: number): Promise<readonly Tool[]> {
	const server = await readServer(ctx, itemIndex);
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const ports = portsOf(ctx);
	const scope = `${ctx.getWorkflow().id}/${ctx.getExecutionId()}`;
	const timeoutMs = Number(options.timeoutSeconds ?? 60) * 1000;
	const session = sessionFor(scope, server, { timeoutMs, ports }, () => {
		ctx.onExecutionFinish?.(async () => await closeSessions(scope));
		ctx.onExecutionCancellation(async () => await closeSessions(scope));
	});
	const prefix = String(options.prefix ?? '');
	const settings = { server, include: listOf(options.include), exclude: listOf(options.exclude), prefix };
	const { tools, refused } = await mcpTools(session, settings, ctx.getExecutionCancelSignal());
	if (refused.length > 0) ports.log('warn', 'MCP tools that cannot be offered', { refused });
	return tools;
}

function listOf(value: unknown): string[] {
	return String(value ?? '').split(/[,\n]/).map((name) => name.trim()).filter(Boolean);
}
