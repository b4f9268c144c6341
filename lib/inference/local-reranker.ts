import type { Who } from './engine-settings';
import { ENCODERS, findTyped } from './find-typed';
import { modelHost, type ModelHostClient } from './model-host-client';
import type { ModelType } from './model-structure';
import type { Backend, Dtype, ScoreMethod } from './protocol';

export interface LocalScoreSettings {
	/** `owner/name` below the models folder, or an absolute path. */
	readonly model: string;
	readonly dtype: Dtype;
	readonly method: ScoreMethod;
	readonly modelsFolder?: string;
	readonly backend?: Backend;
	/** Called before the files are looked for, to fetch them where they are missing. */
	readonly install?: (types: readonly ModelType[]) => Promise<void>;
	/** As in LocalEmbedSettings. */
	readonly lock?: (folder: string) => Promise<void>;
	readonly who?: Who;
}

/** Scores of texts for a query, in the order of the texts; higher is better. */
export type ScoreTexts = (query: string, texts: readonly string[], signal?: AbortSignal) => Promise<ArrayLike<number>>;

/**
 * Scores texts on this machine: with a cross-encoder, or by late interaction with a sentence encoder. Files are looked for at the first
 * call. Blank texts are not scored and count as the worst.
 *
 * What it gives throws CodedError BAD_INPUT when the model is missing or of the wrong kind, else as ModelHostClient does.
 */
export function localScorer(settings: LocalScoreSettings, host: ModelHostClient = modelHost(settings.backend ?? 'auto')): ScoreTexts {
	const { model, dtype, method, modelsFolder, who } = settings;
	const types: readonly ModelType[] = method === 'cross-encoder' ? ['cross_encoder'] : ENCODERS;
	return async (query, texts, signal) => {
		const scores = new Array<number>(texts.length).fill(method === 'cross-encoder' ? 0 : -1);
		const places = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
		if (places.length === 0 || query.trim() === '') return scores;
		await settings.install?.(types);
		const folder = findTyped(model, dtype, types, modelsFolder);
		await settings.lock?.(folder);
		const onDisk = { folder, dtype, pooling: 'mean' as const };
		const found = await host.score({ model: onDisk, method, query, texts: places.map((at) => texts[at]!), urgent: true, signal, who });
		places.forEach((at, i) => (scores[at] = found[i]!));
		return scores;
	};
}
