import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ModelHostClient } from '../../lib/inference/model-host-client';
import { ModelStore } from '../../lib/inference/store';
import { fakePorts } from '../support/fake-ports';
import { writeCrossEncoder, writeEncoder } from '../support/tiny-models';

describe('ModelStore', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'store-'));
	const host = new ModelHostClient('auto');
	const offline = { ...fakePorts(), fetch: async (): Promise<never> => await Promise.reject(new Error('no network in this test')) };
	const store = new ModelStore(offline, { node: 'N', workflow: 'W' }, folder, () => [host]);
	afterAll(() => {
		host.stop();
		rmSync(folder, { recursive: true });
	});

	it('describes an empty folder', async () => {
		expect(await new ModelStore(offline, { node: 'N', workflow: 'W' }, path.join(folder, 'none'), () => []).describe()).toMatchObject({ installed: [], hosts: [] });
	});

	it('takes models that were put into the folder by hand, without any request', async () => {
		const encoder = writeEncoder(path.join(folder, 'lab/encoder'), ['pump']);
		writeCrossEncoder(path.join(folder, 'lab/cross'), { pump: 1 });
		expect(await store.install('lab/encoder', 'hf_encoder', 'fp32')).toBe(encoder);
		expect(await store.install(encoder, 'hf_encoder', 'fp32')).toBe(encoder);
		await expect(store.install('lab/cross', 'hf_encoder', 'fp32')).rejects.toThrow('declared as hf_encoder, but its files are those of cross_encoder');
		await expect(store.install('lab/none', 'hf_encoder', 'fp32')).rejects.toMatchObject({ code: 'UPSTREAM', message: expect.stringContaining('no network in this test') });
	});

	it('lists kind and data types of each, and what is wrong with one', async () => {
		mkdirSync(path.join(folder, 'lab/odd'));
		writeFileSync(path.join(folder, 'lab/odd/config.json'), '{}');
		expect((await store.installed()).map(({ name, type, dtypes, fault }) => [name, type, dtypes.join(), fault?.includes('names no architecture')])).toEqual([
			['lab/cross', 'cross_encoder', 'fp32', undefined],
			['lab/encoder', 'hf_encoder', 'fp32', undefined],
			['lab/odd', undefined, '', true],
		]);
	});

	it('tells what is in memory, since when, by whom and how big, and unloads it', async () => {
		const model = { folder: path.join(folder, 'lab/encoder'), dtype: 'fp32', pooling: 'mean' } as const;
		await host.embed({ model, texts: ['pump'], urgent: true, who: { node: 'Embeddings', workflow: 'Index' } });
		await host.embed({ model, texts: Array.from({ length: 100 }, (_, at) => `pump ${at}`), urgent: true, who: { node: 'Other', workflow: 'Search' } });
		const { hosts } = await store.describe();
		expect(hosts[0]?.models).toEqual([expect.objectContaining({ folder: model.folder, use: 'encoder', requests: 2, loadedAt: expect.any(Number), loadedBy: { node: 'Embeddings', workflow: 'Index' }, weightBytes: expect.any(Number) })]);
		expect(hosts[0]?.rssBytes).toBeGreaterThan(1e7);
		expect(await store.unload('lab/cross')).toBe(0);
		expect(await store.unload('lab/encoder')).toBe(1);
	});
});
