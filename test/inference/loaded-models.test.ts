import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LoadedModels, weightBytesOf } from '../../lib/inference/loaded-models';
import type { ModelOnDisk } from '../../lib/inference/protocol';

const MB = 2 ** 20;

describe('models in memory', () => {
	let folder: string;
	let rss: number;
	let disposed: string[];
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'loaded-'));
		rss = 0;
		disposed = [];
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	/** A model of so many megabytes on disk. */
	function model(name: string, megabytes: number): ModelOnDisk {
		mkdirSync(path.join(folder, name, 'onnx'), { recursive: true });
		writeFileSync(path.join(folder, name, 'onnx/model.onnx'), Buffer.alloc(megabytes * MB));
		return { folder: path.join(folder, name), dtype: 'fp32', pooling: 'mean' };
	}

	/** Loading and disposing move the resident memory as a real model does. */
	async function use(models: LoadedModels, one: ModelOnDisk, work: () => Promise<void> = async () => undefined): Promise<void> {
		const bytes = weightBytesOf(one) * 1.3;
		await models.use({ model: one, use: 'encoder' }, async () => {
			rss += bytes;
			return {
				dispose: async () => {
					rss -= bytes;
					disposed.push(path.basename(one.folder));
				},
			};
		}, work);
	}

	it('puts out what was not used for longest, and only when the cap would be passed', async () => {
		const models = new LoadedModels(10 * MB, () => rss);
		const [a, b, c] = [model('a', 3), model('b', 3), model('c', 3)];
		await use(models, a);
		await use(models, b);
		expect(disposed).toEqual([]);
		await new Promise((resolve) => setImmediate(resolve));
		await use(models, c);
		expect(disposed).toEqual(['a']);
		expect(models.describe().map((one) => path.basename(one.folder))).toEqual(['b', 'c']);
	});

	it('never puts out a model that is in use', async () => {
		const models = new LoadedModels(10 * MB, () => rss);
		const big = model('big', 6);
		await use(models, big, async () => {
			await expect(use(models, model('other', 6))).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
		});
		expect(disposed).toEqual([]);
	});

	it('refuses a model that cannot fit even alone, with both sizes', async () => {
		const models = new LoadedModels(5 * MB, () => rss);
		await expect(use(models, model('big', 6))).rejects.toMatchObject({
			code: 'RESOURCE_LIMIT',
			message: 'Local model big needs about 8 MB; the local models may take 5 MB together',
			remedy: expect.stringContaining('REACTENGINE_MODEL_MEMORY_MB'),
		});
	});

	it('loads a model anew after it failed to load', async () => {
		const models = new LoadedModels(0);
		const one = model('a', 1);
		const fails = models.use({ model: one, use: 'encoder' }, async () => await Promise.reject(new Error('broken')), async () => undefined);
		await expect(fails).rejects.toThrow('broken');
		await use(models, one);
		expect(models.describe()).toHaveLength(1);
	});
});
