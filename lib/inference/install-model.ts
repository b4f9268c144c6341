import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '../core/errors';
import type { Ports } from '../core/ports';
import { lockEngineSettings, type Who } from './engine-settings';
import { HubClient, type HubFile } from './hub-client';
import { checkModelType, type ModelType } from './model-structure';
import { DTYPE_SUFFIX, type Dtype } from './protocol';

export interface InstallRequest {
	/** `owner/name` on the hub. */
	readonly model: string;
	readonly dtype: Dtype;
	/** Kinds that the model may be of. */
	readonly types: readonly ModelType[];
	/** Branch, tag or commit; default main. */
	readonly revision?: string;
	readonly modelsFolder: string;
	readonly who: Who;
	readonly signal?: AbortSignal;
	/** Told at each percent. */
	readonly onProgress?: (doneBytes: number, allBytes: number) => void;
}

/** What every model needs beside its weights, as far as the hub has it. */
const SIDE_FILES = new Set([
	'config.json', 'tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json', 'generation_config.json', 'modules.json',
	'1_Pooling/config.json', 'chat_template.jinja', 'preprocessor_config.json',
]);
const HUB_NAME = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

const running = new Map<string, Promise<string>>();

/** True when a model's name can be looked up on the hub: `owner/name`, no path. */
export function isHubName(model: string): boolean {
	return HUB_NAME.test(model.trim());
}

/**
 * Fetches a model from the hub into the models folder, unless its files are there; gives its folder. Afterwards nothing is fetched.
 *
 * Files are written beside and moved into place when all are complete and their hashes right, so a model is never half there. Two
 * requests for one model share one download. The state of the model is locked (see engine-settings).
 *
 * @throws CodedError BAD_INPUT when the hub has no such model, no file of the data type, or the model is of another kind; UPSTREAM when
 *         it cannot be fetched
 */
export async function installModel(request: InstallRequest, ports: Pick<Ports, 'fetch' | 'log' | 'clock' | 'ids'>): Promise<string> {
	const folder = path.join(request.modelsFolder, request.model.trim());
	const weights = `onnx/model${DTYPE_SUFFIX[request.dtype]}.onnx`;
	if (['config.json', 'tokenizer.json', weights].every((file) => existsSync(path.join(folder, file)))) return folder;
	const key = `${folder} ${request.dtype}`;
	const install = running.get(key) ?? fetchModel(request, folder, weights, ports).finally(() => running.delete(key));
	running.set(key, install);
	return await install;
}

async function fetchModel(
	request: InstallRequest,
	folder: string,
	weights: string,
	ports: Pick<Ports, 'fetch' | 'log' | 'clock' | 'ids'>,
): Promise<string> {
	const { model, types, dtype, signal } = request;
	const hub = new HubClient(ports);
	const found = await hub.describe(model, request.revision ?? 'main', signal);
	const files = wanted(found.files, weights, model);
	const all = files.reduce((sum, file) => sum + file.size, 0);
	ports.log('info', `Fetching model ${model} (${dtype}, ${Math.round(all / 1e6)} MB) from the hub; this happens once`);
	const staging = path.join(request.modelsFolder, `.fetching-${ports.ids()}`);
	const progress = percentTeller(all, request, ports);
	try {
		for (const file of files) {
			await hub.download({ ...found, name: model }, file, path.join(staging, file.path), { signal, onBytes: progress });
		}
		const type = checkModelType(model, staging, types);
		const sha256 = files.find((file) => file.path.startsWith(weights) && file.sha256)?.sha256 ?? null;
		for (const file of files) await moveFile(path.join(staging, file.path), path.join(folder, file.path));
		const settings = { model, type, revision: found.revision, [`sha256 ${dtype}`]: sha256 };
		await lockEngineSettings(path.join(folder, 'engine-settings.json'), settings, request.who, ports.clock);
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
	return folder;
}

function wanted(files: readonly HubFile[], weights: string, model: string): HubFile[] {
	const isWeights = (name: string): boolean => name === weights || new RegExp(`^${weights.replace('.', '\\.')}_data(?:_\\d+)?$`).test(name);
	const found = files.filter((file) => SIDE_FILES.has(file.path) || isWeights(file.path));
	const missing = ['config.json', 'tokenizer.json', weights].find((name) => !found.some((file) => file.path === name));
	if (missing === undefined) return found;
	const there = (Object.keys(DTYPE_SUFFIX) as Dtype[]).filter((dtype) => files.some((file) => file.path === `onnx/model${DTYPE_SUFFIX[dtype]}.onnx`));
	throw new CodedError('BAD_INPUT', `Model "${model}" has no file ${missing} on the hub`, {
		remedy: there.length > 0 ? `Choose a data type that is there: ${there.join(', ')}.` : 'Choose a model that is published in ONNX format.',
	});
}

async function moveFile(from: string, to: string): Promise<void> {
	await mkdir(path.dirname(to), { recursive: true });
	await rename(from, to);
}

function percentTeller(all: number, request: InstallRequest, ports: Pick<Ports, 'log'>): (count: number) => void {
	let done = 0;
	let told = 0;
	return (count) => {
		done += count;
		const percent = all === 0 ? 100 : Math.floor((done / all) * 100);
		if (percent <= told) return;
		if (Math.floor(percent / 10) > Math.floor(told / 10)) ports.log('info', `Model ${request.model}: ${percent} %`);
		told = percent;
		request.onProgress?.(done, all);
	};
}
