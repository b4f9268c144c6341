import type { Embedder } from '../core/document';

/** Vectors by embedder and text. A cache only: a tool that changes its text gets a new vector. */
const known = new Map<string, Float32Array>();
const MOST_KEPT = 20_000;

/** One vector per text, in order; texts seen before are not sent to the embedder again. [] gives []. */
export async function toolVectors(
	embedder: Embedder,
	texts: readonly string[],
	signal?: AbortSignal,
): Promise<Float32Array[]> {
	const keys = texts.map((text) => `${embedder.id}\n${text}`);
	const missing = [...new Set(keys.filter((key) => !known.has(key)))];
	if (missing.length > 0) {
		const vectors = await embedder.embed(missing.map(textOfKey), { kind: 'passage', signal });
		missing.forEach((key, at) => remember(key, vectors[at]));
	}
	return keys.map((key) => known.get(key) ?? new Float32Array());
}

function textOfKey(key: string): string {
	return key.slice(key.indexOf('\n') + 1);
}

function remember(key: string, vector: Float32Array | undefined): void {
	if (!vector) return;
	const oldest = known.keys().next().value;
	if (known.size >= MOST_KEPT && oldest !== undefined) known.delete(oldest);
	known.set(key, vector);
}
