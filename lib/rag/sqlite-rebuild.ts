/**
 * Rebuilding an embedded store: vectors of another encoder are kept aside until all passages have one, then take the place of the
 * old ones in one transaction. Until then searches use the old ones; a run that was cut off goes on where it stopped.
 */
import type { Database } from '../storage/sqlite';
import { bytesOf, vectorOf } from './dense-search';
import { passageOf } from './passage-of';
import { quantise } from './quantise';
import { PASSAGE_COLUMNS } from './sqlite-documents';
import { beginChange, writeMeta } from './sqlite-schema';
import type { EmbedderIdentity, Passage, PassageVector } from './store';

const STAGED = 'CREATE TABLE IF NOT EXISTS staged (chunk INTEGER PRIMARY KEY, embedder TEXT NOT NULL, vector BLOB NOT NULL)';
const MISSING = 'NOT EXISTS (SELECT 1 FROM staged s WHERE s.chunk = c.id AND s.embedder = ?)';

/** Passages for which no vector of the encoder is kept aside yet, at most `limit`. */
export function passagesToEmbed(database: Database, embedderId: string, limit: number): Passage[] {
	database.exec(STAGED);
	return database.all(`${PASSAGE_COLUMNS}${MISSING} ORDER BY c.id LIMIT ?`, embedderId, limit).map(passageOf);
}

/** Keeps vectors aside; those of passages that are gone are dropped. Call inside a transaction. */
export function stageVectors(database: Database, embedder: EmbedderIdentity, vectors: readonly PassageVector[]): void {
	database.exec(STAGED);
	const sql = 'INSERT INTO staged SELECT id, ?, ? FROM chunks WHERE id = ? ON CONFLICT (chunk) DO UPDATE SET embedder = excluded.embedder, vector = excluded.vector';
	for (const { ref, vector } of vectors) database.run(sql, embedder.id, bytesOf(vector), ref);
}

/**
 * Puts the vectors that were kept aside in the place of the old ones. Call inside a transaction.
 *
 * @returns false, and changes nothing, when passages came meanwhile that have none
 */
export function adoptVectors(database: Database, embedder: EmbedderIdentity, now: Date): boolean {
	database.exec(STAGED);
	if (database.get(`SELECT 1 FROM chunks c WHERE ${MISSING} LIMIT 1`, embedder.id)) return false;
	const change = beginChange(database, now);
	database.run('DELETE FROM vectors');
	for (const { chunk } of database.all('SELECT chunk FROM staged WHERE chunk IN (SELECT id FROM chunks)')) adoptOne(database, Number(chunk));
	writeMeta(database, 'embedder', embedder.id);
	writeMeta(database, 'dimension', `${embedder.dimension}`);
	// Caches that know an older change read everything anew.
	writeMeta(database, 'removed_from', `${change}`);
	database.exec('DROP TABLE staged');
	return true;
}

function adoptOne(database: Database, chunk: number): void {
	const bytes = database.get('SELECT vector FROM staged WHERE chunk = ?', chunk)?.vector as Uint8Array;
	const { values, scale } = quantise(vectorOf(bytes));
	database.run('INSERT INTO vectors VALUES (?, ?)', chunk, bytes);
	database.run('UPDATE rows SET scale = ?, bytes = ? WHERE chunk = ?', scale, new Uint8Array(values.buffer), chunk);
}
