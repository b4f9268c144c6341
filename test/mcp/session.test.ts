import { McpSession } from '../../lib/mcp/session';
import type { HttpServer } from '../../lib/mcp/server';
import { call, startFakeServer, testOptions, type FakeServer, type Misbehaviour } from './fake-server';

let server: FakeServer;
let session: McpSession;
const READ = { readOnly: true };

async function start(handle: Misbehaviour, onGet?: Parameters<typeof startFakeServer>[1]): Promise<void> {
	server = await startFakeServer(handle, onGet);
	const address: HttpServer = { transport: 'http', url: server.url, headers: { authorization: 'Bearer opaque.not-json' } };
	session = new McpSession(address, testOptions(1500));
}

afterEach(async () => {
	await session.close();
	await server.stop();
});

const calls = (method: string): number => server.seen.filter((line) => line === `POST ${method}`).length;

describe('McpSession', () => {
	it('M11 stops at a cursor that does not advance and names each tool once', async () => {
		await start(({ reply }) => reply({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: 'same' }));
		expect((await session.listTools()).map(({ name }) => name)).toEqual(['a', 'b']);
		expect(calls('tools/list')).toBe(2);
	});

	it('reads all pages of a long list', async () => {
		await start(({ reply, earlier }) => reply({ tools: [{ name: `t${earlier}` }], ...(earlier < 6 && { nextCursor: `c${earlier}` }) }));
		expect(await session.listTools()).toHaveLength(7);
	});

	it.each([
		['404', (exchange: Parameters<Misbehaviour>[0]) => exchange.status(404, 'Session not found')],
		['400 with words', (exchange: Parameters<Misbehaviour>[0]) => exchange.status(400, 'Bad Request: No valid session ID provided')],
		['200 with error -32600', (exchange: Parameters<Misbehaviour>[0]) => exchange.refuse(-32600, 'Unknown session')],
	])('M02 makes a new session and repeats the call once when the server says %s', async (_title, lose) => {
		await start((exchange) => (exchange.earlier === 0 ? lose(exchange) : exchange.reply({ content: [{ type: 'text', text: 'ok' }] })));
		const result = await call(session, 'create_order', {}, {});
		expect(result.content).toEqual([{ type: 'text', text: 'ok' }]);
		expect([calls('initialize'), calls('tools/call')]).toEqual([2, 2]);
	});

	it('M02 gives up after one new session', async () => {
		await start(({ status }) => status(404, 'Session not found'));
		await expect(call(session, 'x', {}, READ)).rejects.toMatchObject({ code: 'BAD_INPUT', status: 404 });
		expect(calls('tools/call')).toBe(2);
	});

	it('M02 repeats a read-only call after 503, not one that may have run', async () => {
		await start((exchange) => (exchange.earlier % 2 === 0 ? exchange.status(503, 'restarting') : exchange.reply({ content: [] })));
		await call(session, 'read', {}, READ);
		expect(calls('tools/call')).toBe(2);
		await expect(call(session, 'create_order', {}, {})).rejects.toMatchObject({ code: 'UPSTREAM', status: 503, retryable: true });
		expect(calls('tools/call')).toBe(3);
	});

	it('M03 does not repeat a call whose connection was cut, and the next call works', async () => {
		await start((exchange) => (exchange.earlier === 0 ? exchange.response.socket?.destroy() : exchange.reply({ content: [] })));
		await expect(call(session, 'create_order', {}, { readOnly: false })).rejects.toMatchObject({
			code: 'UPSTREAM', message: expect.stringContaining('cannot be reached'),
		});
		expect(calls('tools/call')).toBe(1);
		await call(session, 'create_order', {}, { readOnly: false });
		expect([calls('initialize'), calls('tools/call')]).toEqual([2, 2]);
	});

	it('M03 repeats a cut call that is read-only or idempotent', async () => {
		await start((exchange) => (exchange.earlier === 0 ? exchange.response.socket?.destroy() : exchange.reply({ content: [] })));
		await call(session, 'set_minimum', {}, { idempotent: true });
		expect(calls('tools/call')).toBe(2);
	});

	it.each([['cut', true], ['closed', false]])('M03 fails at once when the stream of an answer is %s before it came', async (_title, cut) => {
		await start(({ response }) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(': working\n\n');
			setTimeout(() => (cut ? response.socket?.destroy() : response.end()), 50);
		});
		const started = performance.now();
		await expect(call(session, 'create_order', {}, {})).rejects.toMatchObject({ code: 'UPSTREAM' });
		expect(performance.now() - started).toBeLessThan(1000);
		expect(calls('tools/call')).toBe(1);
	});

	it('M04 ends the session with DELETE, also after an error', async () => {
		await start(({ refuse }) => refuse(-32602, 'unknown tool'));
		await expect(call(session, 'x', {}, {})).rejects.toMatchObject({ message: expect.stringContaining('unknown tool') });
		await session.close();
		expect(server.seen.filter((line) => line === 'DELETE')).toHaveLength(1);
	});

	it('M06 sends nothing more once it is closed, while the server goes away and comes back', async () => {
		await start(({ reply }) => reply({ tools: [] }), (response) => {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
		});
		await session.listTools();
		await session.close();
		const before = server.seen.length;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(server.seen).toHaveLength(before);
	});

	it('M07 works when the listener stream is refused', async () => {
		await start(({ reply }) => reply({ tools: [{ name: 'a' }] }), (response) => void response.writeHead(405).end());
		expect(await session.listTools()).toHaveLength(1);
	});

	it('M07 works when the listener stream never answers', async () => {
		await start(({ reply }) => reply({ tools: [{ name: 'a' }] }), () => undefined);
		expect(await session.listTools()).toHaveLength(1);
		await session.close();
	});

	it('M14 sends an opaque token as it is', async () => {
		await start(({ reply }) => reply({ tools: [] }));
		await session.listTools();
		expect(new Set(server.headers.map((headers) => headers.authorization))).toEqual(new Set(['Bearer opaque.not-json']));
	});

	it('reuses one session for many calls, also at the same time', async () => {
		await start(({ reply }) => reply({ content: [] }));
		await Promise.all([1, 2, 3].map((number) => call(session, 'read', { number }, READ)));
		await call(session, 'read', {}, READ);
		expect([calls('initialize'), calls('tools/call')]).toEqual([1, 4]);
	});

	it('gives up a call after the timeout, tells the server, and never repeats it', async () => {
		await start(({ message }) => void message);
		session = new McpSession({ transport: 'http', url: server.url, headers: {} }, testOptions(200));
		await expect(call(session, 'read', {}, READ)).rejects.toMatchObject({ code: 'TIMEOUT' });
		expect(calls('tools/call')).toBe(1);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(calls('notifications/cancelled')).toBe(1);
	});

	it('stops a call when its signal aborts, with the signal\'s own reason', async () => {
		await start(({ message }) => void message);
		const stop = new AbortController();
		const running = call(session, 'slow', {}, { ...READ, signal: stop.signal });
		setTimeout(() => stop.abort(new Error('run cancelled')), 100);
		await expect(running).rejects.toThrow('run cancelled');
	});
});
