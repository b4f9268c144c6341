import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { realClock } from '../../lib/core/real-clock';
import { collectReply, type ModelRequest } from '../../lib/core/model';
import { loadChatModel } from '../../lib/providers/registry';
import { answerChunks } from '../support/webhook-workflow';
import { eventStream } from '../support/fake-model-server';
import { fakePorts } from '../support/fake-ports';

const request: ModelRequest = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] };

/** A server that counts its connections and ends a stream `endAfterMs` after [DONE]; Infinity never does. */
async function countingServer(endAfterMs: number) {
	let connections = 0;
	const server = createServer((received, response) => {
		received.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(eventStream(answerChunks('Good day.')));
		if (Number.isFinite(endAfterMs)) setTimeout(() => response.end(), endAfterMs);
	});
	server.on('connection', () => (connections += 1));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const model = loadChatModel('openai-compatible', { model: 'm', baseUrl }, fakePorts());
	const ask = async (): Promise<string> => (await collectReply(model, request, new AbortController().signal)).text;
	const close = async (): Promise<void> => {
		server.closeAllConnections();
		await new Promise<void>((resolve) => server.close(() => resolve()));
	};
	return { ask, close, connections: () => connections };
}

describe('the connection to a model', () => {
	it.each([0, 5])('is used again for the next step when the stream ends %i ms after [DONE]', async (endAfterMs) => {
		const { ask, close, connections } = await countingServer(endAfterMs);
		for (let step = 0; step < 4; step++) {
			expect(await ask()).toBe('Good day.');
			await sleep(1);
		}
		expect(connections()).toBe(1);
		await close();
	});

	it('is closed, and the answer given, when a server does not end its stream', async () => {
		const { ask, close, connections } = await countingServer(Infinity);
		expect([await ask(), await ask()]).toEqual(['Good day.', 'Good day.']);
		expect(connections()).toBeGreaterThan(1);
		await close();
	});
});

it('reads only the beginning of an error page that never ends, and leaves the server', async () => {
	let isClosed = false;
	const server = createServer((received, response) => {
		received.resume();
		response.writeHead(400, { 'content-type': 'text/html' });
		const writing = setInterval(() => response.write('<p>no</p>'.repeat(2_000)), 1);
		response.on('close', () => {
			clearInterval(writing);
			isClosed = true;
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const model = loadChatModel('openai-compatible', { model: 'm', baseUrl }, fakePorts());
	await expect(collectReply(model, request, new AbortController().signal)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/^[^]{20,2000}$/) });
	for (let waited = 0; !isClosed && waited < 200; waited++) await sleep(5);
	expect(isClosed).toBe(true);
	server.closeAllConnections();
	await new Promise<void>((resolve) => server.close(() => resolve()));
});

describe('the clock', () => {
	it('waits, and ends a wait early with the reason of the signal', async () => {
		await expect(realClock.sleep(1)).resolves.toBeUndefined();
		const stop = new AbortController();
		const waiting = realClock.sleep(60_000, stop.signal);
		stop.abort('enough');
		await expect(waiting).rejects.toBe('enough');
		await expect(realClock.sleep(1, stop.signal)).rejects.toBe('enough');
	});
});
