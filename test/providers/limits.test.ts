import { textMessage } from '../../lib/core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../lib/core/model';
import { guardedModel } from '../../lib/providers/guarded-model';
import { Gate, limitedModel } from '../../lib/providers/limited-model';
import { loadChatModel } from '../../lib/providers/registry';
import { all } from '../contracts/chat-model.contract';
import { startFakeModelServer } from '../support/fake-model-server';
import { fakePorts } from '../support/fake-ports';
import { dressedModel } from '../../lib/providers/dressed-model';

const REQUEST: ModelRequest = { messages: [textMessage('user', 'q')] };
const capabilities = { tools: 'no', responseSchema: 'no', images: 'no' } as const;

function endless(): { model: ChatModel; sent: () => number } {
	let sent = 0;
	return {
		sent: () => sent,
		model: {
			id: 'test/endless',
			capabilities,
			async *stream(): AsyncGenerator<ModelEvent> {
				for (;;) {
					sent += 1;
					yield { type: 'text-delta', text: 'x'.repeat(100) };
				}
			},
		},
	};
}

describe('limits of a model', () => {
	it('stops a reply that never ends', async () => {
		const { model, sent } = endless();
		await expect(all(guardedModel(model, 1000), REQUEST)).rejects.toMatchObject({
			code: 'RESOURCE_LIMIT',
			message: 'The reply of test/endless is over 1000 characters and was stopped',
		});
		expect(sent()).toBe(11);
	});

	it('refuses a message of over 1 MB and over 32 metadata keys before anything is sent', async () => {
		const { model, sent } = endless();
		const big = { messages: [textMessage('user', 'ok'), textMessage('user', 'x'.repeat(1_048_577))] };
		await expect(all(guardedModel(model), big)).rejects.toThrow('Message 2 (user) has 1048577 characters; the limit is 1048576');
		const metadata = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, i]));
		await expect(all(guardedModel(model), { ...REQUEST, metadata })).rejects.toThrow('33 metadata keys');
		expect(sent()).toBe(0);
	});

	it('holds every provider to them', async () => {
		const model = loadChatModel('ollama', { model: 'm' }, fakePorts());
		await expect(all(model, { messages: [textMessage('user', 'x'.repeat(1_048_577))] })).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
	});
});

describe('maximum concurrent requests', () => {
	it('never has more than two of 50 items at one server, and serves them in order', async () => {
		const server = await startFakeModelServer('ollama');
		server.answer('chat', ...Array.from({ length: 50 }, () => ({ fixture: 'text', cutBytes: 40 })));
		let open = 0;
		let most = 0;
		const ports = fakePorts();
		const fetch: typeof globalThis.fetch = async (...args) => {
			open += 1;
			most = Math.max(most, open);
			const response = await globalThis.fetch(...args);
			const body = await response.text();
			open -= 1;
			return new Response(body, response);
		};
		const ended: number[] = [];
		await Promise.all(
			Array.from({ length: 50 }, async (_, at) => {
				const model = loadChatModel('ollama', { model: 'm', baseUrl: server.url, maxConcurrent: 2 }, { ...ports, fetch });
				await all(model, REQUEST);
				ended.push(at);
			}),
		);
		expect(most).toBe(2);
		expect(ended).toHaveLength(50);
		expect(ended[0]).toBeLessThan(3);
		await server.close();
	});

	it('gives the place back when the reader leaves, and lets a waiting one go', async () => {
		const gate = new Gate(1);
		const model = limitedModel(endless().model, gate);
		const stop = new AbortController();
		const first = model.stream(REQUEST, new AbortController().signal)[Symbol.asyncIterator]();
		await first.next();
		const second = gate.enter(new AbortController().signal);
		const given = model.stream(REQUEST, stop.signal)[Symbol.asyncIterator]().next();
		const reason = new Error('left');
		stop.abort(reason);
		await expect(given).rejects.toBe(reason);
		await first.return?.();
		(await second)();
		(await gate.enter(new AbortController().signal))();
		const leave = gate.enter(AbortSignal.abort(reason));
		await expect(leave).rejects.toBe(reason);
	});
});

describe('a model that sees pictures', () => {
	it('says so when the builder does, whatever its provider knows', () => {
		const { model } = endless();
		expect(dressedModel(model, 'test', { model: 'm' }, fakePorts()).capabilities.images).toBe('no');
		expect(dressedModel(model, 'test', { model: 'm', seesPictures: true }, fakePorts()).capabilities).toEqual({ ...capabilities, images: 'yes' });
	});
});
