import type { Embedder } from '../core/document';
import { keepEntry } from './search-key';

/** Vectors of the queries asked last, by encoder and text: the same question often comes again, and they tell nothing of documents. */
const MOST_VECTORS = 500;
const LONGEST_QUERY = 2_000;
const known = new Map<string, Float32Array>();

export interface QueryToEmbed {
	readonly query: string;
	/** Numbers that a vector must have to be taken from those kept; null for any. */
	readonly dimension: number | null;
	readonly signal?: AbortSignal | undefined;
}

/** The vector of a query, kept for the next time; undefined when the encoder gives none. Throws what it throws. */
export async function vectorOfQuery(embedder: Embedder, { query, dimension, signal }: QueryToEmbed): Promise<Float32Array | undefined> {
	const key = `${embedder.id}\n${query}`;
	const kept = known.get(key);
	if (kept && kept.length === dimension) {
		known.delete(key);
		known.set(key, kept);
		return kept;
	}
	const [vector] = await embedder.embed([query], { kind: 'query', ...(signal && { signal }) });
	if (vector && query.length <= LONGEST_QUERY) keepEntry(known, key, vector, MOST_VECTORS);
	return vector;
}
