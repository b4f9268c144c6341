import type { IDataObject, INodeExecutionData, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { CodedError, isCodedError, messageOf, raise } from '../../lib/core/errors';
import { resourceOutput } from '../../lib/mcp/resources';
import { McpSession } from '../../lib/mcp/session';
import { ResourceWatch, type KnownContents, type ResourceChange } from '../../lib/mcp/watch-resources';
import { readServer } from '../../lib/n8n/mcp/read-server';
import { refreshToken } from '../../lib/n8n/mcp/session';
import { portsOf } from '../../lib/n8n/ports';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { toToolItems } from '../../lib/n8n/tool-item';

/**
 * Watches until n8n closes the trigger. What is known of the contents lies in the workflow's static data, so a restart misses
 * nothing. A server that is down is waited for; what cannot get well by itself (a refused credential, a wrong address) fails the
 * activation. A test by hand gives the present contents at once.
 */
export async function startWatch(ctx: ITriggerFunctions): Promise<ITriggerResponse> {
	const stop = new AbortController();
	const { clock, log, fetch } = portsOf(ctx);
	const { server, auth } = await readServer({
		node: ctx.getNode(),
		parameter: (name) => ctx.getNodeParameter(name, undefined),
		credential: async (type) => await ctx.getCredentials(type),
		refresh: async (type) => await refreshToken(ctx, type),
	});
	const { timeoutSeconds = 60 } = ctx.getNodeParameter('options', {}) as IDataObject;
	const known = knownContents(ctx);
	const session: McpSession = new McpSession(server, {
		timeoutMs: Number(timeoutSeconds) * 1000,
		ports: { fetch, log },
		onResourceChanged: (uri) => watch.notice(uri),
		...(auth && { auth }),
	});
	const watch: ResourceWatch = new ResourceWatch(session, {
		uris: String(ctx.getNodeParameter('uris', '')).split(/[,\n]/).map((uri) => uri.trim()).filter(Boolean),
		subscribe: ctx.getNodeParameter('notice', 'subscribe') === 'subscribe',
		checkMs: Number(ctx.getNodeParameter('checkSeconds', 60)) * 1000,
		known, clock, log,
		emit: (change) => ctx.emit([[toItem(change)]]),
	}, known.isEmpty);
	const closeFunction = async (): Promise<void> => {
		stop.abort(new CodedError('ABORTED', 'The trigger was closed'));
		await session.close();
	};
	if (ctx.getMode() === 'manual') {
		return { closeFunction, manualTriggerFunction: async () => await emitPresent(ctx, watch, stop.signal).catch((error: unknown) => raise(toNodeError(ctx.getNode(), error))) };
	}
	await watch.check(stop.signal).catch(async (error: unknown) => {
		if (isCodedError(error) && error.code === 'BAD_INPUT') {
			await closeFunction();
			raise(error);
		}
		log('warn', 'The MCP server cannot be reached yet; the trigger goes on trying', { message: messageOf(error) });
	});
	void watch.run(stop.signal);
	return { closeFunction };
}

async function emitPresent(ctx: ITriggerFunctions, watch: ResourceWatch, signal: AbortSignal): Promise<void> {
	const contents = await watch.contents(signal);
	if (contents.length === 0) {
		throw new CodedError('BAD_INPUT', 'The server has no such resource.', { remedy: 'Check Resources; List Resources of MCP Toolkit shows what there is.' });
	}
	ctx.emit([contents.map(toItem)]);
}

function knownContents(ctx: ITriggerFunctions): KnownContents & { readonly isEmpty: boolean } {
	const data = ctx.getWorkflowStaticData('node');
	// n8n notices changes only in the object that it gives back.
	if (data.hashes === undefined) data.hashes = {};
	const hashes = data.hashes as { [uri: string]: string };
	return {
		isEmpty: Object.keys(hashes).length === 0,
		get: (uri) => (Object.hasOwn(hashes, uri) ? hashes[uri] : undefined),
		set: (uri, hash) => {
			hashes[uri] = hash;
		},
	};
}

function toItem({ uri, change, answer, entry, hash }: ResourceChange): INodeExecutionData {
	const output = resourceOutput(answer);
	const [made] = toToolItems(output, 0);
	const { name, mimeType } = entry;
	const json = { uri, ...(name !== undefined && { name }), ...(mimeType !== undefined && { mimeType }), change, hash, text: output.text };
	return { json: { ...json, ...(output.data !== undefined && { data: output.data }) } as IDataObject, ...(made?.binary && { binary: made.binary }) };
}
