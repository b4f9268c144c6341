import type { Encoder } from './encoder';
import { toUnit } from './unit-vector';

/** Texts of one batch together have at most this many tokens, padding counted: longer batches are no faster, only bigger. */
const BATCH_TOKENS = 2048;
const BATCH_TEXTS = 32;

interface Part {
	readonly text: string;
	readonly owner: number;
	readonly tokens: number;
}

/** One request while it is worked on, a batch at a time, so that others can come between and it can be dropped. */
export interface EmbedJob {
	/** Works on the next batch; true when that was the last. */
	step(): Promise<boolean>;
	/** Vectors one after another; valid when `step` gave true. */
	result(): { readonly numbers: Float32Array; readonly dimension: number; readonly splitTexts: number };
}

/**
 * Prepares a request: texts that are too long are split, parts are sorted by length (less padding) and put in batches.
 *
 * The vector of a split text is the mean of its parts, weighted by their tokens.
 *
 * @param texts  none of them blank
 */
export function embedJob(encoder: Encoder, texts: readonly string[]): EmbedJob {
	const parts = texts.flatMap((text, owner) => encoder.split(text).map((part): Part => ({ text: part, owner, tokens: encoder.count(part) })));
	const batches = inBatches(parts.sort((a, b) => a.tokens - b.tokens));
	const sums = texts.map((): Float32Array<ArrayBuffer> => new Float32Array());
	let next = 0;
	return {
		step: async () => {
			const batch = batches[next] ?? [];
			next += 1;
			const vectors = await encoder.encode(batch.map(({ text }) => text));
			batch.forEach(({ owner, tokens }, i) => (sums[owner] = plus(sums[owner]!, vectors[i]!, tokens)));
			return next >= batches.length;
		},
		result: () => joined(sums.map(toUnit), parts.length - texts.length),
	};
}

function inBatches(parts: readonly Part[]): Part[][] {
	const batches: Part[][] = [];
	for (const part of parts) {
		const last = batches.at(-1);
		// Sorted by length, so this part is the longest of its batch and all are padded to it.
		if (last && last.length < BATCH_TEXTS && (last.length + 1) * part.tokens <= BATCH_TOKENS) last.push(part);
		else batches.push([part]);
	}
	return batches;
}

function plus(sum: Float32Array<ArrayBuffer>, vector: Float32Array, weight: number): Float32Array<ArrayBuffer> {
	const total = sum.length === 0 ? new Float32Array(vector.length) : sum;
	for (let i = 0; i < vector.length; i += 1) total[i] = total[i]! + weight * vector[i]!;
	return total;
}

function joined(vectors: readonly Float32Array[], splitTexts: number): ReturnType<EmbedJob['result']> {
	const dimension = vectors[0]?.length ?? 0;
	const numbers = new Float32Array(dimension * vectors.length);
	vectors.forEach((vector, i) => numbers.set(vector, i * dimension));
	return { numbers, dimension, splitTexts };
}
