import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '../core/errors';
import type { Who } from './engine-settings';
import { DTYPE_SUFFIX, type LoadedModel, type ModelOnDisk } from './protocol';

interface Disposable {
	dispose(): Promise<void>;
}

/** Which model is used as what, and for whom. */
export interface Use {
	readonly model: ModelOnDisk;
	readonly use: LoadedModel['use'];
	readonly who?: Who | undefined;
	/** False for the further batches of a request, which counts once. */
	readonly begins?: boolean;
}

interface Entry {
	readonly model: Promise<Disposable>;
	readonly facts: Omit<LoadedModel, 'lastUsedAt' | 'requests'>;
	lastUsedAt: number;
	requests: number;
	/** Requests under way; such a model is not put out. */
	busy: number;
}

/** Weights take about this much more room in memory than on disk, with what a run needs. */
const MEMORY_FACTOR = 1.3;

/**
 * The models in the memory of the host process. Before one is loaded that would pass the memory cap, those that were not used for
 * longest are put out.
 */
export class LoadedModels {
	private readonly entries = new Map<string, Entry>();

	/** @param capBytes  0 means no cap */
	constructor(
		private readonly capBytes: number,
		private readonly rssBytes: () => number = () => process.memoryUsage.rss(),
	) {}

	/**
	 * Works with a model, loading it first when it is not there.
	 *
	 * @throws CodedError RESOURCE_LIMIT when it cannot fit under the cap even alone; what `load` throws
	 */
	async use<M extends Disposable, T>(
		{ model, use, who, begins = true }: Use,
		load: (model: ModelOnDisk) => Promise<M>,
		work: (loaded: M) => Promise<T>,
	): Promise<T> {
		const key = `${use} ${JSON.stringify(model)}`;
		const entry = this.entries.get(key) ?? (await this.load(key, { model, use, who }, load));
		entry.busy += 1;
		if (begins) entry.requests += 1;
		entry.lastUsedAt = Date.now();
		try {
			return await work((await entry.model) as M);
		} finally {
			entry.busy -= 1;
		}
	}

	describe(): LoadedModel[] {
		return [...this.entries.values()].map(({ facts, lastUsedAt, requests }) => ({ ...facts, lastUsedAt, requests }));
	}

	/** Puts models out that are not in use; gives how many. Without a folder all of them. */
	async unload(folder?: string): Promise<number> {
		const idle = [...this.entries].filter(([, { facts, busy }]) => busy === 0 && (folder === undefined || facts.folder === folder));
		for (const [key, entry] of idle) await this.putOut(key, entry);
		return idle.length;
	}

	private async load(key: string, { model, use, who }: Use, load: (model: ModelOnDisk) => Promise<Disposable>): Promise<Entry> {
		const weightBytes = weightBytesOf(model);
		await this.makeRoom(weightBytes * MEMORY_FACTOR, model);
		const now = Date.now();
		const facts = { folder: model.folder, dtype: model.dtype, use, loadedAt: now, weightBytes, ...(who ? { loadedBy: who } : {}) };
		const entry: Entry = { model: load(model), facts, lastUsedAt: now, requests: 0, busy: 0 };
		this.entries.set(key, entry);
		entry.model.catch(() => this.entries.delete(key));
		return entry;
	}

	private async makeRoom(neededBytes: number, model: ModelOnDisk): Promise<void> {
		if (this.capBytes === 0) return;
		const byAge = [...this.entries].filter(([, { busy }]) => busy === 0).sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt);
		for (const [key, entry] of byAge) {
			if (this.rssBytes() + neededBytes <= this.capBytes) return;
			await this.putOut(key, entry);
		}
		if (this.entries.size === 0 && neededBytes > this.capBytes) throw tooBig(model, neededBytes, this.capBytes);
		if (this.entries.size > 0 && this.rssBytes() + neededBytes > this.capBytes) throw tooBig(model, neededBytes, this.capBytes);
	}

	private async putOut(key: string, entry: Entry): Promise<void> {
		this.entries.delete(key);
		await (await entry.model).dispose();
	}
}

/** Size of the files that hold the weights, in bytes; 0 when there are none. */
export function weightBytesOf({ folder, dtype }: Pick<ModelOnDisk, 'folder' | 'dtype'>): number {
	const onnx = path.join(folder, 'onnx');
	if (!existsSync(onnx)) return 0;
	const file = new RegExp(`^(?:model|decoder_model_merged)${DTYPE_SUFFIX[dtype]}\\.onnx(?:_data(?:_\\d+)?)?$`);
	return readdirSync(onnx).filter((name) => file.test(name)).reduce((sum, name) => sum + statSync(path.join(onnx, name)).size, 0);
}

function tooBig(model: ModelOnDisk, neededBytes: number, capBytes: number): CodedError {
	const mb = (bytes: number): number => Math.round(bytes / 2 ** 20);
	return new CodedError(
		'RESOURCE_LIMIT',
		`Local model ${path.basename(model.folder)} needs about ${mb(neededBytes)} MB; the local models may take ${mb(capBytes)} MB together`,
		{ remedy: 'Choose a smaller data type or model, or raise REACTENGINE_MODEL_MEMORY_MB where n8n is started.' },
	);
}
