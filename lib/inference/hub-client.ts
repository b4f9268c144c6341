import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CodedError, isCodedError, messageOf, raise } from '../core/errors';
import type { Ports } from '../core/ports';

/** A file of a model on the hub. */
export interface HubFile {
	/** Inside the model's folder, with `/`. */
	readonly path: string;
	readonly size: number;
	/** SHA-256 that the hub states for large files. */
	readonly sha256?: string;
}

export interface HubModel {
	/** Commit of the model, so that all files are of one state. */
	readonly revision: string;
	readonly files: readonly HubFile[];
}

/** The public hub, or the mirror that HF_ENDPOINT names, without a slash at the end. */
export function hubAddress(): string {
	return (process.env.HF_ENDPOINT?.trim() || 'https://huggingface.co').replace(/\/+$/, '');
}

/** Reads models from a hub with the API of huggingface.co. */
export class HubClient {
	constructor(
		private readonly ports: Pick<Ports, 'fetch'>,
		private readonly address = hubAddress(),
	) {}

	/**
	 * The files of a model at a revision.
	 *
	 * @param revision  branch, tag or commit
	 * @throws CodedError BAD_INPUT when the hub does not know the model, UPSTREAM when it cannot be asked
	 */
	async describe(model: string, revision: string, signal?: AbortSignal): Promise<HubModel> {
		const name = model.split('/').map(encodeURIComponent).join('/');
		const info = await this.json(`/api/models/${name}/revision/${encodeURIComponent(revision)}`, model, signal);
		const commit = typeof info['sha'] === 'string' ? info['sha'] : revision;
		const tree: unknown = await this.json(`/api/models/${name}/tree/${encodeURIComponent(commit)}?recursive=true`, model, signal);
		if (!Array.isArray(tree)) throw this.unusable(model, 'its list of files is no list');
		return { revision: commit, files: (tree as unknown[]).flatMap(toFile) };
	}

	/**
	 * Fetches a file and checks its size and hash while it is written.
	 *
	 * @param onBytes  told how many bytes came since the last time
	 * @throws CodedError UPSTREAM when it cannot be fetched, or is not what the hub said
	 */
	async download(model: HubModel & { readonly name: string }, file: HubFile, target: string, watch: Watch): Promise<void> {
		const url = `/${model.name.split('/').map(encodeURIComponent).join('/')}/resolve/${encodeURIComponent(model.revision)}/${file.path.split('/').map(encodeURIComponent).join('/')}`;
		const response = await this.get(url, model.name, watch.signal);
		await mkdir(path.dirname(target), { recursive: true });
		const hash = createHash('sha256');
		let size = 0;
		const count = new Transform({
			transform: (chunk: Buffer, _encoding, done) => {
				size += chunk.length;
				hash.update(chunk);
				watch.onBytes?.(chunk.length);
				done(null, chunk);
			},
		});
		try {
			const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([]);
			await pipeline(body, count, createWriteStream(target), ...(watch.signal ? [{ signal: watch.signal }] : []));
		} catch (error) {
			watch.signal?.throwIfAborted();
			throw this.unusable(model.name, `${file.path} broke off after ${size} bytes: ${messageOf(error)}`, true);
		}
		const found = hash.digest('hex');
		if (size !== file.size) throw this.unusable(model.name, `${file.path} has ${size} bytes instead of ${file.size}`, true);
		if (file.sha256 !== undefined && found !== file.sha256) throw this.unusable(model.name, `${file.path} has SHA-256 ${found} instead of ${file.sha256}`, true);
	}

	private async json(route: string, model: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
		const text = await (await this.get(route, model, signal)).text();
		try {
			return JSON.parse(text) as Record<string, unknown>;
		} catch {
			throw this.unusable(model, `the hub answered with something else than JSON: ${text.slice(0, 100)}`);
		}
	}

	private async get(route: string, model: string, signal?: AbortSignal): Promise<Response> {
		let response: Response;
		try {
			response = await this.ports.fetch(this.address + route, signal ? { signal } : {});
		} catch (error) {
			signal?.throwIfAborted();
			if (isCodedError(error) && !error.retryable) raise(error);
			throw this.unusable(model, `no connection to ${this.address}: ${messageOf(error)}`, true);
		}
		if (response.ok) return response;
		if (response.status === 404 || response.status === 401) {
			throw new CodedError('BAD_INPUT', `The hub ${this.address} has no public model "${model}" (HTTP ${response.status} for ${route})`, {
				status: response.status,
				remedy: 'Check the name on the page of the model; models that need an account must be put into the models folder by hand.',
			});
		}
		throw this.unusable(model, `HTTP ${response.status} for ${route}`, response.status === 429 || response.status >= 500);
	}

	private unusable(model: string, why: string, retryable = false): CodedError {
		return new CodedError('UPSTREAM', `Model "${model}" could not be fetched: ${why}`, {
			remedy: 'Try again later, or download the model on another machine and enter the path of its folder.',
			retryable,
		});
	}
}

export interface Watch {
	readonly signal?: AbortSignal | undefined;
	readonly onBytes?: (count: number) => void;
}

function toFile(entry: unknown): HubFile[] {
	const { type, path: name, size, lfs } = entry as { type?: unknown; path?: unknown; size?: unknown; lfs?: { oid?: unknown; size?: unknown } };
	if (type !== 'file' || typeof name !== 'string' || name.split('/').includes('..')) return [];
	const bytes = Number(lfs?.size ?? size ?? 0);
	return [{ path: name, size: bytes, ...(typeof lfs?.oid === 'string' ? { sha256: lfs.oid } : {}) }];
}
