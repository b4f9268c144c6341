import type { Embedder } from '../../core/document';
import type { Ports } from '../../core/ports';
import { embedBatches } from '../embed-batches';
import { unexpectedBody } from '../http-errors';
import { isRecord, jsonOf } from '../json';
import { endpointOf, postJson, textOfAnswer } from '../post-json';
import type { EmbedSettings } from '../settings';
import { ollamaPlace } from './place';

/**
 * An embedder of an Ollama server, through its native route.
 *
 * Cutting is switched off at the server, so a text that is too long is halved and averaged instead of losing its end (E05).
 *
 * @throws CodedError BAD_INPUT when the address is none or no model is chosen
 */
export function makeEmbedder(settings: EmbedSettings, ports: Ports): Embedder {
	const place = ollamaPlace(settings, '/api/embed');
	const endpoint = endpointOf(place, settings, ports);
	const { model, dimension, keepAlive } = settings;
	const send = async (input: readonly string[], signal: AbortSignal) => {
		const body = {
			model,
			input,
			truncate: false,
			...(dimension === undefined ? {} : { dimensions: dimension }),
			...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
		};
		const text = await textOfAnswer(await postJson(endpoint, body, signal), place, signal);
		const answer = jsonOf(text);
		const vectors: unknown = isRecord(answer) ? answer['embeddings'] : undefined;
		if (!Array.isArray(vectors) || !vectors.every(Array.isArray)) throw unexpectedBody(text, place);
		return vectors as number[][];
	};
	return {
		id: `ollama/${model}${dimension === undefined ? '' : `@${dimension}`}`,
		embed: async (texts, options) => await embedBatches(texts, options, settings, { send, log: ports.log }),
	};
}
