import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeSessions, openSessions, sessionFor } from '../../lib/mcp/session-cache';
import { McpSession } from '../../lib/mcp/session';
import type { McpServer } from '../../lib/mcp/server';
import { call, startFakeServer, testOptions } from './fake-server';

const stdio = (script: string, env: Record<string, string> = {}): McpServer => {
	const file = path.join(mkdtempSync(path.join(tmpdir(), 'mcp-')), 'server.mjs');
	writeFileSync(file, script);
	return { transport: 'stdio', command: process.execPath, args: [file], env };
};

/** A server by hand: answers initialize and tools/call; a call of "die" ends it. */
const SCRIPT = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	const reply = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
	if (method === 'initialize') reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
	if (method === 'tools/call' && params.name === 'die') { console.error('out of memory'); process.exit(3); }
	if (method === 'tools/call') reply({ content: [{ type: 'text', text: process.env.GREETING ?? 'none' }] });
}`;

async function failure(server: McpServer, timeoutMs = 5000): Promise<Error & { code?: string; remedy?: string }> {
	const session = new McpSession(server, testOptions(timeoutMs));
	const error = await session.listTools().catch((caught: unknown) => caught as Error);
	await session.close();
	if (!(error instanceof Error)) throw new Error('it did not fail');
	return error;
}

describe('stdio', () => {
	it('M17 names the command that is missing', async () => {
		const error = await failure({ transport: 'stdio', command: 'no-such-launcher', args: ['-y', 'server'], env: {} });
		expect(error).toMatchObject({ code: 'BAD_INPUT', remedy: expect.stringContaining('installed on the machine') });
		expect(error.message).toContain('The command "no-such-launcher -y server" cannot be started');
		expect(error.message).toContain('ENOENT');
	});

	it('M17 gives command, exit code and last error lines of a process that ends', async () => {
		const error = await failure(stdio("for (let n = 1; n < 30; n++) console.error('line ' + n); console.error('bad key'); process.exit(7);"));
		expect(error.message).toMatch(/server\.mjs" failed: .*It ended with exit code 7\./s);
		expect(error.message).toContain('line 29\nbad key');
		expect(error.message).not.toContain('line 12\n');
	});

	it('times out with the error output when a server never answers', async () => {
		const error = await failure(stdio("console.error('waiting for a licence'); process.stdin.resume();"), 400);
		expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('waiting for a licence') });
	});

	it('passes environment variables and starts a crashed server again for the next call', async () => {
		const session = new McpSession(stdio(SCRIPT, { GREETING: 'a b=c' }), testOptions());
		const greet = async (): Promise<unknown> => (await call(session, 'greet', {}, {})).content;
		expect(await greet()).toEqual([{ type: 'text', text: 'a b=c' }]);
		await expect(call(session, 'die', {}, {})).rejects.toMatchObject({
			code: 'UPSTREAM', message: expect.stringMatching(/exit code 3.*out of memory/s),
		});
		expect(await greet()).toEqual([{ type: 'text', text: 'a b=c' }]);
		await session.close();
	});
});

describe('http', () => {
	it('names the address of a server that is down', async () => {
		const server = await startFakeServer(({ reply }) => reply({}));
		await server.stop();
		const error = await failure({ transport: 'http', url: `${server.url}?key=secret`, headers: {} });
		expect(error).toMatchObject({ code: 'UPSTREAM', message: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/) });
		expect(error.message).not.toContain('secret');
	});

	it('says that the credential was refused', async () => {
		const fetch: typeof globalThis.fetch = async () => new Response('no', { status: 401 });
		const session = new McpSession({ transport: 'http', url: 'http://127.0.0.1:1/mcp', headers: {} }, {
			...testOptions(), ports: { ...testOptions().ports, fetch },
		});
		await expect(session.listTools()).rejects.toMatchObject({ code: 'BAD_INPUT', status: 401, remedy: expect.stringContaining('credential') });
	});

	it('refuses what is no address', async () => {
		expect((await failure({ transport: 'http', url: 'localhost:3000', headers: {} })).message).toContain('is not the address');
	});

	it('M08 keeps to HTTP when chosen and tries SSE after it only in auto', async () => {
		const tried: string[] = [];
		const fetch: typeof globalThis.fetch = async (_input, init) => {
			tried.push(init?.method ?? 'GET');
			return new Response('', { status: 404 });
		};
		for (const transport of ['http', 'auto'] as const) {
			const session = new McpSession({ transport, url: 'http://127.0.0.1:1/mcp', headers: {} }, {
				...testOptions(), ports: { ...testOptions().ports, fetch },
			});
			await expect(session.listTools()).rejects.toMatchObject({ code: expect.any(String) });
			await session.close();
		}
		expect(tried).toEqual(['POST', 'POST', 'GET']);
	});
});

describe('a server that offers only SSE', () => {
	let address: string;
	let sse: Server;

	beforeAll(async () => {
		let stream: ServerResponse | undefined;
		sse = createServer((request, response) => {
			if (request.method === 'GET') {
				stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
				stream.write('event: endpoint\ndata: /messages\n\n');
				return;
			}
			if (request.url !== '/messages') return void response.writeHead(405).end();
			void request.toArray().then((chunks: Buffer[]) => {
				const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method: string };
				const initialized = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
				const result = method === 'initialize' ? initialized : { tools: [{ name: 'old_tool' }] };
				response.writeHead(202).end();
				if (id !== undefined) stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
			});
		});
		await new Promise<void>((resolve) => sse.listen(0, '127.0.0.1', resolve));
		address = `http://127.0.0.1:${(sse.address() as AddressInfo).port}/sse`;
	});

	afterAll(() => {
		sse.closeAllConnections();
		sse.close();
	});

	it.each(['sse', 'auto'] as const)('M08 is reached with the transport %s', async (transport) => {
		const session = new McpSession({ transport, url: address, headers: {} }, testOptions());
		expect(await session.listTools()).toEqual([{ name: 'old_tool' }]);
		await session.close();
	});

	it('M08 is not reached by SSE when HTTP was chosen', async () => {
		expect(await failure({ transport: 'http', url: address, headers: {} })).toMatchObject({ remedy: expect.stringContaining('SSE or Auto') });
	});
});

describe('sessionFor', () => {
	it('gives one session for a scope and server, and M04 closes all of 50 runs', async () => {
		const server = await startFakeServer(({ reply }) => reply({ tools: [] }));
		const address: McpServer = { transport: 'http', url: server.url, headers: {} };
		for (let run = 0; run < 50; run++) {
			const session = sessionFor(`run-${run}`, address, testOptions());
			expect(sessionFor(`run-${run}`, address, testOptions())).toBe(session);
			await session.listTools();
		}
		expect(openSessions()).toBe(50);
		await closeSessions('run-1');
		expect(openSessions()).toBe(49);
		await closeSessions();
		expect(openSessions()).toBe(0);
		expect(server.seen.filter((line) => line === 'DELETE')).toHaveLength(50);
		await server.stop();
	});
});
