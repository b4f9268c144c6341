/**
 * Backup and restore of a knowledge base, from any store to any other: JSON lines, the first one about the whole, then one for each
 * document with its passages, vectors and rights, the last one with their number, so that a file that was cut off is noticed.
 *
 * Search tokens are not in it: they are made anew, by the analysis of whoever restores.
 */
import type { Meta } from '../core/document';
import { analyse } from '../text/analyse';
import { detectLanguage, type Language } from '../text/language';
import { brokenBackup, readBackupHead, readBackupLine, type BackupKind } from '../storage/backup-lines';
import { bytesOf, vectorOf } from './dense-search';
import { contextLine } from './split';
import type { EmbedderIdentity, IndexedChunk, ThemeStore, WholeDocument } from './store';
import { checkCancelled, type Watch } from './upkeep';

export const THEME_BACKUP: BackupKind = { kind: 'reactengine-knowledge-base', what: 'a knowledge base', version: 1 };

/** The first line of a backup. */
export interface BackupHeader {
	readonly kind: string;
	readonly version: number;
	readonly theme: string;
	readonly embedderId: string | null;
	readonly dimension: number | null;
	readonly protected: boolean;
	readonly createdAt: string;
}

interface BackupChunk extends Omit<IndexedChunk, 'tokens' | 'vector'> {
	/** 32-bit floats, little-endian, base64. */
	readonly vector?: string;
}

interface BackupDocument {
	readonly id: string;
	readonly hash: string;
	readonly title?: string;
	readonly source?: string;
	readonly meta: Meta;
	readonly acl: readonly string[];
	readonly scope?: string;
	readonly language?: Language;
	readonly characters: number;
	readonly chunks: readonly BackupChunk[];
}

export interface RestoreReport {
	readonly documents: number;
	readonly chunks: number;
	/** Documents that were there and are not in the backup. */
	readonly removed: number;
}

/** Documents between two words on how far it is. */
const PROGRESS_EVERY = 500;

/**
 * The lines of a backup, each ended by a line break. A document that changes meanwhile is as it was before or after, never half.
 *
 * @throws CodedError ABORTED when the watch's signal aborts
 */
export async function* backupLines(store: ThemeStore, watch: Watch = {}): AsyncGenerator<string> {
	const { theme, embedderId, dimension, protected: isProtected, createdAt } = await store.manifest();
	const { kind, version } = THEME_BACKUP;
	const header: BackupHeader = { kind, version, theme, embedderId, dimension, protected: isProtected, createdAt };
	yield `${JSON.stringify(header)}\n`;
	let documents = 0;
	const all = await store.documents({});
	for (const { id } of all) {
		checkCancelled(watch, 'The backup', `${documents} of ${all.length} documents`);
		const whole = await store.whole(id);
		if (!whole) continue;
		documents += 1;
		if (documents % PROGRESS_EVERY === 0) watch.log?.('info', `Backup: ${documents} of ${all.length} documents`);
		yield `${JSON.stringify(documentLine(whole))}\n`;
	}
	yield `${JSON.stringify({ end: true, documents })}\n`;
}

function documentLine({ stored, language, characters, chunks }: WholeDocument): BackupDocument {
	const { id, hash, title, source, meta, acl, scope } = stored;
	return {
		...{ id, hash, meta, acl, ...(title !== undefined && { title }), ...(source !== undefined && { source }) },
		...(scope !== undefined && { scope }),
		...(language && { language }),
		characters,
		chunks: chunks.map(({ vector, ...chunk }) => ({ ...chunk, ...(vector && { vector: Buffer.from(bytesOf(vector)).toString('base64') }) })),
	};
}

const broken = (why: string): never => brokenBackup(THEME_BACKUP.what, why);

/** Reads the first line. @throws CodedError BAD_INPUT for another file, or one of a newer version */
export function readHeader(line: string | undefined): BackupHeader {
	const head = readBackupHead(line, THEME_BACKUP);
	const { theme, embedderId, dimension, protected: isProtected } = head;
	const isEncoded = typeof embedderId === 'string' && Number.isInteger(dimension) && Number(dimension) > 0;
	const isPlain = embedderId === null || dimension === null;
	if (typeof theme !== 'string' || !(isEncoded || isPlain) || typeof isProtected !== 'boolean') broken('its first line lacks the name, the encoder or the rights');
	return head as unknown as BackupHeader;
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isOptional = (value: unknown, type: 'string' | 'number'): boolean => value === undefined || typeof value === type;

/** A line as a document. Without its rights it would be seen by others than before. @throws BAD_INPUT for what is none */
function documentIn(line: Record<string, unknown>, dimension: number | null): BackupDocument {
	const { id, hash, meta, acl, characters, chunks } = line;
	const isWhole = typeof id === 'string' && typeof hash === 'string' && typeof meta === 'object' && meta !== null && areTexts(acl) && typeof characters === 'number';
	const isNamed = ['title', 'source', 'scope', 'language'].every((name) => isOptional(line[name], 'string'));
	if (!isWhole || !isNamed || !Array.isArray(chunks)) return broken('a line of it is no document');
	if (!chunks.every((chunk) => isChunk(chunk, dimension))) return broken(`a passage of the document ${JSON.stringify(id)} is damaged`);
	return line as unknown as BackupDocument;
}

function isChunk(value: unknown, dimension: number | null): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const { text, start, end, titlePath, page, vector } = value as Record<string, unknown>;
	const isPlace = typeof start === 'number' && typeof end === 'number' && isOptional(page, 'number');
	const isVector = vector === undefined || (typeof vector === 'string' && Buffer.from(vector, 'base64').length === 4 * (dimension ?? 0));
	return typeof text === 'string' && areTexts(titlePath) && isPlace && isVector;
}

function chunkOf({ vector, ...chunk }: BackupChunk, { title, language }: BackupDocument): IndexedChunk {
	const context = contextLine(title, chunk.titlePath);
	const indexed = context === '' ? chunk.text : `${context}\n${chunk.text}`;
	const spoken = detectLanguage(indexed) ?? language;
	const numbers = vector === undefined ? undefined : vectorOf(new Uint8Array(Buffer.from(vector, 'base64')));
	return { ...chunk, tokens: analyse(indexed, spoken && { language: spoken }), ...(numbers && { vector: numbers }) };
}

interface RestoreInto {
	readonly store: ThemeStore;
	readonly embedder: EmbedderIdentity | null;
	/** Else rights, which are none, are not given: that would protect the knowledge base. */
	readonly isProtected: boolean;
}

async function restoreOne({ store, embedder, isProtected }: RestoreInto, one: BackupDocument): Promise<void> {
	const { id, title, source, meta, hash, acl, scope, language, characters } = one;
	const document = { id, text: '', meta, ...(title !== undefined && { title }), ...(source !== undefined && { source }) };
	const chunks = one.chunks.map((chunk) => chunkOf(chunk, one));
	await store.put({ document, hash, characters, chunks, ...((isProtected || acl.length > 0) && { acl }), ...(scope !== undefined && { scope }), ...(language && { language }) }, embedder);
}

/**
 * Restores a backup into a store. Documents of the store that the backup does not have are removed last, after its end was read: a
 * file that was cut off removes nothing. Rights are restored before the first document is.
 *
 * @param lines  those behind the header
 * @throws CodedError BAD_INPUT for a file that is no whole backup, and when the store has another encoder; ABORTED when the watch's
 *         signal aborts: what was restored stays, nothing is removed
 */
export async function restoreLines(
	store: ThemeStore,
	header: BackupHeader,
	lines: AsyncIterable<string>,
	watch: Watch = {},
): Promise<RestoreReport> {
	const { embedderId: id, dimension } = header;
	const embedder = id === null || dimension === null ? null : { id, dimension };
	const kept = new Set<string>();
	let chunks = 0;
	let end: Record<string, unknown> | undefined;
	if (header.protected) await store.protect();
	const into = { store, embedder, isProtected: (await store.manifest()).protected };
	for await (const text of lines) {
		if (text.trim() === '') continue;
		const line = readBackupLine(text, THEME_BACKUP.what);
		if (line.end === true) {
			end = line;
			continue;
		}
		const one = documentIn(line, dimension);
		checkCancelled(watch, 'Restoring', `${kept.size} documents`);
		await restoreOne(into, one);
		kept.add(one.id);
		if (kept.size % PROGRESS_EVERY === 0) watch.log?.('info', `Restoring: ${kept.size} documents`);
		chunks += one.chunks.length;
	}
	if (end?.documents !== kept.size) broken(`it ends after ${kept.size} documents`);
	const { removed } = await store.remove((await store.documents({})).map((one) => one.id).filter((one) => !kept.has(one)));
	return { documents: kept.size, chunks, removed: removed.length };
}
