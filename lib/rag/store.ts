/**
 * The knowledge base store: what every store must do, so that a folder on disk and a database server are interchangeable.
 *
 * Comes in: documents already split, analysed and embedded. Goes out: candidates with the score of each side. Blending, texts for
 * people and access decisions of a flow are not its business; it only applies the access tokens it is given, before scoring.
 */
import type { Meta, SourceDocument } from '../core/document';
import type { Language } from '../text/language';

/** A passage of a document, ready to be stored. */
export interface IndexedChunk {
	/** Exact source text: `document.text.slice(start, end)`. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** Headings above the passage, outermost first; [] when there are none. */
	readonly titlePath: readonly string[];
	/** Search tokens of title, headings and text. */
	readonly tokens: readonly string[];
	/** Unit vector; absent in a knowledge base without embeddings. */
	readonly vector?: Float32Array;
}

export interface IndexedDocument {
	readonly document: SourceDocument;
	/** Of everything that decides what is stored: the same hash means that nothing has to be done. */
	readonly hash: string;
	readonly language?: Language;
	readonly chunks: readonly IndexedChunk[];
	/** Access tokens; absent or [] gives nobody access once one document of the knowledge base has some. */
	readonly acl?: readonly string[];
}

/** What a knowledge base was built with; fixed by its first document. */
export interface ThemeManifest {
	readonly theme: string;
	/** Format of the store's tables. */
	readonly format: number;
	readonly analyserVersion: number;
	/** `Embedder.id`, or null when it was built without embeddings. */
	readonly embedderId: string | null;
	readonly dimension: number | null;
	/** ISO 8601. */
	readonly createdAt: string;
	readonly createdBy: string;
}

export interface ThemeSummary extends ThemeManifest {
	readonly documents: number;
	readonly chunks: number;
	/** Of the document texts. */
	readonly characters: number;
	readonly changedAt: string | null;
	/** True as soon as one document has access tokens. */
	readonly protected: boolean;
	readonly bytes: number;
}

/** What the vectors of a write come from; null for a write without vectors. */
export interface EmbedderIdentity {
	readonly id: string;
	readonly dimension: number;
}

export interface SearchRequest {
	/** From `analyse`; [] for no lexical side. */
	readonly tokens: readonly string[];
	/** Unit vector of the query; absent for no dense side. */
	readonly vector?: Float32Array;
	/** How many of each side are wanted. */
	readonly candidates: number;
	/** Access tokens of the asker; absent is the same as []. Only read when the knowledge base is protected. */
	readonly acl?: readonly string[];
}

/** One of either side's best passages; both scores are given wherever they exist, not only for the side that found it. */
export interface Candidate {
	/** The store's own name of the passage, for `passages`. */
	readonly ref: number;
	/** BM25, above 0; absent when no token matched. */
	readonly lexical?: number;
	/** Cosine, -1..1; absent without vectors. */
	readonly dense?: number;
}

export interface SearchResult {
	/** In no particular order; [] when nothing fits or nothing is allowed. */
	readonly candidates: readonly Candidate[];
	/** Share of the query's words, by rarity, that the best passage holds: 0..1; only passages that the asker may see count. */
	readonly coverage: number;
}

/** A stored passage with the fields of its document. */
export interface Passage {
	readonly ref: number;
	/** `<document id>#<position>`, unique in the knowledge base. */
	readonly id: string;
	readonly documentId: string;
	readonly text: string;
	readonly start: number;
	readonly end: number;
	readonly titlePath: readonly string[];
	readonly title?: string;
	readonly source?: string;
	readonly meta: Meta;
}

export interface RemoveReport {
	readonly removed: readonly string[];
	/** Asked for but not there: no error. */
	readonly unknown: readonly string[];
}

/**
 * One open knowledge base. Every method may throw CodedError for what the storage did. A write of one document is one
 * transaction: a crash leaves the old version or the new one, never a half.
 */
export interface ThemeStore {
	manifest(): Promise<ThemeManifest>;
	/** Hashes of the stored documents among `ids`; unknown ids are absent. */
	hashesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/**
	 * Stores a document in place of its older version.
	 *
	 * @throws CodedError BAD_INPUT when the knowledge base was built with another embedder
	 */
	put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'>;
	remove(ids: readonly string[]): Promise<RemoveReport>;
	search(request: SearchRequest): Promise<SearchResult>;
	/** The passages of candidates, in the order of `refs`; one that was removed meanwhile is left out. */
	passages(refs: readonly number[]): Promise<Passage[]>;
	describe(): Promise<ThemeSummary>;
	close(): Promise<void>;
}
