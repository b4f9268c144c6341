/** Values that a filter can compare. */
export type MetaValue = string | number | boolean | null | readonly string[];
export type Meta = { readonly [field: string]: MetaValue };

/** A document as it is given to an index. `id` is the user's own; the same id replaces the older version. */
export interface SourceDocument {
	readonly id: string;
	readonly text: string;
	readonly title?: string;
	readonly source?: string;
	readonly meta?: Meta;
}

/**
 * A passage found for a query: what travels in `$json.documents`.
 *
 * `text` is exact source text. `score` is 0..1 within one answer, best first; `scores` explains it.
 */
export interface Hit {
	readonly id: string;
	readonly documentId: string;
	readonly text: string;
	readonly title?: string;
	readonly source?: string;
	/** Headings above the passage, outermost first, joined by ` › `. */
	readonly section?: string;
	/** Page of a paged document on which most of it stands, from 1. */
	readonly page?: number;
	/** Where `text` stands in the text of its document. */
	readonly start?: number;
	readonly end?: number;
	/** `text` with the passages around it, when they were asked for. */
	readonly context?: string;
	/** Other documents that hold the same text. */
	readonly alsoIn?: readonly string[];
	readonly meta: Meta;
	readonly score: number;
	readonly scores?: { readonly [part: string]: number };
	/** Words of the query that the passage holds, as the query writes them. */
	readonly matched?: readonly string[];
	/** For a passage of more than 1,000 characters: the part of it that fits the query best, with its place in the document. */
	readonly snippet?: { readonly text: string; readonly start: number; readonly end: number };
	/** Knowledge base that it comes from, when several were searched. */
	readonly knowledgeBase?: string;
}

export interface EmbedOptions {
	readonly kind: 'query' | 'passage';
	readonly signal?: AbortSignal;
}

/**
 * Turns texts into unit vectors, one per text, in order; [] gives []. Blank texts give zero vectors and are never sent.
 *
 * `id` names model and revision: two embedders with one id give comparable vectors.
 */
export interface Embedder {
	readonly id: string;
	embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
}

export interface RetrieveRequest {
	readonly query: string;
	readonly topK: number;
	readonly signal?: AbortSignal;
}

/** Passages, best first; `warnings` tells why something may be missing, for whoever shows them. */
export type FoundHits = Hit[] & { readonly warnings?: readonly string[] };

/** Finds passages for a query, best first; [] when nothing fits. */
export type Retriever = (request: RetrieveRequest) => Promise<FoundHits>;

export interface RerankRequest {
	readonly query: string;
	readonly hits: readonly Hit[];
	/** Hits wanted; absent keeps all. */
	readonly topK?: number;
	readonly signal?: AbortSignal;
}

/** Puts hits in a better order: best first, `score` 0..1 and `scores.rerank` set, nothing added; [] gives []. */
export type Reranker = (request: RerankRequest) => Promise<Hit[]>;
