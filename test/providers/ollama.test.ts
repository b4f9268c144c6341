import { textMessage, type Message } from '../../lib/core/message';
import { collectReply, type ModelReply, type ModelRequest } from '../../lib/core/model';
import { promptTokens } from '../../lib/providers/ollama/context-size';
import { loadChatModel } from '../../lib/providers/registry';
import type { ChatSettings } from '../../lib/providers/settings';
import { startFakeModelServer, streamBytes, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts, type FakePorts } from '../support/fake-ports';
import { TOOLS } from '../contracts/chat-model.contract';
import { fromStream } from '../../lib/providers/ollama/from-stream';

describe('ollama, native route', () => {
	let server: FakeModelServer;
	let ports: FakePorts;
	beforeEach(async () => {
		server = await startFakeModelServer('ollama');
		ports = fakePorts();
	});
	afterEach(async () => await server.close());

	const done = (promptTokensCounted: number): object => ({
		chunks: [{ message: { role: 'assistant', content: 'ok' }, done: true, done_reason: 'stop', prompt_eval_count: promptTokensCounted, eval_count: 1 }],
	});
	const options = (at: number): Record<string, unknown> => server.requests[at]?.body['options'] as Record<string, unknown>;

	function modelWith(more: Partial<ChatSettings> = {}): (request: Partial<ModelRequest>) => Promise<ModelReply> {
		const model = loadChatModel('ollama', { model: 'qwen3:8b', baseUrl: server.url, ...more }, ports);
		return async (request) => await collectReply(model, { messages: [textMessage('user', 'q')], ...request }, new AbortController().signal);
	}

	it('P11 asks for a context that fits the request, in few steps that only grow', async () => {
		server.answer('chat', done(10) as never, done(5000) as never, done(10) as never);
		const ask = modelWith();
		await ask({});
		await ask({ messages: [textMessage('user', 'x'.repeat(20_000))] });
		await ask({});
		expect(server.requests.map((_, at) => options(at)['num_ctx'])).toEqual([4096, 8192, 8192]);
		expect(server.requests[0]?.path).toBe('/api/chat');
	});

	it('P11 checks the context against prompt_eval_count: warns when the prompt filled it, and asks for more', async () => {
		server.answer('chat', done(4090) as never, done(4500) as never);
		const ask = modelWith({ maxTokens: 10 });
		await ask({ messages: [textMessage('user', 'x'.repeat(12_000))] });
		expect(ports.logged).toEqual([{ level: 'warn', message: expect.stringMatching(/filled the context of 4096 tokens \(4090 counted\)/) }]);
		await ask({ messages: [textMessage('user', 'x'.repeat(12_000))] });
		expect(options(1)['num_ctx']).toBe(8192);
	});

	it('refuses a request that cannot fit instead of letting the server cut it', async () => {
		const ask = modelWith({ maxContextTokens: 4096 });
		await expect(ask({ messages: [textMessage('user', 'x'.repeat(30_000))] })).rejects.toMatchObject({
			code: 'BAD_INPUT',
			reason: 'context-length',
			remedy: expect.stringContaining('Longest Context'),
		});
	});

	it('counts tools, calls, results and pictures as part of the prompt', () => {
		const file: Message = { role: 'user', parts: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] };
		const plain = promptTokens({ messages: [textMessage('user', 'q')] });
		expect(promptTokens({ messages: [textMessage('user', 'q')], tools: TOOLS })).toBeGreaterThan(plain + 30);
		expect(promptTokens({ messages: [textMessage('user', 'q'), file] })).toBeGreaterThan(plain + 1000);
	});

	it('holds the reply to a schema, keeps the model loaded and passes the other options on', async () => {
		server.answer('chat', done(1) as never);
		const schema = { type: 'object', properties: { n: { type: 'integer' } } };
		await modelWith({ keepAlive: '30m', temperature: 0 })({ responseSchema: schema, stop: ['END'], maxTokens: 7 });
		expect(server.requests[0]?.body).toMatchObject({ format: schema, keep_alive: '30m', stream: true });
		expect(options(0)).toMatchObject({ temperature: 0, stop: ['END'], num_predict: 7 });
	});

	it('P12 sends arguments as an object, also those that are none; P06 thinking goes back with its calls', async () => {
		server.answer('chat', done(1) as never);
		const call = (argumentsText: string): Message => ({
			role: 'assistant',
			parts: [
				{ type: 'reasoning', text: 'hm' },
				{ type: 'tool-call', callId: 'c', name: 'x', argumentsText },
			],
		});
		const result: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', name: 'x', text: '3', isError: false }] };
		await modelWith()({ messages: [textMessage('user', 'q'), call('{"n":1}'), result, call('[1]'), result, call(''), result, textMessage('assistant', '')] });
		const sent = server.requests[0]?.body['messages'] as { role: string; thinking?: string; tool_calls?: { function: { arguments: unknown } }[] }[];
		const calls = sent.filter(({ role }) => role === 'assistant');
		expect(calls.map(({ tool_calls: made }) => made?.[0]?.function.arguments)).toEqual([{ n: 1 }, { arguments: [1] }, {}]);
		expect(calls[0]?.thinking).toBe('hm');
		expect(sent[2]).toEqual({ role: 'tool', tool_name: 'x', content: '3' });
	});

	it('puts pictures beside the text', async () => {
		server.answer('chat', done(1) as never);
		await modelWith()({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'see' }, { type: 'file', mediaType: 'image/png', data: 'QUJD' }] }] });
		expect((server.requests[0]?.body['messages'] as unknown[])[0]).toEqual({ role: 'user', content: 'see', images: ['QUJD'] });
	});

	it('sends a key only when there is one, and the extra headers', async () => {
		server.answer('chat', done(1) as never, done(1) as never);
		await modelWith()({});
		await modelWith({ apiKey: 'k', headers: { 'x-site': 'plant-1' } })({});
		expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer k']);
		expect(server.requests[1]?.headers['x-site']).toBe('plant-1');
	});

	it.each(['/v1', '/api', '/', ''])('takes an address that ends in "%s"', async (end) => {
		server.answer('chat', done(1) as never);
		await modelWith({ baseUrl: server.url + end })({});
		expect(server.requests[0]?.path).toBe('/api/chat');
	});

	it('says that a stream broke off before it was done', async () => {
		const bytes = streamBytes('ollama', [{ message: { content: 'half' }, done: false }]);
		const read = async (): Promise<void> => {
			for await (const event of fromStream(once(bytes), { api: 'Ollama', url: 'u', model: 'm' }, () => 'i')) expect(event.type).toBe('text-delta');
		};
		await expect(read()).rejects.toThrow('ended before "done"');
	});
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
