import type { Meta } from '../core/document';
import type { Database, SqlRow } from '../storage/sqlite';
import { storedToken } from './lexical-search';
import type { IndexedChunk, IndexedDocument, Passage } from './store';
import { bytesOf } from './theme-rows';

function insertChunk(database: Database, document: number, position: number, chunk: IndexedChunk): void {
	const id = database.run(
		'INSERT INTO chunks (document, position, text, start, "end", title_path, length) VALUES (?, ?, ?, ?, ?, ?, ?)',
		...[document, position, chunk.text, chunk.start, chunk.end, JSON.stringify(chunk.titlePath), chunk.tokens.length],
	).lastRowId;
	database.run('INSERT INTO words (rowid, body) VALUES (?, ?)', id, chunk.tokens.map(storedToken).join(' '));
	if (chunk.vector) database.run('INSERT INTO vectors VALUES (?, ?)', id, bytesOf(chunk.vector));
}

/** Writes a document with its passages, words, vectors and access tokens. Call inside a transaction, after `removeDocument`. */
export function insertDocument(database: Database, indexed: IndexedDocument, changedAt: string): void {
	const { document, hash, language, acl = [] } = indexed;
	const id = database.run(
		'INSERT INTO documents (key, title, source, meta, language, hash, characters, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
		...[document.id, document.title ?? null, document.source ?? null, JSON.stringify(document.meta ?? {})],
		...[language ?? null, hash, document.text.length, changedAt],
	).lastRowId;
	for (const token of new Set(acl)) database.run('INSERT INTO document_acl VALUES (?, ?)', token, id);
	indexed.chunks.forEach((chunk, position) => insertChunk(database, id, position, chunk));
}

/** Removes a document from every table; false when it is not there. Call inside a transaction. */
export function removeDocument(database: Database, key: string): boolean {
	const row = database.get('SELECT id FROM documents WHERE key = ?', key);
	if (!row) return false;
	const document = Number(row.id);
	for (const chunk of database.all('SELECT id FROM chunks WHERE document = ?', document)) {
		database.run('DELETE FROM words WHERE rowid = ?', Number(chunk.id));
		database.run('DELETE FROM vectors WHERE chunk = ?', Number(chunk.id));
	}
	database.run('DELETE FROM chunks WHERE document = ?', document);
	database.run('DELETE FROM document_acl WHERE document = ?', document);
	database.run('DELETE FROM documents WHERE id = ?', document);
	return true;
}

/** A passage with the fields of its document; undefined when it is gone. */
export function readPassage(database: Database, chunk: number): Passage | undefined {
	const row = database.get(
		'SELECT d.key, d.title, d.source, d.meta, c.position, c.text, c.start, c."end", c.title_path FROM chunks c ' +
			'JOIN documents d ON d.id = c.document WHERE c.id = ?',
		chunk,
	);
	return row && passageOf(chunk, row);
}

function passageOf(ref: number, row: SqlRow): Passage {
	return {
		ref,
		id: `${String(row.key)}#${Number(row.position)}`,
		documentId: String(row.key),
		text: String(row.text),
		start: Number(row.start),
		end: Number(row.end),
		titlePath: JSON.parse(String(row.title_path)) as string[],
		...(row.title !== null && { title: String(row.title) }),
		...(row.source !== null && { source: String(row.source) }),
		meta: JSON.parse(String(row.meta)) as Meta,
	};
}
