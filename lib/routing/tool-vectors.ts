import type { Embedder } from '../core/document';
import type { Log } from '../core/ports';
import { textKey, vectorFiles, type VectorFiles } from './vector-files';

export interface VectorSource {
	readonly embedder: Embedder;
	/** Where vectors are kept between processes; absent keeps them in memory only. */
	readonly folder?: string;
	readonly log?: Log;
	readonly signal?: AbortSignal;
}

/** By embedder; a text that changes gets a new key, so nothing here is ever wrong, only forgotten. */
const known = new Map<string, Map<string, Float32Array>>();
const files = new Map<string, VectorFiles>();
const MOST_KEPT = 40_000;
/** Texts sent to the embedder at once: also the piece in which an interrupted indexing is kept. */
const BATCH = 256;
/** From this many texts on, the log says how far the work is. */
const WORTH_SAYING = 500;

/**
 * One vector per text, in order; [] gives []. Only texts that neither this process nor the folder knows are sent to the
 * embedder. Throws what the embedder throws; what was embedded until then is kept.
 */
export async function toolVectors(texts: readonly string[], source: VectorSource): Promise<Float32Array[]> {
	const vectors = vectorsOf(source.embedder.id);
	const keys = texts.map(textKey);
	const missing = (): [string, string][] =>
		[...new Map(keys.map((key, at) => [key, texts[at] ?? '']))].filter(([key]) => !vectors.has(key)).sort(byLength);
	const store = source.folder === undefined ? undefined : filesOf(source.folder, source.embedder.id);
	if (store && missing().length > 0) remember(vectors, store.readNew());
	await embedMissing(missing(), { ...source, vectors, store });
	return keys.map((key) => vectors.get(key) ?? new Float32Array());
}

/** Texts of one length in one batch: an encoder fills up the shorter ones. */
function byLength(a: readonly [string, string], b: readonly [string, string]): number {
	return a[1].length - b[1].length;
}

type Embedding = VectorSource & { readonly vectors: Map<string, Float32Array>; readonly store: VectorFiles | undefined };

async function embedMissing(missing: readonly [string, string][], work: Embedding): Promise<void> {
	const { embedder, log, signal, store } = work;
	let faulty = false;
	for (let from = 0; from < missing.length; from += BATCH) {
		const batch = missing.slice(from, from + BATCH);
		const made = await embedder.embed(batch.map(([, text]) => text), { kind: 'passage', signal });
		const fresh = new Map(batch.flatMap(([key], at) => (made[at] ? [[key, made[at]] as const] : [])));
		remember(work.vectors, fresh);
		const why = faulty ? undefined : store?.write(fresh);
		if (why !== undefined) {
			faulty = true;
			log?.('warn', `Tool Router: the vectors of the tools could not be kept on disk (${why})`);
		}
		const done = from + batch.length;
		if (missing.length >= WORTH_SAYING) log?.('info', `Tool Router: ${done} of ${missing.length} tool texts indexed`);
	}
}

function vectorsOf(embedderId: string): Map<string, Float32Array> {
	const found = known.get(embedderId) ?? new Map<string, Float32Array>();
	known.set(embedderId, found);
	return found;
}

function filesOf(folder: string, embedderId: string): VectorFiles {
	const key = `${folder}\n${embedderId}`;
	const found = files.get(key) ?? vectorFiles(folder, embedderId);
	files.set(key, found);
	return found;
}

function remember(vectors: Map<string, Float32Array>, more: ReadonlyMap<string, Float32Array>): void {
	for (const [key, vector] of more) vectors.set(key, vector);
	for (const key of vectors.keys()) {
		if (vectors.size <= MOST_KEPT + more.size) return;
		vectors.delete(key);
	}
}

/** Forgets what this process knows; the folder keeps its own. For tests and measurements. */
export function forgetToolVectors(): void {
	known.clear();
	files.clear();
}
