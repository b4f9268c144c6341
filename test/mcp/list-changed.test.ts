import { assertCommandAllowed } from '../../lib/mcp/allowed-command';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import { parseHeaders } from '../../lib/mcp/parse-headers';
import { McpSession } from '../../lib/mcp/session';
import { call, startFakeServer, testOptions } from './fake-server';

describe('the list of tools', () => {
	it('M12 is read once, and again after the server says that it changed', async () => {
		const server = await startFakeServer(({ message, earlier, reply, response }) => {
			if (message.method === 'tools/list') return reply({ tools: [{ name: 'unlock' }, ...(earlier > 0 ? [{ name: 'hidden' }] : [])] });
			const events = [
				{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
				{ jsonrpc: '2.0', id: message.id, result: { content: [] } },
			];
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
		});
		const address = { transport: 'http' as const, url: server.url, headers: {} };
		const session = new McpSession(address, testOptions());
		const names = async (): Promise<string[]> =>
			(await mcpTools(session, { server: address, include: [], exclude: [], prefix: '' })).tools.map(({ name }) => name);
		expect([await names(), await names()]).toEqual([['unlock'], ['unlock']]);
		await call(session, 'unlock', {}, {});
		expect(await names()).toEqual(['unlock', 'hidden']);
		expect(server.seen.filter((line) => line === 'POST tools/list')).toHaveLength(2);
		await session.close();
		await server.stop();
	});
});

describe('parseHeaders', () => {
	it('reads lines and JSON, and never shows a value', () => {
		expect(parseHeaders('X-API-Key: a:b\n\n Accept-Language : fr')).toEqual({ 'X-API-Key': 'a:b', 'Accept-Language': 'fr' });
		expect(parseHeaders('{"X-Key":"v"}')).toEqual({ 'X-Key': 'v' });
		expect(parseHeaders('')).toEqual({});
		for (const text of ['s3cret', '{"X":"s3cret"', 'bad name: s3cret']) {
			expect(() => parseHeaders(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('s3cret') }));
		}
	});
});

describe('assertCommandAllowed', () => {
	it('lets all commands pass without the variable, and only those on its list with it', () => {
		expect(() => assertCommandAllowed('npx', {})).not.toThrow();
		expect(() => assertCommandAllowed('npx', { REACTENGINE_MCP_COMMANDS: 'uvx, npx' })).not.toThrow();
		expect(() => assertCommandAllowed('/tmp/npx', { REACTENGINE_MCP_COMMANDS: 'uvx,npx' })).toThrow('Allowed: uvx, npx.');
		expect(() => assertCommandAllowed('npx', { REACTENGINE_MCP_COMMANDS: '' })).toThrow('Allowed: none.');
	});
});
