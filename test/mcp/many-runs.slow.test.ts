import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeSessions, openSessions, sessionFor } from '../../lib/mcp/session-cache';
import type { McpServer } from '../../lib/mcp/server';
import { call, startFakeServer, testOptions } from './fake-server';

const RUNS = 50;
const runs = Array.from({ length: RUNS }, (_, run) => `run-${run}`);

/** A socket that forwards to `port` and counts what is open. */
async function startCounter(port: number): Promise<{ url: string; open: () => number; stop: () => void }> {
	const sockets = new Set<Socket>();
	const proxy = createServer((socket) => {
		const onward = connect(port, '127.0.0.1');
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket) && onward.destroy());
		onward.on('close', () => socket.destroy());
		for (const end of [socket, onward]) end.on('error', () => end.destroy());
		socket.pipe(onward).pipe(socket);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`, open: () => sockets.size, stop: () => void proxy.close() };
}

/** Processes of this machine whose command line holds the text. */
function processesWith(text: string): number {
	return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)).filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
		} catch {
			// It ended meanwhile.
			return false;
		}
	}).length;
}

describe('50 executions at once', () => {
	it('M04 leave no session and no stream open on the server', async () => {
		const server = await startFakeServer(({ reply }) => reply({ content: [] }), (response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
		});
		const counter = await startCounter(Number(new URL(server.url).port));
		const address: McpServer = { transport: 'http', url: counter.url, headers: {} };
		await Promise.all(runs.map(async (run) => {
			for (let turn = 0; turn < 3; turn++) await call(sessionFor(run, address, testOptions(20_000)), 'read', { turn });
			await closeSessions(run);
		}));
		const count = (line: string): number => server.seen.filter((seen) => seen === line).length;
		expect([count('POST initialize'), count('DELETE'), openSessions()]).toEqual([RUNS, RUNS, 0]);
		await new Promise((resolve) => setTimeout(resolve, 6000));
		// Idle connections are kept for reuse by fetch for some seconds; streams would stay.
		expect(counter.open()).toBe(0);
		await server.stop();
		counter.stop();
	});

	it('M04 leave no process behind, whether they end well, are cancelled or crash', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'mcp-many-'));
		const script = path.join(folder, 'server.mjs');
		writeFileSync(script, `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	const reply = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
	if (method === 'initialize') reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
	if (method === 'tools/call' && params.name === 'die') process.exit(3);
	if (method === 'tools/call' && params.name === 'read') reply({ content: [] });
}`);
		const server: McpServer = { transport: 'stdio', command: process.execPath, args: [script], env: {} };
		const ends = await Promise.all(runs.map(async (run, number) => {
			const session = sessionFor(run, server, testOptions(60_000));
			const stop = new AbortController();
			const name = ['read', 'die', 'hang'][number % 3] ?? 'read';
			if (name === 'hang') setTimeout(() => stop.abort(new Error('cancelled')), 3000);
			const outcome = await call(session, name, {}, { signal: stop.signal }).then(() => 'ok', (error: Error) => error.message.slice(0, 9));
			await closeSessions(run);
			return outcome;
		}));
		expect(new Set(ends)).toEqual(new Set(['ok', 'The MCP s', 'cancelled']));
		expect(openSessions()).toBe(0);
		expect(processesWith(script)).toBe(0);
	}, 120_000);
});
