import { loadEmbedder } from '../../lib/providers/registry';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts, type FakePorts } from '../support/fake-ports';

type Vectors = readonly (readonly number[] | string)[];
const ollamaBody = (...vectors: Vectors): object => ({ model: 'm', embeddings: vectors, prompt_eval_count: 1 });
const openAiBody = (...vectors: Vectors): object => ({
	id: 'e',
	object: 'list',
	model: 'm',
	data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
	usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 },
});
const rounded = (vectors: readonly Float32Array[]): number[][] => vectors.map((vector) => [...vector].map((x) => Math.round(x * 1000) / 1000));

describe.each([
	['mistral', '/v1/embeddings', openAiBody],
	['openai-compatible', '/v1/embeddings', openAiBody],
	['ollama', '/api/embed', ollamaBody],
] as const)('embeddings of %s', (provider, route, body) => {
	let server: FakeModelServer;
	let ports: FakePorts;
	beforeEach(async () => {
		server = await startFakeModelServer(provider);
		ports = fakePorts();
	});
	afterEach(async () => await server.close());

	const embed = async (texts: string[], more: object = {}): Promise<Float32Array[]> => {
		const settings = { model: 'm', apiKey: 'k', baseUrl: `${server.url}/v1`, ...more };
		return await loadEmbedder(provider, settings, ports).embed(texts, { kind: 'passage' });
	};

	it('gives unit vectors in order', async () => {
		server.answer('embed', { body: body([3, 4], [0, 2]) });
		expect(rounded(await embed(['a', 'b']))).toEqual([[0.6, 0.8], [0, 1]]);
		expect(server.requests[0]?.path).toBe(route);
	});

	it('E04 never sends blanks and keeps their places', async () => {
		server.answer('embed', { body: body([1, 0]) });
		expect(rounded(await embed(['', 'a', '\n\n', ' ']))).toEqual([[0, 0], [1, 0], [0, 0], [0, 0]]);
		expect(server.requests[0]?.body['input']).toEqual(['a']);
	});

	it('sends a query once, also when the embedder is made anew for each item', async () => {
		server.answer('embed', { body: body([1, 0]) }, { body: body([0, 1]) });
		const ask = async (text: string, more: object = {}): Promise<Float32Array[]> =>
			await loadEmbedder(provider, { model: 'm', apiKey: 'k', baseUrl: `${server.url}/v1`, ...more }, ports).embed([text], { kind: 'query' });
		expect(rounded([...(await ask('pump')), ...(await ask('pump'))])).toEqual([[1, 0], [1, 0]]);
		expect(rounded(await ask('pump', { apiKey: 'other' }))).toEqual([[0, 1]]);
		expect(server.requests).toHaveLength(2);
	});

	it('sends nothing for no texts', async () => {
		expect(await embed([])).toEqual([]);
		expect(server.requests).toEqual([]);
	});

	it('sends batches and prefixes', async () => {
		server.answer('embed', { body: body([1], [1]) }, { body: body([1]) });
		await embed(['a', 'b', 'c'], { batchSize: 2, passagePrefix: 'passage: ' });
		expect(server.requests.map(({ body: sent }) => sent['input'])).toEqual([['passage: a', 'passage: b'], ['passage: c']]);
	});

	it('E02 refuses vectors of another length than asked for', async () => {
		server.answer('embed', { body: body([1, 0]) });
		await expect(embed(['a'], { dimension: 8 })).rejects.toThrow('gave a vector of 2 numbers instead of 8');
	});

	it('refuses another number of vectors than texts', async () => {
		server.answer('embed', { body: body([1, 0]) });
		await expect(embed(['a', 'b'])).rejects.toThrow('1 vectors for 2 texts');
	});

	it('E05 averages the halves of a text that is too long, with a warning', async () => {
		const tooLong = { status: 400, body: { message: 'Input exceeds the maximum context length of 512 tokens' } };
		server.answer('embed', tooLong, { body: body([1, 0]) }, { body: body([0, 1]) });
		const [vector] = rounded(await embed(['word '.repeat(40).trim()]));
		expect(vector?.[0]).toBeCloseTo(0.707, 1);
		expect(server.requests.slice(1).map(({ body: sent }) => (sent['input'] as string[]).join('')).join('')).toBe('word '.repeat(40).trim());
		expect(ports.logged).toEqual([{ level: 'warn', message: expect.stringContaining('199 characters') }]);
	});

	it('E06 waits and asks again when the rate is limited', async () => {
		server.answer('embed', { status: 429, headers: { 'retry-after': '1' }, body: { message: 'slow down' } }, { body: body([1, 0]) });
		expect(rounded(await embed(['a']))).toEqual([[1, 0]]);
		expect(ports.sleeps).toEqual([1000]);
	});

	it('E06 quotes a 200 answer that has no vectors', async () => {
		server.answer('embed', { body: { message: 'Rate limit exceeded', object: 'error' } });
		await expect(embed(['a'])).rejects.toMatchObject({ code: 'UPSTREAM', message: expect.stringContaining('Rate limit exceeded') });
	});
});

it('E02 asks for floats and understands base64 all the same', async () => {
	const server = await startFakeModelServer('openai-compatible');
	const base64 = Buffer.from(Float32Array.of(0.6, -0.8).buffer).toString('base64');
	server.answer('embed', { body: openAiBody(base64) });
	const embedder = loadEmbedder('openai-compatible', { model: 'm', baseUrl: server.url }, fakePorts());
	expect(rounded(await embedder.embed(['a'], { kind: 'query' }))).toEqual([[0.6, -0.8]]);
	expect(server.requests[0]?.body['encoding_format']).toBe('float');
	expect(embedder.id).toBe('openai-compatible/m');
	await server.close();
});
