import type { Embedder } from '../core/document';

const MOST_TEXTS = 256;
const MOST_EMBEDDERS = 16;

interface Kept {
	readonly vector: Float32Array;
	readonly atMs: number;
}

/** The vectors of the queries that were asked last: a run asks its query several times, of the router, of each knowledge base. */
export class QueryVectors {
	private readonly kept = new Map<string, Kept>();

	/** @param keepMs  how long a vector is good; the model behind a remote name may be exchanged */
	constructor(private readonly keepMs = Infinity) {}

	/** A copy; undefined when it is not there or too old. */
	recall(text: string, nowMs: number): Float32Array | undefined {
		const found = this.kept.get(text);
		this.kept.delete(text);
		if (!found || nowMs - found.atMs > this.keepMs) return undefined;
		this.kept.set(text, found);
		return found.vector.slice();
	}

	remember(text: string, vector: Float32Array, atMs: number): void {
		this.kept.set(text, { vector: vector.slice(), atMs });
		dropOldest(this.kept, MOST_TEXTS);
	}
}

/** The value of a key, made when it is not there; keys that were not asked for longest are forgotten. */
export function keptFor<T>(all: Map<string, T>, key: string, make: () => T): T {
	const value = all.get(key) ?? make();
	all.delete(key);
	all.set(key, value);
	dropOldest(all, MOST_EMBEDDERS);
	return value;
}

/** An embedder that asks for each query once, and for passages each time. */
export function rememberQueries(embedder: Embedder, vectors: QueryVectors, now: () => number): Embedder {
	return {
		id: embedder.id,
		embed: async (texts, options) => {
			if (options.kind !== 'query') return await embedder.embed(texts, options);
			options.signal?.throwIfAborted();
			const found = texts.map((text) => vectors.recall(text, now()));
			// Blanks get a zero vector of the length of the others; only where none is known must the embedder be asked for it.
			const known = found.find((vector) => vector !== undefined);
			const asked = [...new Set(texts.filter((text, at) => !found[at] && (!known || text.trim() !== '')))];
			const made = asked.length === 0 ? [] : await embedder.embed(asked, options);
			asked.forEach((text, at) => text.trim() !== '' && vectors.remember(text, made[at]!, now()));
			return texts.map((text, at) => found[at] ?? made[asked.indexOf(text)]?.slice() ?? new Float32Array(known?.length ?? 0));
		},
	};
}

function dropOldest(map: Map<string, unknown>, most: number): void {
	const [oldest] = map.keys();
	if (map.size > most && oldest !== undefined) map.delete(oldest);
}
