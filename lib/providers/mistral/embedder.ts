import { createRequire } from 'node:module';
import type { Embedder } from '../../core/document';
import type { Ports } from '../../core/ports';
import { embedBatches } from '../embed-batches';
import type { EmbedSettings } from '../settings';
import { mistralCall, mistralPlace } from './client';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

const ROUTE = '/embeddings';

/**
 * An embedder of the Mistral API, through Mistral's SDK. The SDK is loaded at the first call.
 *
 * @throws CodedError BAD_INPUT when no key or no model is given
 */
export function makeEmbedder(settings: EmbedSettings, ports: Ports): Embedder {
	mistralPlace(settings, ROUTE);
	const { model, dimension } = settings;
	const send = async (inputs: readonly string[], signal: AbortSignal) => {
		const { embeddingsCreate } =
			load('@mistralai/mistralai/funcs/embeddingsCreate.js') as typeof import('@mistralai/mistralai/funcs/embeddingsCreate.js');
		const call = mistralCall(settings, ports, signal, ROUTE);
		try {
			const result = await embeddingsCreate(call.client, {
				model,
				inputs: [...inputs],
				...(dimension === undefined ? {} : { outputDimension: dimension }),
			});
			if (!result.ok) throw result.error;
			const entries = [...result.value.data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
			return entries.map((entry) => entry.embedding ?? []);
		} catch (error) {
			throw call.failure(error);
		}
	};
	return {
		id: `mistral/${model}${dimension === undefined ? '' : `@${dimension}`}`,
		embed: async (texts, options) => await embedBatches(texts, options, settings, { send, log: ports.log }),
	};
}
