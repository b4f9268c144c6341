import type { Meta } from '../core/document';
import type { Database, SqlRow, SqlValue } from '../storage/sqlite';
import type { Language } from '../text/language';
import { bytesOf, vectorOf } from './dense-search';
import { filterQuery, metaRows } from './filter-sql';
import { storedToken } from './lexical-search';
import { passageOf } from './passage-of';
import { quantise } from './quantise';
import { writeMeta } from './sqlite-schema';
import type { DocumentChange, DocumentChoice, IndexedChunk, IndexedDocument, Passage, StoredDocument, WholeDocument } from './store';
import { packTokens } from './token-hashes';

function insertChunk(database: Database, document: number, position: number, chunk: IndexedChunk): void {
	const id = database.run(
		'INSERT INTO chunks (document, position, text, start, "end", title_path, page) VALUES (?, ?, ?, ?, ?, ?, ?)',
		...[document, position, chunk.text, chunk.start, chunk.end, JSON.stringify(chunk.titlePath), chunk.page ?? null],
	).lastRowId;
	const { values, scale } = quantise(chunk.vector ?? new Float32Array(0));
	const bytes = chunk.vector ? new Uint8Array(values.buffer) : null;
	database.run('INSERT INTO words (rowid, body) VALUES (?, ?)', id, chunk.tokens.map(storedToken).join(' '));
	database.run('INSERT INTO rows VALUES (?, ?, ?, ?, ?)', ...[id, document, chunk.tokens.length, scale, bytes]);
	database.run('INSERT INTO terms VALUES (?, ?)', id, packTokens(chunk.tokens));
	if (chunk.vector) database.run('INSERT INTO vectors VALUES (?, ?)', id, bytesOf(chunk.vector));
}

function writeRights(database: Database, document: number, acl: readonly string[]): void {
	database.run('DELETE FROM document_acl WHERE document = ?', document);
	for (const token of new Set(acl)) database.run('INSERT INTO document_acl VALUES (?, ?)', token, document);
}

/** The metadata of a document as rows that filters read, in place of the older ones. */
export function writeMetadata(database: Database, document: number, meta: Meta): void {
	database.run('DELETE FROM document_meta WHERE document = ?', document);
	for (const { field, kind, text, number } of metaRows(meta)) {
		database.run('INSERT INTO document_meta VALUES (?, ?, ?, ?, ?)', ...[document, field, kind, text, number]);
	}
}

/** Writes a document with all that belongs to it. Call inside a transaction, after `removeDocument`. */
export function insertDocument(database: Database, indexed: IndexedDocument, acl: readonly string[], changedAt: string): void {
	const { document, hash, language, scope } = indexed;
	const id = database.run(
		'INSERT INTO documents (key, scope, title, source, meta, language, hash, characters, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
		...[document.id, scope ?? null, document.title ?? null, document.source ?? null, JSON.stringify(document.meta ?? {})],
		...[language ?? null, hash, indexed.characters ?? document.text.length, changedAt],
	).lastRowId;
	writeRights(database, id, acl);
	if (indexed.acl !== undefined) writeMeta(database, 'protected', '1');
	writeMetadata(database, id, document.meta ?? {});
	indexed.chunks.forEach((chunk, position) => insertChunk(database, id, position, chunk));
}

/** Changes the given fields of a document; false when it is not there. Call inside a transaction. */
export function changeDocument(database: Database, change: DocumentChange, changedAt: string): boolean {
	const row = database.get('SELECT id FROM documents WHERE key = ?', change.id);
	if (!row) return false;
	const id = Number(row.id);
	const { source, meta, acl, scope } = change;
	const set = (column: string, value: SqlValue): unknown => database.run(`UPDATE documents SET ${column} = ? WHERE id = ?`, value, id);
	if (source !== undefined) set('source', source);
	if (scope !== undefined) set('scope', scope);
	if (meta !== undefined) {
		set('meta', JSON.stringify(meta));
		writeMetadata(database, id, meta);
	}
	if (acl !== undefined) {
		writeRights(database, id, acl);
		writeMeta(database, 'protected', '1');
	}
	set('changed_at', changedAt);
	return true;
}

/**
 * Removes a document from every table. Call inside a transaction.
 *
 * @param change  number of this change (`beginChange`)
 * @returns       the access tokens it had; undefined when it is not there
 */
export function removeDocument(database: Database, key: string, change: number): string[] | undefined {
	const row = database.get('SELECT id FROM documents WHERE key = ?', key);
	if (!row) return undefined;
	const document = Number(row.id);
	const acl = aclOf(database, document);
	for (const { id } of database.all('SELECT id FROM chunks WHERE document = ?', document)) {
		const chunk = Number(id);
		database.run('DELETE FROM words WHERE rowid = ?', chunk);
		for (const table of ['rows', 'terms', 'vectors']) database.run(`DELETE FROM ${table} WHERE chunk = ?`, chunk);
		database.run('INSERT INTO removed VALUES (?, ?)', change, chunk);
	}
	for (const table of ['chunks', 'document_acl', 'document_meta']) database.run(`DELETE FROM ${table} WHERE document = ?`, document);
	database.run('DELETE FROM documents WHERE id = ?', document);
	return acl;
}

function aclOf(database: Database, document: number): string[] {
	return database.all('SELECT token FROM document_acl WHERE document = ? ORDER BY token', document).map((row) => String(row.token));
}

const STORED =
	'SELECT id, key, hash, title, source, meta, scope, changed_at, (SELECT count(*) FROM chunks WHERE document = documents.id) AS chunks FROM documents';

/** The documents that are chosen, in the order of their ids. */
export function readDocuments(database: Database, choice: DocumentChoice): StoredDocument[] {
	const stored = (row: SqlRow): StoredDocument => ({
		id: String(row.key),
		hash: String(row.hash),
		...(row.title !== null && { title: String(row.title) }),
		...(row.source !== null && { source: String(row.source) }),
		meta: JSON.parse(String(row.meta)) as Meta,
		acl: aclOf(database, Number(row.id)),
		...(row.scope !== null && { scope: String(row.scope) }),
		chunks: Number(row.chunks),
		changedAt: String(row.changed_at),
	});
	if ('ids' in choice) {
		const sql = `${STORED} WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key`;
		return database.all(sql, JSON.stringify(choice.ids)).map(stored);
	}
	const query = choice.filter && filterQuery(choice.filter, { placeOf: 'instr' });
	const conditions = [...(choice.scope === undefined ? [] : ['scope = ?']), ...(query ? [`id IN (${query.sql})`] : [])];
	const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
	const values = [...(choice.scope === undefined ? [] : [choice.scope]), ...(query?.values ?? [])];
	return database.all(`${STORED}${where} ORDER BY key`, ...values).map(stored);
}

/** A query for passages, to be ended with a condition on `c` and `d`. */
export const PASSAGE_COLUMNS =
	'SELECT c.id, d.key, d.title, d.source, d.meta, c.position, c.text, c.start, c."end", c.title_path, c.page FROM chunks c ' +
	'JOIN documents d ON d.id = c.document WHERE ';

/** A passage with the fields of its document; undefined when it is gone. */
export function readPassage(database: Database, chunk: number): Passage | undefined {
	const row = database.get(`${PASSAGE_COLUMNS}c.id = ?`, chunk);
	return row && passageOf(row);
}

/** The passages of a document at `from..to`, in order. */
export function readNeighbours(database: Database, key: string, from: number, to: number): Passage[] {
	const sql = `${PASSAGE_COLUMNS}d.key = ? AND c.position BETWEEN ? AND ? ORDER BY c.position`;
	return database.all(sql, key, from, to).map(passageOf);
}

/** Everything of a document; undefined when it is not there. Call inside a snapshot. */
export function readWhole(database: Database, key: string): WholeDocument | undefined {
	const [stored] = readDocuments(database, { ids: [key] });
	const row = database.get('SELECT language, characters FROM documents WHERE key = ?', key);
	if (!stored || !row) return undefined;
	const chunks = readNeighbours(database, key, 0, Number.MAX_SAFE_INTEGER).map(({ ref, text, start, end, titlePath, page }) => {
		const bytes = database.get('SELECT vector FROM vectors WHERE chunk = ?', ref)?.vector;
		return { text, start, end, titlePath, ...(page !== undefined && { page }), ...(bytes instanceof Uint8Array && { vector: vectorOf(bytes) }) };
	});
	return { stored, ...(row.language !== null && { language: row.language as Language }), characters: Number(row.characters), chunks };
}
