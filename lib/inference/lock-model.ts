import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Ports } from '../core/ports';
import { safeFileName } from '../storage/paths';
import { lockEngineSettings, type SettingValues, type Who } from './engine-settings';
import { weightBytesOf } from './loaded-models';
import { modelsFolder } from './model-store';
import { detectModelType } from './model-structure';
import type { Dtype } from './protocol';

export interface ModelUse {
	/** Absolute; complete. */
	readonly folder: string;
	readonly dtype: Dtype;
	readonly who: Who;
	/** Default: the engine's own. */
	readonly modelsFolder?: string;
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Locks that hold, by place and state of the files; so a model is looked at again only when its files change. */
const held = new Map<string, Promise<void>>();

/**
 * Locks what a model is at its first use, wherever it came from: kind, configuration and size of the weights. A model whose files are
 * exchanged later is refused, since its vectors would be mixed with those of the first one. Free after the first call.
 *
 * A model below the models folder has its lock beside its files. Any other folder is not ours to write to: its lock lies in `.locked`
 * of the models folder. Where neither can be written, a warning is logged and the model used.
 *
 * @throws CodedError as `lockEngineSettings` and `detectModelType` do
 */
export async function lockModel(use: ModelUse, ports: Pick<Ports, 'clock' | 'log'>): Promise<void> {
	const { mtimeMs, size } = statSync(path.join(use.folder, 'config.json'));
	const weightBytes = weightBytesOf(use);
	const key = [lockFile(use), use.dtype, mtimeMs, size, weightBytes].join(' ');
	const lock = held.get(key) ?? lockFiles(use, weightBytes, ports);
	held.set(key, lock);
	lock.catch(() => held.delete(key));
	await lock;
}

async function lockFiles(use: ModelUse, weightBytes: number, { clock, log }: Pick<Ports, 'clock' | 'log'>): Promise<void> {
	const file = lockFile(use);
	const values: SettingValues = {
		type: detectModelType(use.folder),
		'config sha256': createHash('sha256').update(readFileSync(path.join(use.folder, 'config.json'))).digest('hex'),
		[`weights ${use.dtype} bytes`]: weightBytes,
	};
	await lockEngineSettings(file, values, use.who, clock).catch(async (error: NodeJS.ErrnoException) => {
		if (!NOT_WRITABLE.has(error.code ?? '')) return await Promise.reject(error);
		log('warn', `The settings of the model in ${use.folder} could not be locked: ${error.message}`);
		return undefined;
	});
}

function lockFile({ folder, modelsFolder: own = modelsFolder() }: ModelUse): string {
	const inside = path.relative(own, folder);
	const isOurs = inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside);
	return isOurs ? path.join(folder, 'engine-settings.json') : path.join(own, '.locked', `${safeFileName(path.resolve(folder), 'model')}.json`);
}
