import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions, ISupplyDataFunctions, ITriggerFunctions } from 'n8n-workflow';

import { messageOf } from '../../core/errors';
import { elicitorFor } from '../../mcp/elicitation';
import { samplerFor } from '../../mcp/sampling';
import type { McpOptions, McpServer } from '../../mcp/server';
import { closeSessions, sessionFor } from '../../mcp/session-cache';
import type { McpSession } from '../../mcp/session';
import { asRecord } from '../as-record';
import { connectedModel } from '../connected';
import { portsOf } from '../ports';
import { assertOwnItem } from './own-item';
import { readServer, type ServerReader } from './read-server';

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

export interface NodeSession {
	readonly session: McpSession;
	readonly server: McpServer;
	readonly options: IDataObject;
}

/**
 * The session with the server that the node names, one for the whole execution: it ends with the execution, or after a minute
 * without use when the execution waits.
 */
export async function openSession(ctx: NodeContext, itemIndex: number): Promise<NodeSession> {
	assertOwnItem(ctx, itemIndex);
	const { server, auth } = await readServer(readerOf(ctx, itemIndex));
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const scope = `${ctx.getWorkflow().id}/${ctx.getExecutionId()}`;
	const settings: McpOptions = {
		timeoutMs: Number(options.timeoutSeconds ?? 60) * 1000,
		ports: portsOf(ctx),
		elicit: elicitorFor({ answers: answersIn(options), useDefaults: options.useDefaults === true }),
		...(auth && { auth }),
		...(options.sampling === true && { sample: samplerFor(await connectedModel(ctx, itemIndex)) }),
	};
	const session = sessionFor(scope, server, settings, () => {
		ctx.onExecutionFinish?.(async () => await closeSessions(scope));
		ctx.onExecutionCancellation(async () => await closeSessions(scope));
	});
	return { session, server, options };
}

function readerOf(ctx: NodeContext, itemIndex: number): ServerReader {
	return {
		node: ctx.getNode(),
		parameter: (name) => ctx.getNodeParameter(name, itemIndex, undefined),
		credential: async (type) => await ctx.getCredentials(type, itemIndex),
		refresh: async (type) => await refreshToken(ctx, type),
	};
}

/** A fresh token from n8n, or undefined when it cannot get one: the server's refusal is then the error. */
export async function refreshToken(ctx: NodeContext | ITriggerFunctions | ILoadOptionsFunctions, type: string): Promise<string | undefined> {
	try {
		const fresh: unknown = await ctx.helpers.refreshOAuth2Token.call(ctx, type);
		const token = asRecord(fresh).access_token;
		return typeof token === 'string' ? token : undefined;
	} catch (error) {
		ctx.logger.warn(`n8n could not refresh the OAuth2 token: ${messageOf(error)}`);
		return undefined;
	}
}

function answersIn(options: IDataObject): Record<string, unknown> {
	const fields = asRecord(options.answers).fields;
	const named = Array.isArray(fields) ? (fields as { name?: unknown; value?: unknown }[]) : [];
	return Object.fromEntries(named.map(({ name, value }) => [String(name ?? '').trim(), value]));
}
