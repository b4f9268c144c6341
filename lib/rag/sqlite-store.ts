/**
 * The embedded store: one SQLite file per knowledge base, words in FTS5, vectors in an exact scan.
 *
 * A store object is one connection: open it, use it, close it. Writes of other processes are seen by the next call.
 */
import { rmSync, statSync, existsSync } from 'node:fs';
import { CodedError } from '../core/errors';
import { type Database, openDatabase } from '../storage/sqlite';
import { themeFile } from '../storage/paths';
import { changeDocument, insertDocument, readDocuments, readNeighbours, readPassage, readWhole, removeDocument } from './sqlite-documents';
import { adoptVectors, passagesToEmbed, stageVectors } from './sqlite-rebuild';
import { beginChange, bindEmbedder, createTables, hasTables, readManifest, readMeta, requireUsable, writeMeta } from './sqlite-schema';
import { isOlder, migrateFile } from './sqlite-migrate';
import { searchSqlite } from './sqlite-search';
import { COMPACT_STEPS, compactStep, VERIFY_STEPS, verifyStep } from './sqlite-upkeep';
import type {
	DocumentChange,
	DocumentChoice,
	EmbedderIdentity,
	IndexedDocument,
	Passage,
	PassageVector,
	RemoveReport,
	SearchRequest,
	SearchResult,
	StoredDocument,
	ThemeManifest,
	ThemeStore,
	ThemeSummary,
	VerifyReport,
	WholeDocument,
} from './store';
import { forgetTheme } from './theme-rows';
import { inSteps, type StepResult, type Watch } from './upkeep';

/** Where an embedded knowledge base lies. */
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

/** Searches read pages all over the file, which the system keeps: a larger cache here holds them twice. */
const CACHE_KB = 2_000;

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
	return usableStore(openDatabase(file, { create: false, cacheKb: CACHE_KB }), Date.now, (database) => {
		if (!hasTables(database)) throw noSuchTheme(place.theme);
	});
}

/** Opens a knowledge base, and makes it when there is none. Safe when several processes do so at once. */
export function openOrCreateStore(place: StorePlace, options: CreateOptions): ThemeStore {
	const now = options.now ?? Date.now;
	return usableStore(openDatabase(themeFile(place.folder, place.theme), { create: true, cacheKb: CACHE_KB }), now, (database) => {
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
		if (isOlder(database)) migrateFile(database, new Date(now()));
		requireUsable(readManifest(database));
		store = new SqliteStore(database, now);
		return store;
	} finally {
		if (!store) database.close();
	}
}

class SqliteStore implements ThemeStore {
	private isMerging = false;

	constructor(
		private readonly database: Database,
		private readonly now: () => number,
	) {}

	async manifest(): Promise<ThemeManifest> {
		return readManifest(this.database);
	}

	async documents(choice: DocumentChoice): Promise<StoredDocument[]> {
		return this.database.snapshot(() => readDocuments(this.database, choice));
	}

	async put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'> {
		return this.database.transaction(() => {
			bindEmbedder(this.database, embedder);
			const now = new Date(this.now());
			const change = beginChange(this.database, now);
			const before = removeDocument(this.database, document.document.id, change);
			insertDocument(this.database, document, document.acl ?? before ?? [], now.toISOString());
			return before ? 'updated' : 'added';
		});
	}

	async change(changes: readonly DocumentChange[]): Promise<{ changed: string[]; unknown: string[] }> {
		return this.database.transaction(() => {
			const now = new Date(this.now());
			beginChange(this.database, now);
			const changed = changes.filter((change) => changeDocument(this.database, change, now.toISOString())).map(({ id }) => id);
			return { changed, unknown: changes.map(({ id }) => id).filter((id) => !changed.includes(id)) };
		});
	}

	async remove(ids: readonly string[]): Promise<RemoveReport> {
		const unique = [...new Set(ids)];
		return this.database.transaction(() => {
			const change = beginChange(this.database, new Date(this.now()));
			const removed = unique.filter((id) => removeDocument(this.database, id, change) !== undefined);
			return { removed, unknown: unique.filter((id) => !removed.includes(id)) };
		});
	}

	async search(request: SearchRequest): Promise<SearchResult> {
		return this.database.snapshot(() => searchSqlite(this.database, request));
	}

	async passages(refs: readonly number[]): Promise<Passage[]> {
		return refs.flatMap((ref) => readPassage(this.database, ref) ?? []);
	}

	async neighbours(documentId: string, from: number, to: number): Promise<Passage[]> {
		return readNeighbours(this.database, documentId, from, to);
	}

	async whole(id: string): Promise<WholeDocument | undefined> {
		return this.database.snapshot(() => readWhole(this.database, id));
	}

	async protect(): Promise<void> {
		this.database.transaction(() => {
			beginChange(this.database, new Date(this.now()));
			writeMeta(this.database, 'protected', '1');
		});
	}

	async passagesToEmbed(embedderId: string, limit: number): Promise<Passage[]> {
		return passagesToEmbed(this.database, embedderId, limit);
	}

	async stageVectors(embedder: EmbedderIdentity, vectors: readonly PassageVector[]): Promise<void> {
		this.database.transaction(() => stageVectors(this.database, embedder, vectors));
	}

	async adoptVectors(embedder: EmbedderIdentity): Promise<boolean> {
		return this.database.transaction(() => adoptVectors(this.database, embedder, new Date(this.now())));
	}

	/** @param at  of VERIFY_STEPS */
	async verifyStep(at: number): Promise<StepResult> {
		return this.database.snapshot(() => verifyStep(this.database, at));
	}

	/** @param at  of COMPACT_STEPS */
	async compactStep(at: number): Promise<StepResult> {
		const result = compactStep(this.database, at, this.isMerging);
		this.isMerging = result === 'again';
		return result;
	}

	async verify(watch?: Watch): Promise<VerifyReport> {
		const problems = await inSteps('Verifying', VERIFY_STEPS, async (at) => await this.verifyStep(at), watch);
		return { ok: problems.length === 0, problems };
	}

	async compact(watch?: Watch): Promise<void> {
		await inSteps('Compacting', COMPACT_STEPS, async (at) => await this.compactStep(at), watch);
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
			bytes: statSync(this.database.file).size,
		};
	}

	async close(): Promise<void> {
		this.database.close();
	}
}
