import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { lockEngineSettings, type SettingValues } from '../../lib/inference/engine-settings';
import { checkModelType, declaredPooling, detectModelType } from '../../lib/inference/model-structure';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'settings-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const clock = { now: () => Date.UTC(2026, 0, 5) };

describe('EngineSettings', () => {
	const file = (): string => path.join(folder, 'sub/engine-settings.json');
	const lock = async (values: SettingValues, node = 'Embeddings') => await lockEngineSettings(file(), values, { workflow: 'Index', node }, clock);

	it('are locked by the first, and the same again changes nothing', async () => {
		const first = await lock({ model: 'a', dimension: 384 });
		const again = await lock({ dimension: 384, model: 'a' }, 'Other');
		expect(again).toEqual(first);
		expect(first.lockedBy).toEqual({ workflow: 'Index', node: 'Embeddings', at: '2026-01-05T00:00:00.000Z', pid: process.pid });
	});

	it('name each value that differs, who locked it and when', async () => {
		await lock({ model: 'a', dimension: 384, pooling: 'mean' });
		await expect(lock({ model: 'b', dimension: 384, pooling: 'cls' })).rejects.toMatchObject({
			code: 'BAD_INPUT',
			message:
				'EngineSettings mismatch: model is a, asked for b; pooling is mean, asked for cls (locked 2026-01-05T00:00:00.000Z by node "Embeddings" of workflow "Index")',
			remedy: expect.stringContaining(file()),
		});
		expect(JSON.parse(readFileSync(file(), 'utf8')).values.model).toBe('a');
	});

	it('take new names', async () => {
		await lock({ model: 'a' });
		expect((await lock({ model: 'a', more: true })).values).toEqual({ model: 'a', more: true });
		await expect(lock({ more: false })).rejects.toThrow('more is true, asked for false');
	});

	it('are locked by one only when many come together', async () => {
		const values = Array.from({ length: 20 }, (_, n) => ({ n }));
		const results = await Promise.allSettled(values.map(async (one) => await lock(one)));
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		expect(readdirSync(path.dirname(file()))).toEqual(['engine-settings.json']);
	});

	it('are locked by one process only', async () => {
		const built = path.resolve(__dirname, '../../dist/lib/inference/engine-settings.js');
		const program = `require(${JSON.stringify(built)}).lockEngineSettings(process.argv[1], { n: process.pid }, { workflow: 'w', node: 'n' }, Date)
			.then(() => console.log('won'), (error) => console.log(error.message.slice(0, 23)));`;
		const outputs = await Promise.all(Array.from({ length: 4 }, async () => (await promisify(execFile)(process.execPath, ['-e', program, file()])).stdout.trim()));
		expect(outputs.sort()).toEqual(['EngineSettings mismatch', 'EngineSettings mismatch', 'EngineSettings mismatch', 'won']);
	});

	it('say that their file is broken', async () => {
		mkdirSync(path.dirname(file()));
		writeFileSync(file(), 'oops');
		await expect(lock({ a: 1 })).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('is no file of engine settings') });
	});
});

describe('kind of a model, by its files', () => {
	function write(files: { readonly [name: string]: object | string }): string {
		for (const [name, content] of Object.entries(files)) {
			mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
			writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
		}
		return folder;
	}
	const config = (architecture: string): object => ({ architectures: [architecture] });

	it.each([
		['hf_encoder', { 'config.json': config('BertModel') }],
		['hf_encoder', { 'config.json': config('XLMRobertaForMaskedLM') }],
		['sentence_transformer', { 'config.json': config('BertModel'), 'modules.json': [], '1_Pooling/config.json': {} }],
		['cross_encoder', { 'config.json': config('BertForSequenceClassification') }],
		['hf_causal_lm', { 'config.json': config('Qwen3ForCausalLM') }],
		['hf_causal_lm', { 'config.json': config('GPT2LMHeadModel') }],
	] as const)('%s: %j', (type, files) => expect(detectModelType(write(files))).toBe(type));

	it.each([
		[{ 'config.json': {} }, 'config.json names no architecture'],
		[{ 'config.json': config('WhisperForConditionalGeneration') }, 'WhisperForConditionalGeneration is not one that can be run here'],
		[{ 'config.json': config('BertModel'), 'modules.json': [] }, '1_Pooling/config.json is missing'],
		[{ 'config.json': '{"architec' }, 'cannot be read'],
		[{ 'config.json': '[]' }, 'it is no object'],
	])('does not guess: %j', (files, message) => expect(() => detectModelType(write(files as never))).toThrow(message));

	it('refuses another kind than declared and names both', () => {
		write({ 'config.json': config('BertModel') });
		expect(() => checkModelType('lab/x', folder, ['cross_encoder'])).toThrow('declared as cross_encoder, but its files are those of hf_encoder');
		expect(checkModelType('lab/x', folder, ['sentence_transformer', 'hf_encoder'])).toBe('hf_encoder');
	});

	it.each([
		[{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'cls'],
		[{ pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, 'mean'],
		[{ pooling_mode_max_tokens: true }, undefined],
	])('reads the pooling of a sentence transformer: %j', (pooling, expected) => {
		expect(declaredPooling(folder)).toBeUndefined();
		expect(declaredPooling(write({ '1_Pooling/config.json': pooling }))).toBe(expected);
	});
});
