import { createHash } from 'node:crypto';
import type { Embedder, SourceDocument } from '../core/document';
import { CodedError, isCodedError, messageOf } from '../core/errors';
import type { Log } from '../core/ports';
import { analyse } from '../text/analyse';
import { detectLanguage } from '../text/language';
import { contextLine, splitText, type SplitOptions } from './split';
import type { DocumentChange, EmbedderIdentity, IndexedChunk, IndexedDocument, StoredDocument, ThemeStore } from './store';

/** A document to index, with what the flow knows about it. */
export interface DocumentToIndex extends SourceDocument {
	/** Access tokens (`rightsTokens`); absent keeps those that the stored document has. */
	readonly acl?: readonly string[];
	readonly scope?: string;
	/** Where the pages of a paged document begin in `text`, ascending; absent without pages. */
	readonly pageStarts?: readonly number[];
}

export interface IndexTools {
	readonly store: ThemeStore;
	readonly embedder?: Embedder;
	readonly log?: Log;
	readonly signal?: AbortSignal;
	readonly split?: SplitOptions;
}

/** `changed`: only rights, metadata or source are new; nothing was embedded. */
export type IndexOutcome = 'added' | 'updated' | 'changed' | 'unchanged' | 'unreadable';

export interface DocumentReport {
	readonly id: string;
	readonly outcome: IndexOutcome;
	readonly chunks: number;
	/** Why it is unreadable. */
	readonly reason?: string;
}

/** Documents one after the other: those that are not asked for yet need not be read yet. */
export type DocumentList = Iterable<DocumentToIndex> | AsyncIterable<DocumentToIndex>;

/** Passages embedded in one call: enough to use the encoder well, little enough to commit often. */
const BATCH_CHUNKS = 64;
const PROGRESS_EVERY = 100;

interface Prepared {
	readonly document: DocumentToIndex;
	readonly indexed: IndexedDocument;
	readonly embeddingTexts: readonly string[];
}

/** Of everything that decides the passages; rights and metadata are not in it, nor the encoder: a knowledge base has but one. */
export function contentHash({ id, text, title, pageStarts }: DocumentToIndex, split: SplitOptions | undefined): string {
	return createHash('sha256')
		.update(JSON.stringify([id, text, title ?? null, pageStarts ?? [], split ?? {}]))
		.digest('hex');
}

/** What is new about a stored document whose text is the same; undefined for nothing. */
export function changeOf(stored: StoredDocument, document: DocumentToIndex): DocumentChange | undefined {
	const { id, source = '', meta = {}, acl, scope } = document;
	const isSameMeta = JSON.stringify(stored.meta) === JSON.stringify(meta);
	const change = {
		...(source !== (stored.source ?? '') && { source }),
		...(!isSameMeta && { meta }),
		...(acl && JSON.stringify([...acl].sort()) !== JSON.stringify(stored.acl) && { acl }),
		...(scope !== undefined && scope !== stored.scope && { scope }),
	};
	return Object.keys(change).length > 0 ? { id, ...change } : undefined;
}

function trimmed(chunk: { start: number; text: string; titlePath: readonly string[] }): Omit<IndexedChunk, 'tokens'>[] {
	const text = chunk.text.trim();
	if (text === '') return [];
	const start = chunk.start + chunk.text.indexOf(text);
	return [{ text, start, end: start + text.length, titlePath: chunk.titlePath }];
}

const pageAt = (starts: readonly number[] = [], position: number): number => starts.filter((start) => start <= position).length;

function prepare(document: DocumentToIndex, hash: string, split: SplitOptions | undefined): Prepared {
	const documentLanguage = detectLanguage(document.text);
	const embeddingTexts: string[] = [];
	const chunks = splitText(document.text, split)
		.flatMap(trimmed)
		.map((chunk): IndexedChunk => {
			const context = contextLine(document.title, chunk.titlePath);
			const indexedText = context === '' ? chunk.text : `${context}\n${chunk.text}`;
			const language = detectLanguage(indexedText) ?? documentLanguage;
			embeddingTexts.push(indexedText);
			const page = pageAt(document.pageStarts, (chunk.start + chunk.end) / 2);
			return { ...chunk, ...(page > 0 && { page }), tokens: analyse(indexedText, language && { language }) };
		});
	const { acl, scope } = document;
	const known = { ...(acl && { acl }), ...(scope !== undefined && { scope }), ...(documentLanguage && { language: documentLanguage }) };
	const indexed = { document, hash, chunks, ...known };
	return { document, indexed, embeddingTexts };
}

async function withVectors(batch: readonly Prepared[], embedder: Embedder, signal?: AbortSignal): Promise<IndexedDocument[]> {
	const vectors = await embedder.embed(
		batch.flatMap((prepared) => prepared.embeddingTexts),
		{ kind: 'passage', ...(signal && { signal }) },
	);
	let at = 0;
	return batch.map(({ indexed }) => ({
		...indexed,
		chunks: indexed.chunks.map((chunk): IndexedChunk => {
			const vector = vectors[at++];
			if (!vector) throw new CodedError('UPSTREAM', `The embeddings "${embedder.id}" gave fewer vectors than texts.`);
			return { ...chunk, vector };
		}),
	}));
}

function identityOf(documents: readonly IndexedDocument[], embedder: Embedder | undefined): EmbedderIdentity | null {
	const dimension = documents[0]?.chunks[0]?.vector?.length;
	return embedder && dimension !== undefined ? { id: embedder.id, dimension } : null;
}

function checkCancelled(signal: AbortSignal | undefined, done: number): void {
	if (!signal?.aborted) return;
	throw new CodedError('ABORTED', `Indexing was cancelled; ${done} documents are stored`, { cause: signal.reason });
}

/** Lets timers and other executions run: the store works synchronously. */
const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The fault of one text must not lose the others of its batch; any other fault would meet them all. */
function refusalOf(error: unknown): { readonly refusal: string } {
	if (isCodedError(error) && error.code === 'BAD_INPUT') return { refusal: messageOf(error) };
	throw error;
}

async function storeBatch(batch: readonly Prepared[], tools: IndexTools): Promise<DocumentReport[]> {
	const { embedder, signal } = tools;
	const documents = embedder
		? await withVectors(batch, embedder, signal).catch(refusalOf)
		: batch.map((prepared) => prepared.indexed);
	if (!('refusal' in documents)) return await putAll(documents, tools);
	const only = batch.length === 1 ? batch[0] : undefined;
	if (only) return [{ id: only.document.id, outcome: 'unreadable', chunks: 0, reason: documents.refusal }];
	const reports: DocumentReport[] = [];
	for (const prepared of batch) reports.push(...(await storeBatch([prepared], tools)));
	return reports;
}

async function putAll(documents: readonly IndexedDocument[], tools: IndexTools): Promise<DocumentReport[]> {
	const identity = identityOf(documents, tools.embedder);
	const reports: DocumentReport[] = [];
	for (const document of documents) {
		checkCancelled(tools.signal, reports.length);
		const outcome = await tools.store.put(document, identity);
		reports.push({ id: document.document.id, outcome, chunks: document.chunks.length });
		await yieldToOthers();
	}
	return reports;
}

async function* batchesOf(documents: DocumentList, tools: IndexTools): AsyncGenerator<Prepared[] | DocumentReport> {
	let batch: Prepared[] = [];
	let chunks = 0;
	// With another encoder nothing is unchanged: the store then says what is wrong.
	const manifest = await tools.store.manifest();
	const isSameEncoder = manifest.embedderId === (tools.embedder?.id ?? null);
	let isProtected = manifest.protected;
	for await (const document of documents) {
		// Also for rights that are nobody's, and before the first one is stored: nothing lies open until another document has some.
		if (document.acl && !isProtected) await tools.store.protect();
		isProtected ||= document.acl !== undefined;
		const hash = contentHash(document, tools.split);
		const [stored] = await tools.store.documents({ ids: [document.id] });
		if (isSameEncoder && stored?.hash === hash) {
			const change = changeOf(stored, document);
			if (change) await tools.store.change([change]);
			yield { id: document.id, outcome: change ? 'changed' : 'unchanged', chunks: stored.chunks };
			continue;
		}
		await yieldToOthers();
		const prepared = prepare(document, hash, tools.split);
		if (prepared.indexed.chunks.length === 0) {
			yield { id: document.id, outcome: 'unreadable', chunks: 0, reason: 'It has no text.' };
			continue;
		}
		batch.push(prepared);
		chunks += prepared.indexed.chunks.length;
		if (chunks < BATCH_CHUNKS) continue;
		yield batch;
		batch = [];
		chunks = 0;
	}
	if (batch.length > 0) yield batch;
}

/**
 * Splits, analyses, embeds and stores documents; an id that is known is replaced, and skipped when nothing changed.
 *
 * A document is one transaction. When the signal aborts, what is stored stays.
 *
 * @returns one report per document, in the order in which they were decided; a document without text or refused by the embedder
 *          as input is `unreadable` and changes nothing
 * @throws  CodedError: ABORTED after cancelling, BAD_INPUT when the knowledge base was built with another embedder, what the
 *          embedder or the store throws
 */
export async function indexDocuments(documents: DocumentList, tools: IndexTools): Promise<DocumentReport[]> {
	const reports: DocumentReport[] = [];
	let shown = 0;
	for await (const batch of batchesOf(documents, tools)) {
		checkCancelled(tools.signal, reports.length);
		reports.push(...(Array.isArray(batch) ? await storeBatch(batch, tools) : [batch]));
		if (reports.length - shown >= PROGRESS_EVERY) {
			shown = reports.length;
			tools.log?.('info', `Indexing: ${shown} documents done`);
		}
	}
	return reports;
}
