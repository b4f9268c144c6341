/**
 * The store for several machines: one Postgres schema per knowledge base, vectors in pgvector (0.8 or newer), words in a table of
 * postings that the same analyser feeds, so that scores are those of the embedded store.
 *
 * A store object holds one connection of a small pool from `openPostgresStore` to `close`.
 */
import { CodedError } from '../core/errors';
import { safeFileName } from '../storage/paths';
import { openPostgres, type PostgresConnection, type PostgresSession, quoted } from '../storage/postgres';
import {
	changeInPostgres,
	insertIntoPostgres,
	readFromPostgres,
	readPostgresNeighbours,
	readPostgresPassages,
	readWholeFromPostgres,
	removeFromPostgres,
} from './postgres-documents';
import { migratePostgres } from './postgres-migrate';
import { adoptInPostgres, passagesToEmbedInPostgres, stageInPostgres } from './postgres-rebuild';
import { bindPostgresEmbedder, createTheme, hasTheme, readPostgresManifest, readValue, writeValue } from './postgres-schema';
import { searchPostgres } from './postgres-search';
import { keepEntry, searchKey } from './search-key';
import type { CreateOptions } from './sqlite-store';
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
import { inSteps, type Watch } from './upkeep';

/** A knowledge base in Postgres. */
export interface PostgresPlace {
	readonly postgres: PostgresConnection;
	readonly theme: string;
}

/** Answers to searches, of all knowledge bases. */
const MOST_ANSWERS = 200;
const answers = new Map<string, SearchResult>();

const placeName = ({ postgres: { host, port, database }, theme }: PostgresPlace): string => `${host}:${port}/${database}/${theme}`;
const schemaOf = (theme: string): string => `reactengine_${safeFileName(theme, 'knowledge base')}`.slice(0, 63);

function noSuchTheme(place: PostgresPlace): CodedError {
	return new CodedError('BAD_INPUT', `There is no knowledge base "${place.theme}" in ${place.postgres.host}/${place.postgres.database}`, {
		remedy: 'Check its name and its storage, or add documents to it with RAG Index first.',
	});
}

/**
 * Opens a knowledge base, migrated when an older version wrote it; makes it when there is none and `create` is given.
 *
 * @throws CodedError BAD_INPUT when there is none, and when a newer version wrote it
 */
export async function openPostgresStore(place: PostgresPlace, create?: CreateOptions): Promise<ThemeStore> {
	const schema = schemaOf(place.theme);
	const session = await openPostgres(place.postgres, schema);
	let store: ThemeStore | undefined;
	try {
		if (!(await hasTheme(session, schema))) {
			if (!create) throw noSuchTheme(place);
			const created_at = new Date((create.now ?? Date.now)()).toISOString();
			await createTheme(session, schema, { theme: place.theme.trim(), created_by: create.createdBy, created_at });
		}
		await migratePostgres(session, schema);
		await readPostgresManifest(session);
		store = new PostgresStore(session, schema, placeName(place), create?.now ?? Date.now);
		return store;
	} finally {
		if (!store) session.release();
	}
}

/** Deletes a whole knowledge base. @throws CodedError BAD_INPUT when there is none */
export async function deletePostgresTheme(place: PostgresPlace): Promise<void> {
	const schema = schemaOf(place.theme);
	const session = await openPostgres(place.postgres, schema);
	try {
		if (!(await hasTheme(session, schema))) throw noSuchTheme(place);
		await session.query(`DROP SCHEMA ${quoted(schema)} CASCADE`);
	} finally {
		session.release();
	}
}

/** What must be 0, with what it means otherwise. */
const CHECKS: readonly (readonly [problem: string, sql: string])[] = [
	['passages without their document', 'SELECT count(*) AS n FROM chunks WHERE document NOT IN (SELECT id FROM documents)'],
	['documents without a passage', 'SELECT count(*) AS n FROM documents WHERE id NOT IN (SELECT document FROM chunks)'],
	['words without their passage', 'SELECT count(*) AS n FROM postings WHERE chunk NOT IN (SELECT id FROM chunks)'],
];
const TABLES_TO_COMPACT = ['documents', 'chunks', 'postings'];

class PostgresStore implements ThemeStore {
	constructor(
		private readonly session: PostgresSession,
		private readonly schema: string,
		/** The server, without its password. */
		private readonly place: string,
		private readonly now: () => number,
	) {}

	async manifest(): Promise<ThemeManifest> {
		return await readPostgresManifest(this.session);
	}

	async documents(choice: DocumentChoice): Promise<StoredDocument[]> {
		return await readFromPostgres(this.session, choice);
	}

	async put(document: IndexedDocument, embedder: EmbedderIdentity | null): Promise<'added' | 'updated'> {
		return await this.write(async (changedAt) => {
			await bindPostgresEmbedder(this.session, embedder);
			const before = await removeFromPostgres(this.session, document.document.id);
			await insertIntoPostgres(this.session, document, document.acl ?? before ?? [], changedAt);
			return before ? 'updated' : 'added';
		});
	}

	async change(changes: readonly DocumentChange[]): Promise<{ changed: string[]; unknown: string[] }> {
		return await this.write(async (changedAt) => {
			const changed: string[] = [];
			for (const change of changes) if (await changeInPostgres(this.session, change, changedAt)) changed.push(change.id);
			return { changed, unknown: changes.map(({ id }) => id).filter((id) => !changed.includes(id)) };
		});
	}

	async remove(ids: readonly string[]): Promise<RemoveReport> {
		const unique = [...new Set(ids)];
		return await this.write(async () => {
			const removed: string[] = [];
			for (const id of unique) if (await removeFromPostgres(this.session, id)) removed.push(id);
			return { removed, unknown: unique.filter((id) => !removed.includes(id)) };
		});
	}

	async search(request: SearchRequest): Promise<SearchResult> {
		return await this.session.transaction(async () => {
			await this.session.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
			const manifest = await this.manifest();
			const key = await this.answerKey(request);
			const known = answers.get(key);
			if (known) return known;
			const found = await searchPostgres(this.session, manifest, request);
			keepEntry(answers, key, found, MOST_ANSWERS);
			return found;
		});
	}

	/** Names the state of the knowledge base too: the first change of any document or right makes another key. */
	private async answerKey(request: SearchRequest): Promise<string> {
		const rows = await this.session.query("SELECT name, value FROM meta WHERE name IN ('changes', 'instance', 'created_at') ORDER BY name");
		return JSON.stringify([this.place, rows.map(({ value }) => value), searchKey(request)]);
	}

	async passages(refs: readonly number[]): Promise<Passage[]> {
		const found = new Map((await readPostgresPassages(this.session, refs)).map((passage) => [passage.ref, passage]));
		return refs.flatMap((ref) => found.get(ref) ?? []);
	}

	async neighbours(documentId: string, from: number, to: number): Promise<Passage[]> {
		return await readPostgresNeighbours(this.session, documentId, from, to);
	}

	async whole(id: string): Promise<WholeDocument | undefined> {
		return await this.session.transaction(async () => {
			await this.session.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
			return await readWholeFromPostgres(this.session, id, (await this.manifest()).dimension !== null);
		});
	}

	async protect(): Promise<void> {
		await this.write(async () => await writeValue(this.session, 'protected', '1'));
	}

	async passagesToEmbed(embedderId: string, limit: number): Promise<Passage[]> {
		return await passagesToEmbedInPostgres(this.session, embedderId, limit);
	}

	async stageVectors(embedder: EmbedderIdentity, vectors: readonly PassageVector[]): Promise<void> {
		await this.session.transaction(async () => await stageInPostgres(this.session, embedder, vectors));
	}

	async adoptVectors(embedder: EmbedderIdentity): Promise<boolean> {
		return await this.write(async () => await adoptInPostgres(this.session, embedder));
	}

	async verify(watch?: Watch): Promise<VerifyReport> {
		const problems = await inSteps('Verifying', CHECKS.map(([problem]) => problem), async (at) => {
			const [problem, sql] = CHECKS[at] as (typeof CHECKS)[number];
			const [row] = await this.session.query(sql);
			return Number(row?.n) > 0 ? [`${Number(row?.n)} ${problem}`] : [];
		}, watch);
		return { ok: problems.length === 0, problems };
	}

	async compact(watch?: Watch): Promise<void> {
		await inSteps('Compacting', TABLES_TO_COMPACT, async (at) => {
			await this.session.query(`VACUUM ANALYZE ${TABLES_TO_COMPACT[at] as string}`);
			return [];
		}, watch);
	}

	async describe(): Promise<ThemeSummary> {
		const [counts] = await this.session.query('SELECT count(*) AS documents, coalesce(sum(characters), 0) AS characters FROM documents');
		const [chunks] = await this.session.query('SELECT count(*) AS n FROM chunks');
		const size =
			'SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS n FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace ' +
			"WHERE s.nspname = ? AND c.relkind = 'r'";
		const [bytes] = await this.session.query(size, [this.schema]);
		return {
			...(await this.manifest()),
			documents: Number(counts?.documents),
			chunks: Number(chunks?.n),
			characters: Number(counts?.characters),
			changedAt: await readValue(this.session, 'changed_at'),
			bytes: Number(bytes?.n),
		};
	}

	async close(): Promise<void> {
		this.session.release();
	}

	/** One transaction; writers of one knowledge base take turns. */
	private async write<Result>(work: (changedAt: string) => Promise<Result>): Promise<Result> {
		return await this.session.transaction(async () => {
			await this.session.query("UPDATE meta SET value = (value::bigint + 1)::text WHERE name = 'changes'");
			const changedAt = new Date(this.now()).toISOString();
			await writeValue(this.session, 'changed_at', changedAt);
			return await work(changedAt);
		});
	}
}
