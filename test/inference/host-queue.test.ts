import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHostProcess } from '../../lib/inference/host-process';
import { localEmbedder, type LocalEmbedSettings } from '../../lib/inference/local-embedder';
import { ModelHostClient } from '../../lib/inference/model-host-client';
import type { HostReply } from '../../lib/inference/protocol';
import { writeEncoder } from '../support/tiny-models';

const root = path.resolve(__dirname, '../..');
const SETTINGS: LocalEmbedSettings = { model: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4', modelsFolder: process.env.REACTENGINE_TEST_MODELS ?? '' };

describe('queue of the host process', () => {
	const host = new ModelHostClient('auto');
	const folder = mkdtempSync(path.join(tmpdir(), 'queue-'));
	const tiny: LocalEmbedSettings = { model: writeEncoder(folder, ['pump', 'leak', 'oil']), dtype: 'fp32' };
	afterAll(() => {
		host.stop();
		rmSync(folder, { recursive: true });
	});

	it('lets a query overtake passages that wait', async () => {
		const embedder = localEmbedder(tiny, host);
		await embedder.embed(['warm'], { kind: 'query' });
		const order: string[] = [];
		const passages = embedder
			.embed(Array.from({ length: 1000 }, (_, i) => `order ${i} pump leak oil`), { kind: 'passage' })
			.then(() => order.push('passages'));
		const query = embedder.embed(['pump'], { kind: 'query' }).then(() => order.push('query'));
		await Promise.all([passages, query]);
		expect(order).toEqual(['query', 'passages']);
	});

	it('drops a request that was cancelled while it waited, and goes on with the others', async () => {
		const embedder = localEmbedder(tiny, host);
		const stop = new AbortController();
		const reason = new Error('left');
		const first = embedder.embed(Array.from({ length: 400 }, (_, i) => `order ${i}`), { kind: 'passage' });
		const dropped = embedder.embed(['never'], { kind: 'passage', signal: stop.signal });
		const last = embedder.embed(['after'], { kind: 'passage' });
		stop.abort(reason);
		await expect(dropped).rejects.toBe(reason);
		expect(await first).toHaveLength(400);
		expect(await last).toHaveLength(1);
	});

	it('reads 20,000 characters to their end', async () => {
		const texts = ['x'.repeat(20_000), 'hydraulic pump '.repeat(1400)];
		const vectors = await localEmbedder(SETTINGS, host).embed(texts, { kind: 'passage' });
		expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
	}, 60_000);

	it('refuses a model that does not fit under the memory cap, with a typed error, and goes on', async () => {
		const small = new ModelHostClient('auto', 60_000, 20);
		await expect(localEmbedder(SETTINGS, small).embed(['a'], { kind: 'query' })).rejects.toMatchObject({
			code: 'RESOURCE_LIMIT',
			message: expect.stringMatching(/needs about \d+ MB; the local models may take 20 MB together/),
		});
		expect((await small.describe())?.models).toEqual([]);
		small.stop();
	});
});

it('E01 takes WebAssembly where the native library cannot be loaded, as on Alpine, and does not crash', async () => {
	const place = mkdtempSync(path.join(tmpdir(), 'musl-'));
	const modules = path.join(place, 'node_modules');
	mkdirSync(path.join(modules, '@huggingface'), { recursive: true });
	cpSync(path.join(root, 'node_modules/@huggingface/transformers'), path.join(modules, '@huggingface/transformers'), { recursive: true });
	for (const name of ['@huggingface/jinja', '@huggingface/tokenizers', 'onnxruntime-web', 'onnxruntime-common', 'sharp']) {
		symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
	}
	// The package is there, its library is not: what musl makes of it.
	mkdirSync(path.join(modules, 'onnxruntime-node'));
	writeFileSync(path.join(modules, 'onnxruntime-node/index.js'), "throw new Error('libonnxruntime.so.1: cannot open shared object file');");
	cpSync(path.join(root, 'dist/lib'), path.join(place, 'dist/lib'), { recursive: true });
	const model = writeEncoder(path.join(place, 'model'), ['pump', 'leak']);
	const { child, lastWords } = startHostProcess('auto', 0, path.join(place, 'dist/lib/inference/model-host.js'));
	const replies: HostReply[] = [];
	await new Promise<void>((resolve, reject) => {
		child.on('message', (reply: HostReply) => {
			replies.push(reply);
			if (reply.type === 'ready') child.send({ type: 'embed', id: 1, model: { folder: model, dtype: 'fp32', pooling: 'mean' }, texts: ['pump leak'], urgent: true });
			else resolve();
		});
		child.once('exit', () => reject(new Error(lastWords())));
	});
	child.removeAllListeners('exit');
	child.kill('SIGKILL');
	expect(replies).toEqual([{ type: 'ready', backend: 'wasm' }, expect.objectContaining({ type: 'vectors', id: 1, dimension: 9 })]);
	expect(lastWords()).toContain('onnxruntime-node cannot be loaded, WebAssembly is used');
	rmSync(place, { recursive: true });
}, 60_000);
