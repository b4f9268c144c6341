import path from 'node:path';
import { localEmbedder, type LocalEmbedSettings } from '../../lib/inference/local-embedder';
import { ModelHostClient } from '../../lib/inference/model-host-client';

const MODELS = process.env.REACTENGINE_TEST_MODELS ?? '';
const SETTINGS: LocalEmbedSettings = { model: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4', modelsFolder: MODELS };

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('local sentence encoder', () => {
	const host = new ModelHostClient('auto');
	const embedder = localEmbedder(SETTINGS, host);
	afterAll(() => host.stop());

	it('puts texts that mean the same near each other', async () => {
		const [leak, oil, invoice] = await embedder.embed(['hydraulic pump leak', 'the pump leaks oil', 'invoice overdue'], { kind: 'passage' });
		expect(leak).toHaveLength(384);
		expect(dot(leak!, leak!)).toBeCloseTo(1, 4);
		expect(dot(leak!, oil!)).toBeGreaterThan(dot(leak!, invoice!) + 0.3);
	});

	it('gives the same vector alone, in a batch and in any order', async () => {
		const texts = ['a short one', 'the boom cylinder of the excavator drifts down when it is hot', 'bucket'];
		const together = await embedder.embed(texts, { kind: 'passage' });
		for (const [i, text] of texts.entries()) {
			const [alone] = await embedder.embed([text], { kind: 'passage' });
			expect(dot(alone!, together[i]!)).toBeCloseTo(1, 3);
		}
	});

	it('E04 gives zero vectors for blanks and keeps positions', async () => {
		const vectors = await embedder.embed(['', 'bucket', '\n\n', ' '], { kind: 'passage' });
		expect(vectors.map((vector) => vector.length)).toEqual([384, 384, 384, 384]);
		expect(vectors.map((vector) => Math.round(dot(vector, vector)))).toEqual([0, 1, 0, 0]);
		expect((await embedder.embed(['  '], { kind: 'query' }))[0]).toHaveLength(384);
		expect(await embedder.embed([], { kind: 'query' })).toEqual([]);
	});

	it('E05 reads a text to its end though it is longer than the model can read, with a warning', async () => {
		const warnings: string[] = [];
		const warned = localEmbedder({ ...SETTINGS, warn: (message) => warnings.push(message) }, host);
		const filler = 'general remarks about the site. '.repeat(150);
		const [plain, ending, topic] = await warned.embed([filler, filler + 'hydraulic pump leaks oil. '.repeat(150), 'hydraulic pump leaks oil'], { kind: 'passage' });
		expect(dot(ending!, topic!)).toBeGreaterThan(dot(plain!, topic!) + 0.2);
		expect(warnings).toEqual([expect.stringContaining('longer than model')]);
	});

	it('does not run a query twice, and hands out copies', async () => {
		const [first] = await embedder.embed(['twice'], { kind: 'query' });
		first!.fill(0);
		const asked = jest.spyOn(host, 'embed');
		const [second] = await embedder.embed(['twice'], { kind: 'query' });
		expect(asked).not.toHaveBeenCalled();
		expect(dot(second!, second!)).toBeCloseTo(1, 4);
		asked.mockRestore();
	});

	it('stops with the reason of the signal and serves the next call', async () => {
		const stop = new AbortController();
		const reason = new Error('the user left');
		const long = embedder.embed(Array.from({ length: 64 }, (_, i) => `work order ${i} `.repeat(60)), { kind: 'passage', signal: stop.signal });
		stop.abort(reason);
		await expect(long).rejects.toBe(reason);
		expect(await embedder.embed(['after'], { kind: 'query' })).toHaveLength(1);
	});

	it('fails calls under way with a typed error when the process dies, and starts it again', async () => {
		await embedder.embed(['warm'], { kind: 'query' });
		const before = host.pid!;
		const long = embedder.embed(Array.from({ length: 64 }, (_, i) => `order ${i} `.repeat(60)), { kind: 'passage' });
		process.kill(before, 'SIGKILL');
		await expect(long).rejects.toMatchObject({ code: 'INTERNAL', retryable: true, message: expect.stringContaining('SIGKILL') });
		expect(await embedder.embed(['again'], { kind: 'query' })).toHaveLength(1);
		expect(host.pid).not.toBe(before);
	});

	it('names model and data type', () => {
		expect(embedder.id).toBe('local/onnx-community/all-MiniLM-L6-v2-ONNX@q4');
	});
});

describe('the process of the local models', () => {
	it('E01 runs on WebAssembly where asked, with nearly the same vectors', async () => {
		const native = new ModelHostClient('auto');
		const wasm = new ModelHostClient('wasm');
		const [a, b] = await Promise.all(
			[native, wasm].map(async (host) => (await localEmbedder(SETTINGS, host).embed(['boom cylinder'], { kind: 'query' }))[0]),
		);
		expect(dot(a!, b!)).toBeGreaterThan(0.98);
		native.stop();
		wasm.stop();
	});

	it('ends when it has been idle, and comes back', async () => {
		const host = new ModelHostClient('auto', 0);
		const embedder = localEmbedder(SETTINGS, host);
		await embedder.embed(['one'], { kind: 'query' });
		await new Promise<void>((resolve) => {
			const look = (): unknown => (host.pid === undefined ? resolve() : setImmediate(look));
			look();
		});
		expect(await embedder.embed(['two'], { kind: 'query' })).toHaveLength(1);
		host.stop();
	});

	it('says which file does not load', async () => {
		const host = new ModelHostClient('auto');
		const folder = path.join(MODELS, 'no-such-model');
		const call = host.embed({ model: { folder, dtype: 'q4', pooling: 'mean' }, texts: ['a'], urgent: true });
		await expect(call).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('The local model failed') });
		host.stop();
	});
});
