import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ModelHostClient } from '../../lib/inference/model-host-client';
import type { GenerateSpec, ModelOnDisk } from '../../lib/inference/protocol';
import { writeCausalLm, writeCrossEncoder, writeEncoder } from '../support/tiny-models';

const live = (): AbortSignal => new AbortController().signal;

describe.each(['auto', 'wasm'] as const)('models in the host process, %s', (backend) => {
	const host = new ModelHostClient(backend);
	let folder: string;
	beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'tiny-'))));
	afterAll(() => {
		host.stop();
		rmSync(folder, { recursive: true });
	});

	const onDisk = (place: string): ModelOnDisk => ({ folder: place, dtype: 'fp32', pooling: 'mean' });
	const at = (name: string): string => path.join(folder, name);

	it('scores by a cross-encoder, 0..1, in the order of the texts', async () => {
		const model = onDisk(writeCrossEncoder(at('cross'), { leak: 2, oil: 1, invoice: -2, pump: 0 }));
		const call = { model, method: 'cross-encoder', query: 'pump', texts: ['invoice', 'leak oil', 'pump'], urgent: true } as const;
		const scores = [...(await host.score(call))].map((score) => Math.round(score * 1000) / 1000);
		expect(scores).toEqual([0.119, 0.953, 0.5]);
	});

	it('scores by late interaction: each word of the query meets its like', async () => {
		const model = onDisk(writeEncoder(at('encoder'), ['pump', 'leak', 'oil', 'invoice', 'paid']));
		const call = { model, method: 'late-interaction', query: 'pump leak', texts: ['invoice paid', 'leak oil pump', 'leak'], urgent: true } as const;
		const [none, both, one] = await host.score(call);
		expect(both).toBeCloseTo(1, 3);
		expect(one).toBeCloseTo((1 + none!) / 2, 2);
		expect(none).toBeLessThan(0.1);
	});

	it('counts a text that is too long by its best part', async () => {
		const model = onDisk(at('encoder'));
		const long = `${'invoice '.repeat(100)} pump leak`;
		const [score] = await host.score({ model, method: 'late-interaction', query: 'pump leak', texts: [long], urgent: true });
		expect(score).toBeCloseTo(1, 3);
	});

	it('writes a reply piece by piece and counts its tokens', async () => {
		const model = onDisk(writeCausalLm(at('lm'), ['three ', 'failures ', 'found']));
		const spec: GenerateSpec = { messages: [{ role: 'user', content: 'how many' }], tools: [] };
		const texts: string[] = [];
		for await (const reply of host.generate({ model, spec, signal: live() })) {
			if (reply.type === 'text') texts.push(reply.text);
			else expect(reply).toMatchObject({ reason: 'stop', outputTokens: 4 });
		}
		expect(texts.join('')).toBe('three failures found');
		expect(texts.length).toBeGreaterThan(1);
	});

	it('describes what is loaded, and unloads it', async () => {
		const described = await host.describe();
		expect(described).toMatchObject({ backend: backend === 'auto' ? 'native' : 'wasm', rssBytes: expect.any(Number) });
		expect(described!.models.map(({ use }) => use).sort()).toEqual(['cross-encoder', 'encoder', 'language-model']);
		expect(described!.models.every(({ weightBytes, requests }) => weightBytes > 0 && requests > 0)).toBe(true);
		expect(await host.unload(at('cross'))).toBe(1);
		expect(await host.unload()).toBe(2);
		expect((await host.describe())!.models).toEqual([]);
	});
});
