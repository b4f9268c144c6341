/**
 * The embedded store: one SQLite file per knowledge base, words in FTS5, vectors in an exact scan.
 *
 * A store object is one connection: open it, use it, close it. Writes of other processes are seen by the next call.
 */
import { rmSync, statSync, existsSync } from 'node:fs';
import { CodedError } from '../core/errors';
import { type Database, openDatabase } from '../storage/sqlite';
import { themeFile } from '../storage/paths';
import { bestOf } from './best-of';
import { denseScores } from './dense-search';
import { embedderMismatch } from './embedder-mismatch';
import { lexicalScores } from './lexical-search';
import { insertDocument, readPassage, removeDocument } from './sqlite-documents';
import {
	bindEmbedder,
	countChange,
	createTables,
	hasTables,
	readManifest,
	readMeta,
	requireUsable,
} from './sqlite-schema';
import type {
	EmbedderIdentity,
	IndexedDocument,
	Passage,
	RemoveReport,
	SearchRequest,
	SearchResult,
	ThemeManifest,
	ThemeStore,
	ThemeSummary,
} from './store';
import { forgetTheme, themeRows, themeVectors, type ThemeRows } from './theme-rows';

export interface StorePlace {
	/** Folder of the knowledge bases (`themesFolder`). */
	readonly folder: string;
	readonly theme: string;
}

export interface CreateOptions {
	/** Who creates it, for the manifest: a workflow's name. */
	readonly createdBy: string;
	readonly now?: () => number;
}

function noSuchTheme(theme: string): CodedError {
	return new CodedError('BAD_INPUT', `There is no knowledge base "${theme}"`, {
		remedy: 'Check its name and its storage, or add documents to it with RAG Index first.',
	});
}

/**
 * Opens a knowledge base that exists.
 *
 * @throws CodedError BAD_INPUT when there is none of that name: never an empty answer instead
 */
export function openStore(place: StorePlace): ThemeStore {
	const file = themeFile(place.folder, place.theme);
	if (!existsSync(file)) throw noSuchTheme(place.theme);
	return usableStore(openDatabase(file, { create: false }), Date.now, (database) => {
		if (!hasTables(database)) throw noSuchTheme(place.theme);
	});
}

/** Opens a knowledge base, and makes it when there is none. Safe when several processes do so at once. */
export function openOrCreateStore(place: StorePlace, options: CreateOptions): ThemeStore {
	const now = options.now ?? Date.now;
	return usableStore(openDatabase(themeFile(place.folder, place.theme), { create: true }), now, (database) => {
		if (hasTables(database)) return;
		database.transaction(() => createTables(database, place.theme.trim(), options.createdBy, new Date(now())));
	});
}

/** Deletes a whole knowledge base; throws BAD_INPUT when there is none of that name. */
export function deleteTheme(place: StorePlace): void {
	const file = themeFile(place.folder, place.theme);
	if (!existsSync(file)) throw noSuchTheme(place.theme);
	for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	forgetTheme(file);
}

/** Closes the connection again when it cannot be used. */
function usableStore(database: Database, now: () => number, prepare: (database: Database) => void): ThemeStore {
	let store: ThemeStore | undefined;
	try {
		prepare(database);
		requireUsable(readManifest(database));
		store = new SqliteStore(database, now);
		return store;
	} finally {
		if (!store) database.close();
	}
}

class SqliteStore implements ThemeStore {
	constructor(
		private readonly database: Database,
		private readonly now: () => number,
	) {}

	async manifest(): Promise<ThemeManifest> {
		return readManifest(this.database);
	}

	async hashesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
		const hashes = new Map<string, string>();
		for (const id of ids) {
			const row = this.database.get('SELECT hash FROM documents WHERE key = ?', id);
			if (row) hashes.set(id, String(row.hash));
		}
		return hashes;
	}

	async put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'> {
		return this.database.transaction(() => {
			bindEmbedder(this.database, embedder);
			const isNew = !removeDocument(this.database, document.document.id);
			const now = new Date(this.now());
			insertDocument(this.database, document, now.toISOString());
			countChange(this.database, now);
			return isNew ? 'added' : 'updated';
		});
	}

	async remove(ids: readonly string[]): Promise<RemoveReport> {
		const unique = [...new Set(ids)];
		return this.database.transaction(() => {
			const removed = unique.filter((id) => removeDocument(this.database, id));
			if (removed.length > 0) countChange(this.database, new Date(this.now()));
			return { removed, unknown: unique.filter((id) => !removed.includes(id)) };
		});
	}

	async search(request: SearchRequest): Promise<SearchResult> {
		return this.database.snapshot(() => {
			const rows = themeRows(this.database);
			const allowed = this.allowedRows(rows, request.acl);
			const { scores: lexical, ceiling } = lexicalScores(this.database, rows, request.tokens, allowed);
			const dense = request.vector ? this.denseScores(request.vector, allowed) : new Float32Array(0);
			const byWords = bestOf(lexical, request.candidates, 0);
			const wanted = new Set([...bestOf(dense, request.candidates), ...byWords]);
			const candidates = [...wanted].map((row) => ({
				ref: rows.chunks[row] as number,
				...((lexical[row] as number) > 0 && { lexical: lexical[row] as number }),
				...(row < dense.length && { dense: dense[row] as number }),
			}));
			const best = byWords[0] === undefined ? 0 : (lexical[byWords[0]] as number);
			return { candidates, coverage: ceiling > 0 ? Math.min(1, best / ceiling) : 0 };
		});
	}

	async passages(refs: readonly number[]): Promise<Passage[]> {
		return refs.flatMap((ref) => readPassage(this.database, ref) ?? []);
	}

	async describe(): Promise<ThemeSummary> {
		const counts = this.database.get('SELECT count(*) AS documents, coalesce(sum(characters), 0) AS characters FROM documents');
		const chunks = this.database.get('SELECT count(*) AS n FROM chunks');
		return {
			...readManifest(this.database),
			documents: Number(counts?.documents),
			chunks: Number(chunks?.n),
			characters: Number(counts?.characters),
			changedAt: readMeta(this.database, 'changed_at'),
			protected: this.isProtected(),
			bytes: statSync(this.database.file).size,
		};
	}

	async close(): Promise<void> {
		this.database.close();
	}

	private isProtected(): boolean {
		return this.database.get('SELECT 1 FROM document_acl LIMIT 1') !== undefined;
	}

	/** Undefined where everything may be seen; else 1 for rows of documents that one of the asker's tokens opens. */
	private allowedRows(rows: ThemeRows, acl: readonly string[] | undefined): Uint8Array | undefined {
		if (!this.isProtected()) return undefined;
		const documents = new Set<number>();
		for (const token of acl ?? []) {
			for (const [document] of this.database.iterate('SELECT document FROM document_acl WHERE token = ?', token)) {
				documents.add(Number(document));
			}
		}
		return Uint8Array.from(rows.documents, (document) => (documents.has(document) ? 1 : 0));
	}

	private denseScores(query: Float32Array, allowed: Uint8Array | undefined): Float32Array {
		const manifest = readManifest(this.database);
		if (manifest.dimension === null) return new Float32Array(0);
		if (query.length !== manifest.dimension) {
			throw embedderMismatch(manifest, { id: manifest.embedderId ?? '', dimension: query.length });
		}
		return denseScores(themeVectors(this.database, manifest.dimension), query, allowed);
	}
}
