import { CodedError } from '../core/errors';
import type { Database } from '../storage/sqlite';
import { ANALYSER_VERSION } from '../text/analyse';
import { embedderMismatch } from './embedder-mismatch';
import type { EmbedderIdentity, ThemeManifest } from './store';

/** Raised when the tables change; `sqlite-migrate.ts` brings older files up to date, newer ones are refused. */
export const FORMAT = 2;

/** Tables that came with format 2, or were made anew for it. */
export const TABLES_OF_2 = `
CREATE TABLE document_meta (document INTEGER NOT NULL, field TEXT NOT NULL, kind TEXT NOT NULL, text TEXT, number REAL);
CREATE INDEX meta_of_document ON document_meta (document);
CREATE INDEX meta_texts ON document_meta (field, text, kind, document);
CREATE INDEX meta_numbers ON document_meta (field, number, kind, document) WHERE number IS NOT NULL;
CREATE TABLE chunks (
	id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents (id), position INTEGER NOT NULL,
	text TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, title_path TEXT NOT NULL, page INTEGER
);
CREATE INDEX chunks_of_document ON chunks (document, position);
CREATE INDEX documents_of_scope ON documents (scope);
CREATE TABLE rows (chunk INTEGER PRIMARY KEY, document INTEGER NOT NULL, length INTEGER NOT NULL, scale REAL, bytes BLOB);
CREATE TABLE terms (chunk INTEGER PRIMARY KEY, tokens BLOB NOT NULL);
CREATE TABLE removed (change INTEGER NOT NULL, chunk INTEGER NOT NULL);
CREATE INDEX removed_by_change ON removed (change);
`;

const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE documents (
	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, scope TEXT, title TEXT, source TEXT, meta TEXT NOT NULL, language TEXT,
	hash TEXT NOT NULL, characters INTEGER NOT NULL, changed_at TEXT NOT NULL
);
CREATE TABLE document_acl (token TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (token, document)) WITHOUT ROWID;
CREATE INDEX acl_of_document ON document_acl (document);
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
	body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '=#.,/-_'"
);
CREATE VIRTUAL TABLE word_counts USING fts5vocab (words, col);
${TABLES_OF_2}`;

/** Reads one value of the meta table; null when it is absent. */
export function readMeta(database: Database, name: string): string | null {
	const value = database.get('SELECT value FROM meta WHERE name = ?', name)?.value;
	return typeof value === 'string' ? value : null;
}

/** Sets one value of the meta table. */
export function writeMeta(database: Database, name: string, value: string | null): void {
	database.run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value);
}

/** Makes the tables of a new file; does nothing when another process has made them. Call inside a transaction. */
export function createTables(database: Database, theme: string, createdBy: string, now: Date): void {
	if (hasTables(database)) return;
	database.exec(TABLES);
	const facts = { theme, created_by: createdBy, created_at: now.toISOString(), format: `${FORMAT}`, changes: '0', removed_from: '0' };
	for (const [name, value] of Object.entries(facts)) writeMeta(database, name, value);
	writeMeta(database, 'analyser', `${ANALYSER_VERSION}`);
}

/** True when the file holds a knowledge base of any format. */
export function hasTables(database: Database): boolean {
	return database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'") !== undefined;
}

/** What a knowledge base was built with. */
export function readManifest(database: Database): ThemeManifest {
	const dimension = readMeta(database, 'dimension');
	return {
		theme: readMeta(database, 'theme') ?? '',
		format: Number(readMeta(database, 'format')),
		analyserVersion: Number(readMeta(database, 'analyser')),
		embedderId: readMeta(database, 'embedder'),
		dimension: dimension === null ? null : Number(dimension),
		createdAt: readMeta(database, 'created_at') ?? '',
		createdBy: readMeta(database, 'created_by') ?? '',
		protected: isProtected(database),
	};
}

function requireFormat(manifest: ThemeManifest, format = FORMAT): void {
	if (manifest.format > format) {
		throw new CodedError(
			'BAD_INPUT',
			`The knowledge base "${manifest.theme}" has format ${manifest.format}; this version reads up to ${format}`,
			{ remedy: 'Update the package on this n8n (every main instance and worker), or use another knowledge base.' },
		);
	}
	if (manifest.format < format) {
		throw new CodedError('BAD_INPUT', `The knowledge base "${manifest.theme}" was made by an early version (format ${manifest.format})`, {
			remedy: 'Delete the knowledge base with RAG Index and add its documents again.',
		});
	}
}

/** Throws BAD_INPUT when this version of the package cannot use the knowledge base as it is. */
export function requireUsable(manifest: ThemeManifest, format = FORMAT): void {
	requireFormat(manifest, format);
	if (manifest.analyserVersion !== ANALYSER_VERSION) {
		throw new CodedError(
			'BAD_INPUT',
			`The knowledge base "${manifest.theme}" was built with text analysis ${manifest.analyserVersion}; this version has ${ANALYSER_VERSION}`,
			{ remedy: 'Delete the knowledge base with RAG Index and add its documents again.' },
		);
	}
}

/** Fixes the embedder with the first document; throws the named error when a later write brings another one. */
export function bindEmbedder(database: Database, given: EmbedderIdentity | null): void {
	const manifest = readManifest(database);
	if (manifest.embedderId === (given?.id ?? null) && manifest.dimension === (given?.dimension ?? null)) return;
	if (database.get('SELECT 1 FROM documents LIMIT 1') !== undefined) throw embedderMismatch(manifest, given);
	writeMeta(database, 'embedder', given?.id ?? null);
	writeMeta(database, 'dimension', given === null ? null : `${given.dimension}`);
}

/** Removed passages are listed for the caches of other processes; older ones are dropped, and such caches then read anew. */
const MOST_REMOVED = 20_000;

/**
 * Begins a change: caches of this and other processes notice it after the commit. Call first in the transaction.
 *
 * @returns the number of the change
 */
export function beginChange(database: Database, now: Date): number {
	database.run("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'changes'");
	writeMeta(database, 'changed_at', now.toISOString());
	const change = Number(readMeta(database, 'changes'));
	if (change % 1000 === 0) forgetRemoved(database);
	return change;
}

function forgetRemoved(database: Database): void {
	const border = database.get('SELECT change FROM removed ORDER BY change DESC LIMIT 1 OFFSET ?', MOST_REMOVED)?.change;
	if (border === undefined) return;
	database.run('DELETE FROM removed WHERE change <= ?', Number(border));
	writeMeta(database, 'removed_from', String(border));
}

/** True as soon as one document has had access tokens: taking them away again must not open the knowledge base. */
export function isProtected(database: Database): boolean {
	return readMeta(database, 'protected') === '1';
}
