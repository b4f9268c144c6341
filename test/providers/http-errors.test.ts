import { textMessage } from '../../lib/core/message';
import { loadChatModel } from '../../lib/providers/registry';
import { startFakeModelServer, type FakeAnswer, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts, type FakePorts } from '../support/fake-ports';
import { all, TOOLS } from '../contracts/chat-model.contract';

const COMPLETION = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'Tro' }, finish_reason: null }] };

describe.each([
	['mistral', '/v1/chat/completions', COMPLETION],
	['openai-compatible', '/v1/chat/completions', COMPLETION],
	['ollama', '/api/chat', { model: 'm', message: { role: 'assistant', content: 'Tro' }, done: false }],
] as const)('errors of %s', (provider, route, chunk) => {
	let server: FakeModelServer;
	let ports: FakePorts;
	beforeEach(async () => {
		server = await startFakeModelServer(provider);
		ports = fakePorts();
	});
	afterEach(async () => await server.close());

	async function failure(...answers: FakeAnswer[]): Promise<Record<string, unknown>> {
		server.answer('chat', ...answers);
		return await ask(server.url);
	}

	async function ask(baseUrl: string, options: { timeoutMs?: number; maxAttempts?: number } = {}): Promise<Record<string, unknown>> {
		const settings = { model: 'test-model', apiKey: 'secret-key', credentialName: 'My key', baseUrl: `${baseUrl}/v1`, ...options };
		const model = loadChatModel(provider, settings, ports);
		return await all(model, { messages: [textMessage('user', 'q')], tools: TOOLS }).then(
			() => ({ message: 'it did not fail' }),
			(error: Error) => ({ ...error, name: error.name, message: error.message }),
		);
	}

	it('names the credential when the key is wrong, and never quotes the key', async () => {
		const error = await failure({ status: 401, body: { message: 'Unauthorized: secret-key' } });
		expect(error).toMatchObject({ code: 'BAD_INPUT', status: 401, reason: 'wrong-key', retryable: false });
		expect(error.message).toMatch(/wrong key/);
		expect(error.remedy).toContain('"My key"');
		expect(JSON.stringify(error)).not.toContain('secret-key');
	});

	it('names the model that the server does not know', async () => {
		const error = await failure({ status: 404, body: { error: { message: 'model "test-model" not found, try pulling it first' } } });
		expect(error).toMatchObject({ code: 'BAD_INPUT', status: 404, reason: 'unknown-model' });
		expect(error.message).toContain('does not know the model "test-model"');
	});

	it('names the address that has nothing, for a wrong base URL', async () => {
		const error = await failure({ status: 404, body: { detail: 'Not Found' } });
		expect(error.message).toContain(`${server.url}${route}`);
		expect(error.remedy).toContain('base URL');
	});

	it('names the address when the server is down', async () => {
		const down = await startFakeModelServer(provider);
		await down.close();
		const error = await ask(down.url);
		expect(error).toMatchObject({ code: 'UPSTREAM', retryable: true });
		expect(error.message).toContain(down.url);
		expect(error.message).toContain('ECONNREFUSED');
		expect(error.message).toContain('tried 4 times');
	});

	it.each([
		'registry.ollama.ai/library/gemma:2b does not support tools',
		'"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
		'Function calling is not enabled for this model',
		'No endpoints found that support tool use.',
	])('says in a field that the model takes no tools: %s', async (message) => {
		const error = await failure({ status: 400, body: { error: { message } } });
		expect(error).toMatchObject({ code: 'BAD_INPUT', status: 400, reason: 'tools-unsupported' });
		expect(error.message).toContain(message);
	});

	it('says in a field that the request is too long', async () => {
		const message = "This model's maximum context length is 8192 tokens";
		expect(await failure({ status: 400, body: { message } })).toMatchObject({ reason: 'context-length', retryable: false });
	});

	it('P07 quotes the beginning of a web page', async () => {
		const error = await failure({ body: '<html><title>Welcome to nginx!</title></html>' });
		expect(error).toMatchObject({ code: 'UPSTREAM', retryable: false });
		expect(error.message).toContain('an HTML page');
		expect(error.message).toContain('Welcome to nginx!');
	});

	it('P07 quotes an error object in a 200 answer', async () => {
		expect((await failure({ body: { error: { message: 'model is loading' } } })).message).toContain('model is loading');
	});

	it('P07 quotes an error object in a stream', async () => {
		const chunks = [{ object: 'error', error: { message: 'worker died' } }];
		expect(await failure({ chunks })).toMatchObject({ code: 'UPSTREAM', message: expect.stringContaining('worker died') });
	});

	it('P09 waits as Retry-After says and then answers', async () => {
		const busy = { status: 429, headers: { 'retry-after': '2' }, body: { message: 'slow down' } };
		expect((await failure(busy, busy, { fixture: 'text' })).message).toBe('it did not fail');
		expect(ports.sleeps).toEqual([2000, 2000]);
	});

	it('P09 still says 429 when it gives up', async () => {
		const busy = { status: 429, headers: { 'retry-after': '2' }, body: { message: 'slow down' } };
		const error = await failure(busy, busy, busy, busy);
		expect(error).toMatchObject({ code: 'UPSTREAM', status: 429, retryable: true, retryAfterMs: 2000 });
		expect(error.message).toMatch(/slow down.*tried 4 times in 6\.0 s/);
	});

	it('does not wait for a time that is over its limit', async () => {
		const error = await failure({ status: 429, headers: { 'retry-after': '3600' }, body: { message: 'quota of the hour' } });
		expect(error.message).toContain('asks to wait 3600.0 s');
		expect(ports.sleeps).toEqual([]);
	});

	it('does not repeat a request that is wrong, or an account without credit', async () => {
		expect(await failure({ status: 422, body: { detail: [{ msg: 'temperature is too high' }] } })).toMatchObject({
			status: 422,
			message: expect.stringContaining('temperature is too high'),
		});
		expect(await failure({ status: 429, body: { error: { code: 'insufficient_quota', message: 'no credit' } } })).toMatchObject({ retryable: false });
	});

	it('says that the connection was lost in the middle of an answer', async () => {
		const error = await failure({ chunks: [chunk, chunk], dropAfter: 1 });
		expect(error).toMatchObject({ code: 'UPSTREAM', retryable: true });
		expect(error.message).toContain('No connection to');
	});

	it('gives up on a server that says nothing, and leaves its socket', async () => {
		server.answer('chat', { hang: true });
		let now = 0;
		const sleep = async (ms: number): Promise<void> => {
			await until(() => server.requests.length === 1);
			now += ms;
		};
		ports = { ...ports, clock: { now: () => now, sleep } };
		const error = await ask(server.url, { timeoutMs: 1000, maxAttempts: 1 });
		expect(error).toMatchObject({ code: 'TIMEOUT' });
		expect(error.message).toContain('said nothing for 1 s');
		await until(() => server.abandoned() === 1);
	});

	it('closes the socket when the reader leaves', async () => {
		server.answer('chat', { chunks: Array.from({ length: 400 }, () => chunk), cutBytes: 50 });
		const model = loadChatModel(provider, { model: 'm', apiKey: 'k', baseUrl: server.url }, ports);
		for await (const event of model.stream({ messages: [textMessage('user', 'q')] }, new AbortController().signal)) {
			if (event.type === 'text-delta') break;
		}
		await until(() => server.abandoned() === 1);
	});
});

it('stops waiting for a retry when the signal aborts', async () => {
	const server = await startFakeModelServer('openai-compatible');
	server.answer('chat', { status: 429, headers: { 'retry-after': '70' }, body: {} });
	const stop = new AbortController();
	const reason = new Error('stopped');
	const ports = fakePorts();
	const model = loadChatModel('openai-compatible', { model: 'm', baseUrl: server.url }, ports);
	const events = model.stream({ messages: [textMessage('user', 'q')] }, stop.signal)[Symbol.asyncIterator]();
	const first = events.next();
	await until(() => ports.openSleeps.includes(70_000));
	stop.abort(reason);
	await expect(first).rejects.toBe(reason);
	await server.close();
});

async function until(condition: () => boolean): Promise<void> {
	for (let turn = 0; turn < 5000 && !condition(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
	expect(condition()).toBe(true);
}
