/**
 * Local models: sentence encoders that run on this machine, so no text leaves it.
 *
 * In: a model's name and texts. Out: core's Embedder. model-store finds and checks the files, model-host-client runs them in one
 * child process through Transformers.js (native, else WebAssembly). Nothing is loaded before the first text. Downloads nothing.
 */
import type { Embedder, EmbedOptions } from '../core/document';
import type { Who } from './engine-settings';
import { modelHost, type ModelHostClient } from './model-host-client';
import { ENCODERS, findTyped } from './find-typed';
import { checkModelHash, modelsFolder } from './model-store';
import { declaredPooling, type ModelType } from './model-structure';
import type { Backend, Dtype } from './protocol';
import { keptFor, QueryVectors, rememberQueries } from './query-vectors';

export interface LocalEmbedSettings {
	/** `owner/name` below the models folder, or an absolute path. */
	readonly model: string;
	readonly dtype: Dtype;
	/** Default: the engine's own. */
	readonly modelsFolder?: string;
	/** Default: native, else WebAssembly. */
	readonly backend?: Backend;
	/** Default: what is known of the model, else mean. */
	readonly pooling?: 'mean' | 'cls';
	/** Default: what is known of the model, else ''. */
	readonly queryPrefix?: string;
	readonly passagePrefix?: string;
	/** SHA-256 that the weights must have. */
	readonly expectedSha256?: string;
	/** Declared kind; it must be the kind of the files. Default: any encoder. */
	readonly type?: ModelType;
	/** Called before the files are looked for, to fetch them where they are missing. */
	readonly install?: (types: readonly ModelType[]) => Promise<void>;
	/** Called with the folder before the model is used, to hold it to what it was at its first use; see lock-model. */
	readonly lock?: (folder: string) => Promise<void>;
	/** Named beside the model in memory. */
	readonly who?: Who;
	/** Told when a text is too long and its parts are averaged. */
	readonly warn?: (message: string) => void;
}

interface KnownModel {
	readonly name: RegExp;
	readonly queryPrefix?: string;
	readonly passagePrefix?: string;
	readonly pooling?: 'cls';
}

/** What the model cards ask for. */
const KNOWN_MODELS: readonly KnownModel[] = [
	{ name: /\be5-/i, queryPrefix: 'query: ', passagePrefix: 'passage: ' },
	{ name: /nomic-embed/i, queryPrefix: 'search_query: ', passagePrefix: 'search_document: ' },
	{ name: /bge-.*en/i, queryPrefix: 'Represent this sentence for searching relevant passages: ', pooling: 'cls' },
	{ name: /bge-|gte-multilingual|arctic-embed/i, pooling: 'cls' },
];

/** Of each host process, by settings: the nodes make an embedder anew for each item of a run. */
const asked = new WeakMap<ModelHostClient, Map<string, QueryVectors>>();

/**
 * An embedder that runs on this machine. Files are looked for at the first call, not here.
 *
 * Its `embed` throws CodedError BAD_INPUT when a file is missing or its hash differs, INTERNAL when the model cannot be run.
 */
export function localEmbedder(settings: LocalEmbedSettings, host: ModelHostClient = modelHost(settings.backend ?? 'auto')): Embedder {
	const known = KNOWN_MODELS.find(({ name }) => name.test(settings.model));
	let dimension = 0;
	return rememberQueries({ id: `local/${settings.model}@${settings.dtype}`, embed }, queriesOf(host, settings), Date.now);

	async function embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
		options.signal?.throwIfAborted();
		const isQuery = options.kind === 'query';
		const prefix = isQuery ? (settings.queryPrefix ?? known?.queryPrefix) : (settings.passagePrefix ?? known?.passagePrefix);
		const made = new Map<string, Float32Array>();
		const filled = [...new Set(texts.filter((text) => text.trim() !== ''))];
		const vectors = await run(filled.map((text) => (prefix ?? '') + text), isQuery, options.signal);
		filled.forEach((text, i) => made.set(text, vectors[i]!));
		// Zero vectors need the length, which an all-blank first call can only learn by running the model.
		dimension ||= vectors[0]?.length ?? (texts.length > 0 ? (await run(['.'], isQuery, options.signal))[0]!.length : 0);
		return texts.map((text) => made.get(text)?.slice() ?? new Float32Array(dimension));
	}

	async function ready(): Promise<string> {
		const types = settings.type === undefined ? ENCODERS : [settings.type];
		await settings.install?.(types);
		const folder = findTyped(settings.model, settings.dtype, types, settings.modelsFolder);
		if (settings.expectedSha256) await checkModelHash(folder, settings.dtype, settings.expectedSha256);
		await settings.lock?.(folder);
		return folder;
	}

	async function run(texts: readonly string[], urgent: boolean, signal: AbortSignal | undefined): Promise<Float32Array[]> {
		const folder = await ready();
		if (texts.length === 0) return [];
		const pooling = settings.pooling ?? declaredPooling(folder) ?? known?.pooling ?? 'mean';
		const model = { folder, dtype: settings.dtype, pooling };
		const { vectors, splitTexts } = await host.embed({ model, texts, urgent, signal, who: settings.who });
		if (splitTexts > 0) settings.warn?.(`Some texts are longer than model "${settings.model}" can read; the vectors of their parts were averaged`);
		return vectors;
	}
}

function queriesOf(host: ModelHostClient, settings: LocalEmbedSettings): QueryVectors {
	const { model, dtype, modelsFolder: folder = modelsFolder(), pooling, queryPrefix, expectedSha256, type } = settings;
	const ofHost = asked.get(host) ?? new Map<string, QueryVectors>();
	asked.set(host, ofHost);
	return keptFor(ofHost, JSON.stringify([model, dtype, folder, pooling, queryPrefix, expectedSha256, type]), () => new QueryVectors());
}
