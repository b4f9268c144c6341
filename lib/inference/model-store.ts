import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CodedError } from '../core/errors';
import { reactengineFolder } from '../storage/paths';
import { DTYPE_SUFFIX, type Dtype } from './protocol';

/** Where models are kept unless told otherwise: `<n8n user folder>/.n8n/reactengine/models`. */
export function modelsFolder(): string {
	return path.join(reactengineFolder(), 'models');
}

/**
 * The folder of a model that is known to be complete.
 *
 * @param model   `owner/name` below `folder`, or an absolute path
 * @param folder  the models folder
 * @throws CodedError BAD_INPUT that names the first file that is missing
 */
export function findModel(model: string, dtype: Dtype, folder: string): string {
	const name = model.trim();
	if (name === '' || name.split(/[\\/]/).includes('..')) {
		throw new CodedError('BAD_INPUT', `"${model}" is not the name of a local model`, {
			remedy: 'Enter a name such as onnx-community/all-MiniLM-L6-v2-ONNX.',
		});
	}
	const place = path.isAbsolute(name) ? name : path.join(folder, name);
	if (!existsSync(place)) {
		throw new CodedError('BAD_INPUT', `Local model "${model}" is not installed: there is no folder ${place}`, {
			remedy: `Download the model from its page and put config.json, tokenizer.json and ${weightsName(dtype)} into that folder.`,
		});
	}
	const missing = ['config.json', 'tokenizer.json', weightsName(dtype)].find((file) => !existsSync(path.join(place, file)));
	if (missing === undefined) return place;
	throw new CodedError('BAD_INPUT', `Local model "${model}" is not complete: ${path.join(place, missing)} is missing`, {
		remedy: missing.endsWith('.onnx') ? otherDtypes(place) : 'Download the missing file from the page of the model.',
	});
}

/**
 * Checks the weights of a model against a hash that the builder knows.
 *
 * The weights are the `.onnx_data` file where there is one, else the `.onnx` file. A file is read once; then only when its size or
 * time changes.
 *
 * @param expected  SHA-256 in hex; case does not matter
 * @throws CodedError BAD_INPUT that names the file and both hashes
 */
export async function checkModelHash(folder: string, dtype: Dtype, expected: string): Promise<void> {
	const onnx = path.join(folder, weightsName(dtype));
	const file = existsSync(`${onnx}_data`) ? `${onnx}_data` : onnx;
	const found = await hashOf(file);
	if (found === expected.trim().toLowerCase()) return;
	throw new CodedError('BAD_INPUT', `Model hash mismatch: ${file} has SHA-256 ${found}, expected ${expected.trim()}`, {
		remedy: 'Download the file again, or correct the expected hash in the options of the embeddings node.',
	});
}

const hashes = new Map<string, Promise<string>>();

async function hashOf(file: string): Promise<string> {
	const { size, mtimeMs } = statSync(file);
	const key = `${file}:${size}:${mtimeMs}`;
	const known = hashes.get(key) ?? sha256(file);
	hashes.set(key, known);
	return await known;
}

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

function weightsName(dtype: Dtype): string {
	return `onnx/model${DTYPE_SUFFIX[dtype]}.onnx`;
}

function otherDtypes(place: string): string {
	const there = (Object.keys(DTYPE_SUFFIX) as Dtype[]).filter((dtype) => existsSync(path.join(place, weightsName(dtype))));
	return there.length > 0
		? `Choose a data type that is there (${there.join(', ')}), or download the missing file.`
		: 'Download the missing file from the onnx folder on the page of the model.';
}
