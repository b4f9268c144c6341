import type { Embedder } from '../core/document';
import { CodedError } from '../core/errors';
import type { Log } from '../core/ports';
import { contextLine } from './split';
import type { Passage, ThemeStore } from './store';

export interface RebuildReport {
	/** Passages that were embedded by this run; fewer than there are when it went on with one that was cut off. */
	readonly embedded: number;
	readonly embedderId: string;
	readonly dimension: number;
}

export interface RebuildTools {
	readonly store: ThemeStore;
	readonly embedder: Embedder;
	readonly log?: Log;
	readonly signal?: AbortSignal;
}

const BATCH = 64;
const PROGRESS_EVERY = 10;

/** As indexing does it. */
const embeddingText = ({ title, titlePath, text }: Passage): string => [contextLine(title, titlePath), text].filter(Boolean).join('\n');

/**
 * Embeds the stored passages of a knowledge base with another encoder. The sources are not needed.
 *
 * Searches with the old encoder go on until the last moment; then all vectors change at once. A run that was cut off is taken up
 * by the next one with the same encoder.
 *
 * @throws CodedError ABORTED when cancelled, BAD_INPUT for an empty knowledge base, what encoder and store throw
 */
export async function rebuildTheme({ store, embedder, log, signal }: RebuildTools): Promise<RebuildReport> {
	let embedded = 0;
	let dimension = 0;
	for (let batch = 1; ; batch++) {
		if (signal?.aborted) throw new CodedError('ABORTED', `Rebuilding was cancelled after ${embedded} passages; the next run goes on from there`, { cause: signal.reason });
		const passages = await store.passagesToEmbed(embedder.id, BATCH);
		if (passages.length > 0) {
			const vectors = await embedder.embed(passages.map(embeddingText), { kind: 'passage', ...(signal && { signal }) });
			dimension = vectors[0]?.length ?? 0;
			const staged = passages.flatMap(({ ref }, at) => (vectors[at] ? [{ ref, vector: vectors[at] }] : []));
			if (staged.length < passages.length) throw new CodedError('UPSTREAM', `The embeddings "${embedder.id}" gave fewer vectors than texts.`);
			await store.stageVectors({ id: embedder.id, dimension }, staged);
			embedded += staged.length;
			if (batch % PROGRESS_EVERY === 0) log?.('info', `Rebuilding: ${embedded} passages embedded`);
			continue;
		}
		dimension ||= await dimensionOf(embedder, signal);
		if (await store.adoptVectors({ id: embedder.id, dimension })) return { embedded, embedderId: embedder.id, dimension };
	}
}

/** All passages had been embedded by a run before: the encoder itself tells. */
async function dimensionOf(embedder: Embedder, signal: AbortSignal | undefined): Promise<number> {
	const [vector] = await embedder.embed(['dimension'], { kind: 'passage', ...(signal && { signal }) });
	return vector?.length ?? 0;
}
