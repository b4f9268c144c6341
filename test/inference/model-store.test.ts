import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkModelHash, findModel, modelsFolder } from '../../lib/inference/model-store';

describe('model store', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'models-'))));
	afterEach(() => rmSync(folder, { recursive: true }));

	function install(...files: string[]): string {
		const place = path.join(folder, 'lab/tiny');
		for (const file of files) {
			mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
			writeFileSync(path.join(place, file), `content of ${file}`);
		}
		return place;
	}

	it('finds a model that is complete, by name and by path', () => {
		const place = install('config.json', 'tokenizer.json', 'onnx/model_q4.onnx');
		expect(findModel('lab/tiny', 'q4', folder)).toBe(place);
		expect(findModel(place, 'q4', '/nowhere')).toBe(place);
	});

	it.each([['config.json'], ['tokenizer.json'], ['onnx/model_q4.onnx']])('names %s when it is missing', (missing) => {
		const place = install(...['config.json', 'tokenizer.json', 'onnx/model_q4.onnx'].filter((file) => file !== missing));
		expect(() => findModel('lab/tiny', 'q4', folder)).toThrow(`${path.join(place, missing)} is missing`);
	});

	it('says which data types are there when the chosen one is not', () => {
		install('config.json', 'tokenizer.json', 'onnx/model_q4.onnx', 'onnx/model_quantized.onnx');
		const find = (): string => findModel('lab/tiny', 'fp32', folder);
		expect(find).toThrow(expect.objectContaining({ code: 'BAD_INPUT', remedy: expect.stringContaining('(q8, q4)') }));
	});

	it('names the folder of a model that is not installed', () => {
		expect(() => findModel('lab/other', 'q4', folder)).toThrow(`there is no folder ${path.join(folder, 'lab/other')}`);
	});

	it.each(['', '  ', '../secrets', 'a/../../b'])('refuses the name "%s"', (name) => {
		expect(() => findModel(name, 'q4', folder)).toThrow('is not the name of a local model');
	});

	it('compares the weights with the expected hash and names file and both hashes', async () => {
		const place = install('onnx/model_q4.onnx', 'onnx/model_q4.onnx_data');
		const hash = createHash('sha256').update('content of onnx/model_q4.onnx_data').digest('hex');
		await expect(checkModelHash(place, 'q4', hash.toUpperCase())).resolves.toBeUndefined();
		const wrong = checkModelHash(place, 'q4', 'abc123');
		await expect(wrong).rejects.toMatchObject({
			code: 'BAD_INPUT',
			message: `Model hash mismatch: ${path.join(place, 'onnx/model_q4.onnx_data')} has SHA-256 ${hash}, expected abc123`,
			remedy: expect.stringContaining('Download the file again'),
		});
	});

	it('keeps models in the user folder of n8n', () => {
		const before = process.env.N8N_USER_FOLDER;
		process.env.N8N_USER_FOLDER = folder;
		expect(modelsFolder()).toBe(path.join(folder, '.n8n/reactengine/models'));
		if (before === undefined) delete process.env.N8N_USER_FOLDER;
		else process.env.N8N_USER_FOLDER = before;
	});
});
