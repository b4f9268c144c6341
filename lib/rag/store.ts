/**
 * The knowledge base store: what every store must do, so that a folder on disk and a database server are interchangeable.
 *
 * Comes in: documents already split, analysed and embedded. Goes out: candidates with the score of each side. Blending, texts for
 * people and access decisions of a flow are not its business; it only applies the access tokens it is given, before scoring.
 */
import type { Meta, SourceDocument } from '../core/document';
import type { Language } from '../text/language';
import type { Filter } from './filter';
import type { Watch } from './upkeep';

/** A passage of a document, ready to be stored. */
export interface IndexedChunk {
	/** Exact source text: `document.text.slice(start, end)`. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** Headings above the passage, outermost first; [] when there are none. */
	readonly titlePath: readonly string[];
	/** Page on which most of it stands, from 1. */
	readonly page?: number;
	/** Search tokens of title, headings and text. */
	readonly tokens: readonly string[];
	/** Unit vector; absent in a knowledge base without embeddings. */
	readonly vector?: Float32Array;
}

export interface IndexedDocument {
	readonly document: SourceDocument;
	/** Of everything that decides passages, words and vectors: the same hash means that they need not be made again. */
	readonly hash: string;
	readonly language?: Language;
	readonly chunks: readonly IndexedChunk[];
	/**
	 * Access tokens; absent keeps those of the older version. A document with none is seen by nobody in a protected knowledge base, and
	 * to be given none protects one too: a source whose rights could not be read must not lie open.
	 */
	readonly acl?: readonly string[];
	/** Name of the source that it was synchronised from; absent for single documents. */
	readonly scope?: string;
	/** Of the whole text, where `document.text` is not it (a restored document keeps its passages only). */
	readonly characters?: number;
}

/** A stored document with its passages and vectors; search tokens are made anew from them. */
export interface WholeDocument {
	readonly stored: StoredDocument;
	readonly language?: Language;
	readonly characters: number;
	readonly chunks: readonly Omit<IndexedChunk, 'tokens'>[];
}

/** A vector of another encoder for a stored passage. */
export interface PassageVector {
	/** `Passage.ref` */
	readonly ref: number;
	readonly vector: Float32Array;
}

/** What may change about a stored document while its text stays: absent fields stay as they are. */
export interface DocumentChange {
	readonly id: string;
	readonly source?: string;
	readonly meta?: Meta;
	readonly acl?: readonly string[];
	readonly scope?: string;
}

/** A stored document, without its text. */
export interface StoredDocument {
	readonly id: string;
	readonly hash: string;
	readonly title?: string;
	readonly source?: string;
	readonly meta: Meta;
	/** Sorted. */
	readonly acl: readonly string[];
	readonly scope?: string;
	readonly chunks: number;
	readonly changedAt: string;
}

/** Which documents are meant; [] and {} mean none and all. */
export type DocumentChoice = { readonly ids: readonly string[] } | { readonly scope?: string; readonly filter?: Filter };

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
	/** True as soon as one document was given access tokens, be it none, and from then on. */
	readonly protected: boolean;
}

export interface ThemeSummary extends ThemeManifest {
	readonly documents: number;
	readonly chunks: number;
	/** Of the document texts. */
	readonly characters: number;
	readonly changedAt: string | null;
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
	/** Only documents that fit are searched and counted. */
	readonly filter?: Filter;
	/**
	 * Access tokens of the asker; absent is the same as []. Only read when the knowledge base is protected. `all` is for work in
	 * nobody's name, where whoever built the flow has chosen it.
	 */
	readonly acl?: readonly string[] | 'all';
}

/** One of either side's best passages; both scores are given wherever they exist, not only for the side that found it. Access and filter have been applied. */
export interface Candidate {
	/** The store's own name of the passage, for `passages`. */
	readonly ref: number;
	/**
	 * BM25, above 0: two thirds of the passage alone, a third of it with those before and after it in its document. Absent when no token of
	 * its own matched.
	 */
	readonly lexical?: number;
	/** Cosine, -1..1; absent without vectors. */
	readonly dense?: number;
	/** Tokens of the request that it holds; absent for none. */
	readonly matched?: readonly string[];
}

export interface SearchResult {
	/** In no particular order; [] when nothing fits or nothing is allowed. */
	readonly candidates: readonly Candidate[];
	/** What a passage of mean length scores that holds each token once; 0 without tokens. */
	readonly ceiling: number;
	/** The lowest cosine among the passages that the asker may see, or among some of them: what no likeness looks like. */
	readonly lowestDense?: number;
}

/** A stored passage with the fields of its document. */
export interface Passage {
	readonly ref: number;
	/** `<document id>#<position>`, unique in the knowledge base. */
	readonly id: string;
	readonly documentId: string;
	/** Place among the passages of its document, from 0. */
	readonly position: number;
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** Page of a paged document on which most of it stands, from 1. */
	readonly page?: number;
	readonly titlePath: readonly string[];
	readonly title?: string;
	readonly source?: string;
	readonly meta: Meta;
}

export interface VerifyReport {
	readonly ok: boolean;
	/** What is wrong, one line each. */
	readonly problems: readonly string[];
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
	/** The stored documents that are chosen, in the order of their ids; unknown ids are left out. */
	documents(choice: DocumentChoice): Promise<StoredDocument[]>;
	/**
	 * Stores a document in place of its older version.
	 *
	 * @throws CodedError BAD_INPUT when the knowledge base was built with another embedder
	 */
	put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'>;
	/** Changes rights, metadata and the like without touching passages, in one transaction; tells which ids are not there. */
	change(changes: readonly DocumentChange[]): Promise<{ readonly changed: readonly string[]; readonly unknown: readonly string[] }>;
	remove(ids: readonly string[]): Promise<RemoveReport>;
	search(request: SearchRequest): Promise<SearchResult>;
	/** The passages of candidates, in the order of `refs`; one that was removed meanwhile is left out. */
	passages(refs: readonly number[]): Promise<Passage[]>;
	/** The passages of one document whose positions lie in `from..to`, in order; the caller has seen the document. */
	neighbours(documentId: string, from: number, to: number): Promise<Passage[]>;
	/** Everything of a document, of one moment; undefined when it is not there. */
	whole(id: string): Promise<WholeDocument | undefined>;
	/** From now on a document without rights is seen by nobody. */
	protect(): Promise<void>;
	/** Passages for which no vector of this encoder is kept aside yet, at most `limit`. */
	passagesToEmbed(embedderId: string, limit: number): Promise<Passage[]>;
	/** Keeps vectors of another encoder aside; searches do not see them. */
	stageVectors(embedder: EmbedderIdentity, vectors: readonly PassageVector[]): Promise<void>;
	/** Puts the vectors that were kept aside in the place of all others, at once; false when passages came meanwhile that have none. */
	adoptVectors(embedder: EmbedderIdentity): Promise<boolean>;
	/** Proves that indexes and documents fit together, in steps that each see one state; searches and writes go on. */
	verify(watch?: Watch): Promise<VerifyReport>;
	/** Gives space back that removed documents left; searches go on, writes wait for one of its steps. */
	compact(watch?: Watch): Promise<void>;
	describe(): Promise<ThemeSummary>;
	close(): Promise<void>;
}
