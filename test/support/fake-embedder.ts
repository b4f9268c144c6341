import type { EmbedOptions, Embedder } from '../../lib/core/document';

export interface FakeEmbedder extends Embedder {
	/** Every list of texts that was sent, in order. */
	readonly requests: { readonly texts: readonly string[]; readonly options: EmbedOptions }[];
}

function hash(word: string): number {
	let value = 2166136261;
	for (const character of word) value = Math.imul(value ^ character.codePointAt(0)!, 16777619);
	return value >>> 0;
}

/**
 * A deterministic embedder: each word adds 1 to one of `dimension` places, the sum is brought to length 1. Texts that share words
 * are near each other; blank texts give zero vectors.
 */
export function fakeEmbedder(options: { id?: string; dimension?: number } = {}): FakeEmbedder {
	const { id = 'fake/words', dimension = 64 } = options;
	const requests: FakeEmbedder['requests'] = [];
	const vectorOf = (text: string): Float32Array => {
		const vector = new Float32Array(dimension);
		for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) vector[hash(word) % dimension]! += 1;
		const length = Math.hypot(...vector);
		return length === 0 ? vector : vector.map((value) => value / length);
	};
	return {
		id,
		requests,
		async embed(texts, embedOptions) {
			requests.push({ texts, options: embedOptions });
			return texts.map(vectorOf);
		},
	};
}
