import { closeSessions, openSessions, sessionFor } from '../../lib/mcp/session-cache';
import type { HttpServer } from '../../lib/mcp/server';
import { call, startFakeServer, testOptions, type Exchange, type FakeServer } from './fake-server';

let server: FakeServer;
let held: Exchange[] = [];
const address = (more: Partial<HttpServer> = {}): HttpServer => ({ transport: 'http', url: server.url, headers: {}, ...more });
const deletes = (): number => server.seen.filter((line) => line === 'DELETE').length;
const initializes = (): number => server.seen.filter((line) => line === 'POST initialize').length;

beforeEach(async () => {
	held = [];
	server = await startFakeServer((exchange) => {
		if (exchange.message.params?.name === 'hold') held.push(exchange);
		else exchange.reply({ content: [] });
	});
	// Only the idle limit is on the fake clock; sockets and microtasks are real.
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance', 'Date', 'setInterval', 'clearInterval'] });
});

afterEach(async () => {
	jest.useRealTimers();
	await closeSessions();
	await server.stop();
});

/** Lets sockets work for a while without moving the fake clock. */
async function settle(until: () => boolean): Promise<void> {
	for (let turn = 0; turn < 20_000 && !until(); turn++) await new Promise((resolve) => setImmediate(resolve));
	expect(until()).toBe(true);
}

describe('sessionFor', () => {
	it('closes a session after 60 s without use, with DELETE, and opens it again for who still holds it', async () => {
		const session = sessionFor('run', address(), testOptions());
		await call(session, 'read');
		jest.advanceTimersByTime(59_000);
		await call(session, 'read');
		jest.advanceTimersByTime(59_000);
		expect([openSessions(), deletes()]).toEqual([1, 0]);
		jest.advanceTimersByTime(2_000);
		await settle(() => deletes() === 1);
		expect(openSessions()).toBe(0);
		await call(session, 'read');
		expect([openSessions(), initializes()]).toEqual([1, 2]);
		await closeSessions('run');
		expect([openSessions(), deletes()]).toEqual([0, 2]);
	});

	it('counts a call that takes long as use', async () => {
		const session = sessionFor('run', address(), { ...testOptions(), timeoutMs: 600_000 });
		const running = call(session, 'hold');
		await settle(() => held.length === 1);
		jest.advanceTimersByTime(200_000);
		expect([openSessions(), deletes()]).toEqual([1, 0]);
		held[0]?.reply({ content: [] });
		await running;
	});

	it('opens nothing for a call that was running when its execution ended', async () => {
		const session = sessionFor('run', address(), testOptions());
		const running = call(session, 'hold', {}, { readOnly: true });
		await settle(() => held.length === 1);
		await Promise.all([closeSessions('run'), expect(running).rejects.toMatchObject({ code: 'UPSTREAM' })]);
		expect([openSessions(), initializes(), deletes()]).toEqual([0, 1, 1]);
	});

	it('keeps tenants apart: another token or account is another session', async () => {
		const sessions = [{}, { headers: { authorization: 'Bearer a' } }, { headers: { authorization: 'Bearer b' } }, { account: 'credential-1' }]
			.map((more) => sessionFor('run', address(more), testOptions()));
		expect(new Set(sessions).size).toBe(4);
		expect(sessionFor('run', address({ headers: { authorization: 'Bearer a' } }), testOptions())).toBe(sessions[1]);
	});

	it('tells once that a session is new', () => {
		const onNew = jest.fn();
		for (let turn = 0; turn < 3; turn++) sessionFor('run', address(), testOptions(), onNew);
		expect(onNew).toHaveBeenCalledTimes(1);
	});
});
