import type { Embedder } from '../../core/document';
import type { Ports } from '../../core/ports';
import { embedBatches } from '../embed-batches';
import { unexpectedBody, type Place } from '../http-errors';
import { isRecord, jsonOf } from '../json';
import { endpointOf, postJson, textOfAnswer } from '../post-json';
import type { EmbedSettings } from '../settings';
import { placeOf } from './model';
import { presetOf } from './presets';

/**
 * An embedder behind an OpenAI-compatible POST /embeddings.
 *
 * Floats are asked for; base64 is understood when a server sends it all the same (E02).
 *
 * @throws CodedError BAD_INPUT when no base URL or no model is given
 */
export function makeEmbedder(settings: EmbedSettings, ports: Ports): Embedder {
	const place = placeOf(settings, presetOf(settings.preset), '/embeddings');
	const { dimension, model } = settings;
	const endpoint = endpointOf(place, settings, ports);
	const send = async (input: readonly string[], signal: AbortSignal) => {
		const body = { model, input, encoding_format: 'float', ...(dimension === undefined ? {} : { dimensions: dimension }) };
		const answer = await postJson(endpoint, body, signal);
		return vectorsOf(await textOfAnswer(answer, place, signal), place);
	};
	return {
		id: `${settings.preset ?? 'openai-compatible'}/${model}${dimension === undefined ? '' : `@${dimension}`}`,
		embed: async (texts, options) => await embedBatches(texts, options, settings, { send, log: ports.log }),
	};
}

/**
 * The vectors of an embeddings answer, in the order of its `index` fields.
 *
 * @throws CodedError UPSTREAM when it has no list `data`, or an entry that is no vector
 */
export function vectorsOf(body: string, place: Place): ArrayLike<number>[] {
	const value = jsonOf(body);
	const data: unknown = isRecord(value) ? value['data'] : undefined;
	if (!Array.isArray(data)) throw unexpectedBody(body, place);
	const entries = data.map((entry: unknown, order) => {
		const vector = isRecord(entry) ? numbers(entry['embedding']) : undefined;
		if (!isRecord(entry) || !vector) throw unexpectedBody(body, place);
		return { at: typeof entry['index'] === 'number' ? entry['index'] : order, vector };
	});
	return entries.sort((a, b) => a.at - b.at).map(({ vector }) => vector);
}

/** Numbers of a list, or of base64 of little-endian 32-bit floats. */
function numbers(embedding: unknown): ArrayLike<number> | undefined {
	if (Array.isArray(embedding)) return embedding as number[];
	if (typeof embedding !== 'string') return undefined;
	const bytes = Buffer.from(embedding, 'base64');
	return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
}
