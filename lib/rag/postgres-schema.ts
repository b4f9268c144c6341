import { randomUUID } from 'node:crypto';
import { CodedError } from '../core/errors';
import type { PostgresSession } from '../storage/postgres';
import { ANALYSER_VERSION } from '../text/analyse';
import { embedderMismatch } from './embedder-mismatch';
import { requireUsable } from './sqlite-schema';
import type { EmbedderIdentity, ThemeManifest } from './store';

/** Raised when the tables change; `postgres-migrate.ts` brings older ones up to date. The embedded store counts its own. */
export const POSTGRES_FORMAT = 3;
/** More numbers than this cannot be indexed by pgvector; they are scanned. */
const MOST_INDEXED = 2_000;

/** Texts are compared by their code points (COLLATE "C"), as the embedded store does. */
const TABLES = `
CREATE TABLE meta (name text PRIMARY KEY, value text);
CREATE TABLE documents (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, scope text, title text, source text,
	meta text NOT NULL, language text, hash text NOT NULL, characters bigint NOT NULL, changed_at text NOT NULL
);
CREATE INDEX documents_of_scope ON documents (scope);
CREATE TABLE document_acl (token text NOT NULL, document bigint NOT NULL, PRIMARY KEY (token, document));
CREATE INDEX acl_of_document ON document_acl (document);
CREATE TABLE document_meta (document bigint NOT NULL, field text NOT NULL, kind text NOT NULL, text text COLLATE "C", number double precision);
CREATE INDEX meta_of_document ON document_meta (document);
CREATE INDEX meta_texts ON document_meta USING hash (text);
CREATE INDEX meta_fields ON document_meta (field, kind);
CREATE INDEX meta_numbers ON document_meta (field, number);
CREATE TABLE chunks (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document bigint NOT NULL, position integer NOT NULL, text text NOT NULL,
	start integer NOT NULL, "end" integer NOT NULL, title_path text NOT NULL, page integer, length integer NOT NULL
);
CREATE INDEX chunks_of_document ON chunks (document, position);
CREATE TABLE postings (term text COLLATE "C" NOT NULL, chunk bigint NOT NULL, count integer NOT NULL, PRIMARY KEY (term, chunk));
CREATE INDEX postings_of_chunk ON postings (chunk);
`;

/** One value of the meta table; null when it is absent. */
export async function readValue(session: PostgresSession, name: string): Promise<string | null> {
	const [row] = await session.query('SELECT value FROM meta WHERE name = ?', [name]);
	return typeof row?.value === 'string' ? row.value : null;
}

/** Sets one value of the meta table. */
export async function writeValue(session: PostgresSession, name: string, value: string | null): Promise<void> {
	await session.query('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', [name, value]);
}

/** True when the schema holds a knowledge base. */
export async function hasTheme(session: PostgresSession, schema: string): Promise<boolean> {
	return (await session.query("SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'meta'", [schema])).length > 0;
}

/** Makes schema and tables unless they are there. Safe when several processes do so at once. */
export async function createTheme(session: PostgresSession, schema: string, facts: Record<string, string>): Promise<void> {
	await session.transaction(async () => {
		await session.query('SELECT pg_advisory_xact_lock(hashtext(?))', [schema]);
		if (await hasTheme(session, schema)) return;
		await session.query('CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public');
		await session.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
		for (const statement of TABLES.split(';').filter((one) => one.trim() !== '')) await session.query(statement);
		const known = { ...facts, format: `${POSTGRES_FORMAT}`, analyser: `${ANALYSER_VERSION}`, changes: '0', instance: randomUUID() };
		for (const [name, value] of Object.entries(known)) await writeValue(session, name, value);
	});
}

/** What the knowledge base was built with, whether or not this version can use it. */
export async function readAnyManifest(session: PostgresSession): Promise<ThemeManifest> {
	const rows = await session.query('SELECT name, value FROM meta');
	const values = new Map(rows.map((row) => [String(row.name), row.value === null ? null : String(row.value)]));
	const dimension = values.get('dimension') ?? null;
	return {
		theme: values.get('theme') ?? '',
		format: Number(values.get('format')),
		analyserVersion: Number(values.get('analyser')),
		embedderId: values.get('embedder') ?? null,
		dimension: dimension === null ? null : Number(dimension),
		createdAt: values.get('created_at') ?? '',
		createdBy: values.get('created_by') ?? '',
		protected: values.get('protected') === '1',
	};
}

/** What the knowledge base was built with. @throws CodedError BAD_INPUT when this version cannot use it */
export async function readPostgresManifest(session: PostgresSession): Promise<ThemeManifest> {
	const manifest = await readAnyManifest(session);
	requireUsable(manifest, POSTGRES_FORMAT);
	return manifest;
}

/** Fixes the embedder with the first document and makes the column of its vectors; throws the named error for another one later. */
export async function bindPostgresEmbedder(session: PostgresSession, given: EmbedderIdentity | null): Promise<void> {
	const manifest = await readPostgresManifest(session);
	if (manifest.embedderId === (given?.id ?? null) && manifest.dimension === (given?.dimension ?? null)) return;
	if ((await session.query('SELECT 1 FROM documents LIMIT 1')).length > 0) throw embedderMismatch(manifest, given);
	if (given) await makeVectorColumn(session, given.dimension);
	else await session.query('ALTER TABLE chunks DROP COLUMN IF EXISTS vector');
	await writeValue(session, 'embedder', given?.id ?? null);
	await writeValue(session, 'dimension', given === null ? null : `${given.dimension}`);
}

/** Makes the column of the vectors anew, with its index; `fill` is run before the index is made. Call inside a transaction. */
export async function makeVectorColumn(session: PostgresSession, dimension: number, fill?: string): Promise<void> {
	if (!Number.isInteger(dimension)) throw new CodedError('INTERNAL', `Vectors of ${dimension} numbers`);
	await session.query('ALTER TABLE chunks DROP COLUMN IF EXISTS vector');
	await session.query(`ALTER TABLE chunks ADD COLUMN vector vector(${dimension})`);
	if (fill !== undefined) await session.query(fill);
	if (dimension <= MOST_INDEXED) await session.query('CREATE INDEX chunks_nearest ON chunks USING hnsw (vector vector_cosine_ops)');
}
