/** Rebuilding a Postgres store: as `sqlite-rebuild.ts`. */
import type { PostgresSession } from '../storage/postgres';
import { passageOf } from './passage-of';
import { POSTGRES_PASSAGE } from './postgres-documents';
import { makeVectorColumn, writeValue } from './postgres-schema';
import { vectorText } from './postgres-search';
import type { EmbedderIdentity, Passage, PassageVector } from './store';

const STAGED = 'CREATE TABLE IF NOT EXISTS staged (chunk bigint PRIMARY KEY, embedder text NOT NULL, vector text NOT NULL)';
const MISSING = 'NOT EXISTS (SELECT 1 FROM staged s WHERE s.chunk = c.id AND s.embedder = ?)';

/** Passages for which no vector of the encoder is kept aside yet, at most `limit`. */
export async function passagesToEmbedInPostgres(session: PostgresSession, embedderId: string, limit: number): Promise<Passage[]> {
	await session.query(STAGED);
	return (await session.query(`${POSTGRES_PASSAGE}${MISSING} ORDER BY c.id LIMIT ?`, [embedderId, limit])).map(passageOf);
}

/** Keeps vectors aside; those of passages that are gone are dropped. Call inside a transaction. */
export async function stageInPostgres(session: PostgresSession, embedder: EmbedderIdentity, vectors: readonly PassageVector[]): Promise<void> {
	await session.query(STAGED);
	const sql =
		'INSERT INTO staged SELECT id, ?, ? FROM chunks WHERE id = ? ON CONFLICT (chunk) DO UPDATE SET embedder = excluded.embedder, vector = excluded.vector';
	for (const { ref, vector } of vectors) await session.query(sql, [embedder.id, vectorText(vector), ref]);
}

/** Puts the vectors that were kept aside in the place of the old ones; false when passages came that have none. Call inside a transaction. */
export async function adoptInPostgres(session: PostgresSession, embedder: EmbedderIdentity): Promise<boolean> {
	await session.query(STAGED);
	if ((await session.query(`SELECT 1 FROM chunks c WHERE ${MISSING} LIMIT 1`, [embedder.id])).length > 0) return false;
	await makeVectorColumn(session, embedder.dimension, 'UPDATE chunks SET vector = s.vector::vector FROM staged s WHERE s.chunk = chunks.id');
	await writeValue(session, 'embedder', embedder.id);
	await writeValue(session, 'dimension', `${embedder.dimension}`);
	await session.query('DROP TABLE staged');
	return true;
}
