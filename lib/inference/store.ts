import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../core/errors';
import type { Ports } from '../core/ports';
import { readSettings, type EngineSettings, type Who } from './engine-settings';
import { findTyped } from './find-typed';
import { installModel } from './install-model';
import { modelHosts, type ModelHostClient } from './model-host-client';
import { modelsFolder } from './model-store';
import { detectModelType, type ModelType } from './model-structure';
import { DTYPE_SUFFIX, type Dtype, type HostDescription } from './protocol';

/** A model on disk. */
export interface InstalledModel {
	readonly name: string;
	readonly folder: string;
	/** By its files; undefined when they are of no known kind, then `fault` says why. */
	readonly type?: ModelType;
	readonly fault?: string;
	readonly dtypes: readonly Dtype[];
	/** State and who installed it, when it came from the hub. */
	readonly settings?: EngineSettings;
}

export interface StoreDescription {
	readonly folder: string;
	readonly installed: readonly InstalledModel[];
	/** Processes that hold models in memory, with their memory. */
	readonly hosts: readonly HostDescription[];
}

/** The local models of this n8n: what is installed, what is in memory, and the ways to change both. */
export class ModelStore {
	constructor(
		private readonly ports: Pick<Ports, 'fetch' | 'log' | 'clock' | 'ids'>,
		private readonly who: Who,
		private readonly folder = modelsFolder(),
		private readonly hosts: () => readonly ModelHostClient[] = modelHosts,
	) {}

	/** Fetches a model unless it is there, and gives its folder; a path is only checked. Throws as `installModel` and `findTyped` do. */
	async install(model: string, type: ModelType, dtype: Dtype, signal?: AbortSignal): Promise<string> {
		const { folder: modelsFolder, who, ports } = this;
		if (!path.isAbsolute(model)) await installModel({ model, dtype, types: [type], modelsFolder, who, ...(signal ? { signal } : {}) }, ports);
		return findTyped(model, dtype, [type], modelsFolder);
	}

	/** Models in the folder, by name. A folder that is no model is left out. */
	async installed(): Promise<InstalledModel[]> {
		const found: InstalledModel[] = [];
		for (const owner of foldersIn(this.folder)) {
			for (const name of foldersIn(path.join(this.folder, owner))) {
				const folder = path.join(this.folder, owner, name);
				if (existsSync(path.join(folder, 'config.json'))) found.push(await describeFolder(`${owner}/${name}`, folder));
			}
		}
		return found;
	}

	/** What is installed, and what is in memory since when and how often used. */
	async describe(): Promise<StoreDescription> {
		const hosts = await Promise.all(this.hosts().map(async (host) => await host.describe()));
		return { folder: this.folder, installed: await this.installed(), hosts: hosts.filter((host) => host !== undefined) };
	}

	/** Puts a model, or all models, out of memory; those in use stay. Gives how many. */
	async unload(model?: string): Promise<number> {
		const folder = model === undefined || path.isAbsolute(model) ? model : path.join(this.folder, model);
		const counts = await Promise.all(this.hosts().map(async (host) => await host.unload(folder)));
		return counts.reduce((sum, count) => sum + count, 0);
	}
}

async function describeFolder(name: string, folder: string): Promise<InstalledModel> {
	const settings = await readSettings(path.join(folder, 'engine-settings.json'));
	const dtypes = (Object.keys(DTYPE_SUFFIX) as Dtype[]).filter((dtype) => existsSync(path.join(folder, `onnx/model${DTYPE_SUFFIX[dtype]}.onnx`)));
	const common = { name, folder, dtypes, ...(settings ? { settings } : {}) };
	try {
		return { ...common, type: detectModelType(folder) };
	} catch (error) {
		return { ...common, fault: messageOf(error) };
	}
}

function foldersIn(folder: string): string[] {
	if (!existsSync(folder)) return [];
	const entries = readdirSync(folder, { withFileTypes: true });
	return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name).sort();
}
