import { CodedError, isCodedError } from '../core/errors';
import type { EmbedOptions } from '../core/document';
import type { Log } from '../core/ports';
import { toUnit } from '../inference/unit-vector';
import type { EmbedSettings } from './settings';

/** Sends texts that are never blank and gives one vector each, in order. */
export type SendTexts = (texts: readonly string[], signal: AbortSignal) => Promise<ArrayLike<number>[]>;

interface Api {
	readonly send: SendTexts;
	readonly log: Log;
}

const DEFAULT_BATCH = 64;
/** Below this a text is not halved any more: its length is not what the API complains about. */
const SHORTEST_HALF = 40;

/**
 * Embeds any texts through an API: batches, prefixes, blanks as zero vectors, unit length, one length for all.
 *
 * A text that the API finds too long is halved and the vectors of its parts are averaged by length, with a warning.
 * All texts blank and no `dimension` set gives vectors of length 0.
 *
 * @throws CodedError UPSTREAM when the API gives another number of vectors, or another length, than it should
 */
export async function embedBatches(
	texts: readonly string[],
	options: EmbedOptions,
	settings: EmbedSettings,
	api: Api,
): Promise<Float32Array[]> {
	const signal = options.signal ?? new AbortController().signal;
	const prefix = (options.kind === 'query' ? settings.queryPrefix : settings.passagePrefix) ?? '';
	const filled = texts.flatMap((text, position) => (text.trim() === '' ? [] : [{ position, text: prefix + text }]));
	const found: Float32Array[] = [];
	const batchSize = settings.batchSize ?? DEFAULT_BATCH;
	for (let at = 0; at < filled.length; at += batchSize) {
		const batch = filled.slice(at, at + batchSize).map(({ text }) => text);
		found.push(...(await sendBatch(batch, signal, api)));
	}
	const length = settings.dimension ?? found[0]?.length ?? 0;
	checkLengths(found, length, settings.model);
	const vectors = texts.map(() => new Float32Array(length));
	filled.forEach(({ position }, order) => vectors[position]?.set(found[order] ?? []));
	return vectors;
}

async function sendBatch(
	texts: readonly string[],
	signal: AbortSignal,
	api: Api,
): Promise<Float32Array[]> {
	const vectors = await api.send(texts, signal).catch(async (error: unknown) => await sendShorter(texts, error, signal, api));
	if (vectors.length === texts.length) return vectors.map((vector) => toUnit(Float32Array.from(vector)));
	throw new CodedError('UPSTREAM', `The API gave ${vectors.length} vectors for ${texts.length} texts`);
}

async function sendShorter(texts: readonly string[], error: unknown, signal: AbortSignal, api: Api): Promise<Float32Array[]> {
	const [text = ''] = texts;
	const tooLong = isCodedError(error) && error.reason === 'context-length';
	if (tooLong && texts.length > 1) return await oneByOne(texts, signal, api);
	if (!tooLong || text.length < 2 * SHORTEST_HALF) throw error;
	api.log('warn', `A text of ${text.length} characters is too long for the embedding model; its parts are averaged`);
	return [await halved(text, signal, api)];
}

async function oneByOne(texts: readonly string[], signal: AbortSignal, api: Api): Promise<Float32Array[]> {
	const vectors: Float32Array[] = [];
	for (const text of texts) vectors.push(...(await sendBatch([text], signal, api)));
	return vectors;
}

async function halved(text: string, signal: AbortSignal, api: Api): Promise<Float32Array> {
	const middle = text.lastIndexOf(' ', text.length / 2);
	const cut = middle > text.length / 4 ? middle : Math.floor(text.length / 2);
	const [first, second] = await oneByOne([text.slice(0, cut), text.slice(cut)], signal, api);
	return toUnit((first ?? new Float32Array()).map((value, i) => value * cut + (second?.[i] ?? 0) * (text.length - cut)));
}

function checkLengths(vectors: readonly Float32Array[], length: number, model: string): void {
	const odd = vectors.find((vector) => vector.length !== length);
	if (!odd) return;
	throw new CodedError('UPSTREAM', `Embedding model "${model}" gave a vector of ${odd.length} numbers instead of ${length}`, {
		remedy: 'Check Dimension in the embeddings options; an index made with another model must be built anew.',
	});
}
