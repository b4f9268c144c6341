import type { Meta } from '../core/document';
import type { PostgresSession, PostgresValue } from '../storage/postgres';
import type { Language } from '../text/language';
import { filterQuery, metaRows } from './filter-sql';
import { passageOf } from './passage-of';
import { writeValue } from './postgres-schema';
import { vectorText } from './postgres-search';
import type { DocumentChange, DocumentChoice, IndexedChunk, IndexedDocument, Passage, StoredDocument, WholeDocument } from './store';

async function insertChunk(session: PostgresSession, document: number, position: number, chunk: IndexedChunk): Promise<void> {
	const { text, start, end, titlePath, page, tokens, vector } = chunk;
	const columns = `document, position, text, start, "end", title_path, page, length${vector ? ', vector' : ''}`;
	const [row] = await session.query(
		`INSERT INTO chunks (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?${vector ? ', ?::vector' : ''}) RETURNING id`,
		[document, position, text, start, end, JSON.stringify(titlePath), page ?? null, tokens.length, ...(vector ? [vectorText(vector)] : [])],
	);
	await insertPostings(session, Number(row?.id), tokens);
}

/** Writes the words of a passage that has none yet. */
export async function insertPostings(session: PostgresSession, chunk: number, tokens: readonly string[]): Promise<void> {
	const counts = new Map<string, number>();
	for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
	const sql = 'INSERT INTO postings SELECT term, ?::bigint, count FROM unnest(?::text[], ?::int[]) AS t (term, count)';
	await session.query(sql, [chunk, [...counts.keys()], [...counts.values()]]);
}

async function writeRights(session: PostgresSession, document: number, acl: readonly string[]): Promise<void> {
	await session.query('DELETE FROM document_acl WHERE document = ?', [document]);
	if (acl.length === 0) return;
	await session.query('INSERT INTO document_acl SELECT token, ?::bigint FROM unnest(?::text[]) AS t (token)', [document, [...new Set(acl)]]);
}

async function writeMetadata(session: PostgresSession, document: number, meta: Meta): Promise<void> {
	await session.query('DELETE FROM document_meta WHERE document = ?', [document]);
	for (const { field, kind, text, number } of metaRows(meta)) {
		await session.query('INSERT INTO document_meta VALUES (?, ?, ?, ?, ?)', [document, field, kind, text, number]);
	}
}

/** Writes a document with all that belongs to it. Call inside a transaction, after `removeFromPostgres`. */
export async function insertIntoPostgres(
	session: PostgresSession,
	indexed: IndexedDocument,
	acl: readonly string[],
	changedAt: string,
): Promise<void> {
	const { document, hash, language, scope } = indexed;
	const values = [
		...[document.id, scope ?? null, document.title ?? null, document.source ?? null, JSON.stringify(document.meta ?? {})],
		...[language ?? null, hash, indexed.characters ?? document.text.length, changedAt],
	];
	const [row] = await session.query(
		'INSERT INTO documents (key, scope, title, source, meta, language, hash, characters, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
		values,
	);
	const id = Number(row?.id);
	await writeRights(session, id, acl);
	if (indexed.acl !== undefined) await writeValue(session, 'protected', '1');
	await writeMetadata(session, id, document.meta ?? {});
	for (const [position, chunk] of indexed.chunks.entries()) await insertChunk(session, id, position, chunk);
}

/** Changes the given fields of a document; false when it is not there. Call inside a transaction. */
export async function changeInPostgres(session: PostgresSession, change: DocumentChange, changedAt: string): Promise<boolean> {
	const [row] = await session.query('SELECT id FROM documents WHERE key = ?', [change.id]);
	if (!row) return false;
	const id = Number(row.id);
	const { source, meta, acl, scope } = change;
	const set = async (column: string, value: PostgresValue) => await session.query(`UPDATE documents SET ${column} = ? WHERE id = ?`, [value, id]);
	if (source !== undefined) await set('source', source);
	if (scope !== undefined) await set('scope', scope);
	if (meta !== undefined) {
		await set('meta', JSON.stringify(meta));
		await writeMetadata(session, id, meta);
	}
	if (acl !== undefined) {
		await writeRights(session, id, acl);
		await writeValue(session, 'protected', '1');
	}
	await set('changed_at', changedAt);
	return true;
}

/** Removes a document from every table; gives the access tokens it had, undefined when it is not there. Call inside a transaction. */
export async function removeFromPostgres(session: PostgresSession, key: string): Promise<string[] | undefined> {
	const [row] = await session.query('SELECT id FROM documents WHERE key = ?', [key]);
	if (!row) return undefined;
	const id = Number(row.id);
	const acl = await session.query('SELECT token FROM document_acl WHERE document = ?', [id]);
	await session.query('DELETE FROM postings WHERE chunk IN (SELECT id FROM chunks WHERE document = ?)', [id]);
	for (const table of ['chunks', 'document_acl', 'document_meta']) await session.query(`DELETE FROM ${table} WHERE document = ?`, [id]);
	await session.query('DELETE FROM documents WHERE id = ?', [id]);
	return acl.map(({ token }) => String(token));
}

/** The documents that are chosen, in the order of their ids. */
export async function readFromPostgres(session: PostgresSession, choice: DocumentChoice): Promise<StoredDocument[]> {
	const conditions: string[] = [];
	const values: PostgresValue[] = [];
	const add = (condition: string, given: readonly PostgresValue[]): void => {
		conditions.push(condition);
		values.push(...given);
	};
	if ('ids' in choice) add('key = ANY(?)', [choice.ids]);
	else {
		if (choice.scope !== undefined) add('scope = ?', [choice.scope]);
		const query = choice.filter && filterQuery(choice.filter, { placeOf: 'strpos' });
		if (query) add(`id IN (${query.sql})`, query.values as readonly PostgresValue[]);
	}
	const rows = await session.query(
		'SELECT key, hash, title, source, meta, scope, changed_at, (SELECT count(*) FROM chunks WHERE document = documents.id) AS chunks, ' +
			'ARRAY(SELECT token FROM document_acl WHERE document = documents.id) AS acl FROM documents ' +
			`${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : ''}ORDER BY key`,
		values,
	);
	return rows.map((row) => ({
		id: String(row.key),
		hash: String(row.hash),
		...(row.title !== null && { title: String(row.title) }),
		...(row.source !== null && { source: String(row.source) }),
		meta: JSON.parse(String(row.meta)) as Meta,
		acl: [...(row.acl as unknown as string[])].sort(),
		...(row.scope !== null && { scope: String(row.scope) }),
		chunks: Number(row.chunks),
		changedAt: String(row.changed_at),
	}));
}

/** A query for passages, to be ended with a condition on `c` and `d`. */
export const POSTGRES_PASSAGE =
	'SELECT c.id, d.key, d.title, d.source, d.meta, c.position, c.text, c.start, c."end", c.title_path, c.page FROM chunks c ' +
	'JOIN documents d ON d.id = c.document WHERE ';

/** Passages by their numbers, in no particular order. */
export async function readPostgresPassages(session: PostgresSession, refs: readonly number[]): Promise<Passage[]> {
	return (await session.query(`${POSTGRES_PASSAGE}c.id = ANY(?::bigint[])`, [refs])).map(passageOf);
}

/** The passages of a document at `from..to`, in order. */
export async function readPostgresNeighbours(session: PostgresSession, key: string, from: number, to: number): Promise<Passage[]> {
	return (await session.query(`${POSTGRES_PASSAGE}d.key = ? AND c.position BETWEEN ? AND ? ORDER BY c.position`, [key, from, to])).map(passageOf);
}

/** Everything of a document; undefined when it is not there. Call inside a transaction. */
export async function readWholeFromPostgres(session: PostgresSession, key: string, hasVectors: boolean): Promise<WholeDocument | undefined> {
	const [stored] = await readFromPostgres(session, { ids: [key] });
	const [row] = await session.query('SELECT id, language, characters FROM documents WHERE key = ?', [key]);
	if (!stored || !row) return undefined;
	const found = hasVectors ? await session.query('SELECT id, vector::text AS vector FROM chunks WHERE document = ?', [Number(row.id)]) : [];
	const vectors = new Map(found.map(({ id, vector }) => [Number(id), Float32Array.from(JSON.parse(String(vector)) as number[])]));
	const chunks = (await readPostgresNeighbours(session, key, 0, 2 ** 31 - 1)).map(({ ref, text, start, end, titlePath, page }) => {
		const vector = vectors.get(ref);
		return { text, start, end, titlePath, ...(page !== undefined && { page }), ...(vector && { vector }) };
	});
	return { stored, ...(row.language !== null && { language: row.language as Language }), characters: Number(row.characters), chunks };
}
