import type { Embedder, Hit, Retriever } from '../core/document';
import type { Message } from '../core/message';
import { textOf } from '../core/message';
import { compress, type CompressResult } from '../compression/compress';

/** Passages fetched for one question, before compression. */
const RETRIEVED = 20;
const KEPT_TOKENS = 2_000;

export interface DocumentsFor {
	readonly retrieve: Retriever;
	readonly embedder?: Embedder;
	readonly history: readonly Message[];
	readonly signal: AbortSignal;
}

/** What the question needs of a theme's documents, in this conversation: 20 passages, compressed to 2,000 tokens. */
export async function documentsFor(query: string, { retrieve, embedder, history, signal }: DocumentsFor): Promise<CompressResult> {
	const documents = await retrieve({ query, topK: RETRIEVED, signal });
	const said = history.map(textOf).filter((text) => text !== '');
	const limits = { method: 'both', keepShare: 1, maxTokens: KEPT_TOKENS, minRelevance: 0.2 } as const;
	return await compress({ query, history: said, documents, ...limits }, { signal, ...(embedder && { embedder }) });
}

/** The same as a retriever, for the chat engine. */
export function compressedRetriever(how: DocumentsFor): Retriever {
	return async ({ query, topK }): Promise<Hit[]> => (await documentsFor(query, how)).documents.slice(0, topK);
}
