import { NodeOperationError, type IDataObject, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';

import { isCodedError, messageOf } from '../../lib/core/errors';
import type { Declared } from '../../lib/mcp/pages';
import { McpSession } from '../../lib/mcp/session';
import { readServer } from '../../lib/n8n/mcp/read-server';
import { refreshToken } from '../../lib/n8n/mcp/session';
import { portsOf } from '../../lib/n8n/ports';

const TIMEOUT_MS = 20_000;

/** The drop-downs of the node's panel: what the server has, over a connection of their own that ends at once. */
export const listSearch = {
	searchTools: async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return await search(this, filter, 'name', async (session) => await session.listTools());
	},
	searchPrompts: async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return await search(this, filter, 'name', async (session) => await session.listOf('prompts'));
	},
	searchResources: async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return await search(this, filter, 'uri', async (session) => [
			...(await session.listOf('resources')),
			...(await session.listOf('resourceTemplates')).map((template) => ({ ...template, uri: template.uriTemplate })),
		]);
	},
};

async function search(
	ctx: ILoadOptionsFunctions,
	filter: string | undefined,
	key: 'name' | 'uri',
	list: (session: McpSession) => Promise<Declared[]>,
): Promise<INodeListSearchResult> {
	try {
		const found = await withSession(ctx, list);
		const results = found.map((entry) => {
			const value = String(entry[key] ?? '');
			const title = entry.title ?? (key === 'uri' ? entry.name : undefined);
			const about = typeof entry.description === 'string' ? entry.description : undefined;
			return { name: typeof title === 'string' ? `${title} (${value})` : value, value, ...(about && { description: about.slice(0, 200) }) };
		});
		const wanted = (filter ?? '').toLowerCase();
		return { results: results.filter(({ name }) => name.toLowerCase().includes(wanted)) };
	} catch (error) {
		throw new NodeOperationError(ctx.getNode(), messageOf(error), {
			description: isCodedError(error) ? error.remedy : 'Choose "By Name" and type it.',
		});
	}
}

async function withSession(ctx: ILoadOptionsFunctions, list: (session: McpSession) => Promise<Declared[]>): Promise<Declared[]> {
	const { server, auth } = await readServer({
		node: ctx.getNode(),
		parameter: (name) => ctx.getCurrentNodeParameter(name),
		credential: async (type) => await ctx.getCredentials(type),
		refresh: async (type) => await refreshToken(ctx, type),
	});
	const session = new McpSession(server, { timeoutMs: TIMEOUT_MS, ports: portsOf(ctx), ...(auth && { auth }) });
	try {
		return await list(session);
	} finally {
		await session.close();
	}
}

/** What was chosen or typed. */
export function chosen(value: unknown): string {
	const { value: inner } = (typeof value === 'object' && value !== null ? value : { value }) as IDataObject;
	return String(inner ?? '').trim();
}
