import type { PostgresSession, PostgresValue } from '../storage/postgres';
import type { SqlRow } from '../storage/sqlite';
import { tokenWeight } from '../text/analyse';
import { inverseDocumentFrequency } from '../text/bm25';
import { embedderMismatch } from './embedder-mismatch';
import { filterQuery } from './filter-sql';
import { IN_CONTEXT, type WordMatch } from './lexical-search';
import type { Candidate, SearchRequest, SearchResult, ThemeManifest } from './store';

/** So few passages are compared one by one: exact, and faster than an index that meets forbidden ones first. */
const FEW = 20_000;
/** BM25 with k1 1.2 and b 0.75, as `createBm25`. */
const GAIN = 'w.weight * p.count * 2.2 / (p.count + 1.2 * (0.25 + 0.75 * c.length / ?))';

/** Passages looked at for the lowest cosine. */
const SAMPLE = 500;

interface Part {
	readonly sql: string;
	readonly values: readonly PostgresValue[];
}

/** The text of a vector as pgvector reads it. */
export function vectorText(vector: Float32Array): string {
	return `[${vector.join(',')}]`;
}

/** A condition on `c.document` for what the asker may see and what fits the filter; undefined for all. */
function allowedPart(manifest: ThemeManifest, { acl, filter }: Pick<SearchRequest, 'acl' | 'filter'>): Part | undefined {
	const parts: Part[] = [];
	if (manifest.protected && acl !== 'all') parts.push({ sql: 'SELECT document FROM document_acl WHERE token = ANY(?)', values: [acl ?? []] });
	if (filter) {
		const { sql, values } = filterQuery(filter, { placeOf: 'strpos' });
		parts.push({ sql, values: values as readonly PostgresValue[] });
	}
	if (parts.length === 0) return undefined;
	const sql = parts.map((part) => `SELECT document FROM (${part.sql}) AS choice`).join(' INTERSECT ');
	return { sql: `c.document IN (${sql})`, values: parts.flatMap((part) => part.values) };
}

interface Scored {
	readonly scores: ReadonlyMap<number, WordMatch>;
	readonly ceiling: number;
}

interface Words {
	readonly terms: readonly string[];
	readonly weights: readonly number[];
	readonly ceiling: number;
	readonly meanLength: number;
}

/** Words are weighed among the passages that the asker may see: see `word-scope.ts`. @param seen  what he may see; undefined for all */
async function wordsOf(session: PostgresSession, tokens: readonly string[], seen: Part | undefined): Promise<Words> {
	const terms = [...new Set(tokens)];
	const [facts] = await session.query(`SELECT count(*) AS n, avg(c.length) AS mean FROM chunks c${seen ? ` WHERE ${seen.sql}` : ''}`, seen?.values);
	const counted = seen ? `postings p JOIN chunks c ON c.id = p.chunk WHERE ${seen.sql} AND` : 'postings p WHERE';
	const found = await session.query(`SELECT p.term, count(*) AS n FROM ${counted} p.term = ANY(?) GROUP BY p.term`, [...(seen?.values ?? []), terms]);
	const frequencies = new Map(found.map((row) => [String(row.term), Number(row.n)]));
	const weights = terms.map((term) => tokenWeight(term) * inverseDocumentFrequency(Number(facts?.n), frequencies.get(term) ?? 0));
	return { terms, weights, ceiling: weights.reduce((sum, weight) => sum + weight, 0), meanLength: Number(facts?.mean) || 1 };
}

async function byWords(session: PostgresSession, words: Words, where: Part | undefined, limit: number): Promise<Scored> {
	const sql =
		`SELECT p.chunk, sum(${GAIN}) AS score, array_agg(p.term) AS tokens FROM unnest(?::text[], ?::float8[]) AS w (term, weight) ` +
		`JOIN postings p ON p.term = w.term JOIN chunks c ON c.id = p.chunk ${where ? `WHERE ${where.sql} ` : ''}` +
		'GROUP BY p.chunk ORDER BY score DESC, p.chunk LIMIT ?';
	const rows = await session.query(sql, [words.meanLength, words.terms, words.weights, ...(where?.values ?? []), limit]);
	const match = (row: SqlRow): WordMatch => ({ score: Number(row.score), tokens: row.tokens as unknown as string[] });
	return { scores: new Map(rows.map((row) => [Number(row.chunk), match(row)])), ceiling: words.ceiling };
}

/** BM25 of some passages within the text that they stand in: each with those before and after it in its document, as one. */
async function withinDocuments(session: PostgresSession, words: Words, ids: readonly number[]): Promise<Map<number, number>> {
	const sql =
		'WITH around AS (SELECT o.id, n.id AS near, n.length FROM chunks o JOIN chunks n ON n.document = o.document ' +
		'AND n.position BETWEEN o.position - 1 AND o.position + 1 WHERE o.id = ANY(?::bigint[])), ' +
		'lengths AS (SELECT id, sum(length) AS length FROM around GROUP BY id), ' +
		'counts AS (SELECT a.id, p.term, sum(p.count) AS count FROM around a JOIN postings p ON p.chunk = a.near WHERE p.term = ANY(?) GROUP BY a.id, p.term) ' +
		`SELECT c.id, sum(${GAIN}) AS score FROM counts p JOIN lengths c ON c.id = p.id ` +
		'JOIN unnest(?::text[], ?::float8[]) AS w (term, weight) ON w.term = p.term GROUP BY c.id';
	const rows = await session.query(sql, [ids, words.terms, words.meanLength, words.terms, words.weights]);
	return new Map(rows.map((row) => [Number(row.id), Number(row.score)]));
}

async function nearest(session: PostgresSession, query: string, where: Part | undefined, limit: number): Promise<Map<number, number>> {
	const condition = where ? `WHERE ${where.sql}` : '';
	const [count] = where ? await session.query(`SELECT count(*) AS n FROM chunks c ${condition}`, where.values) : [];
	const isFew = count !== undefined && Number(count.n) <= FEW;
	await session.query(`SET LOCAL hnsw.iterative_scan = strict_order`);
	await session.query(`SET LOCAL hnsw.ef_search = ${Math.min(1000, 2 * limit)}`);
	if (isFew) await session.query('SET LOCAL enable_indexscan = off');
	const sql = `SELECT c.id, 1 - (c.vector <=> ?::vector) AS score FROM chunks c ${condition} ORDER BY c.vector <=> ?::vector LIMIT ?`;
	const rows = await session.query(sql, [query, ...(where?.values ?? []), query, limit]);
	if (isFew) await session.query('SET LOCAL enable_indexscan = on');
	return new Map(rows.map((row) => [Number(row.id), Number(row.score)]));
}

async function cosinesOf(session: PostgresSession, query: string, ids: readonly number[]): Promise<Map<number, number>> {
	const rows = await session.query('SELECT id, 1 - (vector <=> ?::vector) AS score FROM chunks WHERE id = ANY(?::bigint[])', [query, ids]);
	return new Map(rows.map((row) => [Number(row.id), Number(row.score)]));
}

/** Among the first passages that are allowed: reading all would take too long here. */
async function lowestOf(session: PostgresSession, query: string, where: Part | undefined): Promise<number | undefined> {
	const sample = `SELECT c.vector FROM chunks c ${where ? `WHERE ${where.sql} ` : ''}LIMIT ?`;
	const sql = `SELECT min(1 - (vector <=> ?::vector)) AS lowest FROM (${sample}) AS sample`;
	const [row] = await session.query(sql, [query, ...(where?.values ?? []), SAMPLE]);
	return row?.lowest === null || row?.lowest === undefined ? undefined : Number(row.lowest);
}

/** Searches the Postgres store; see `ThemeStore.search`. Call inside a transaction. */
export async function searchPostgres(session: PostgresSession, manifest: ThemeManifest, request: SearchRequest): Promise<SearchResult> {
	const { vector, candidates: wanted } = request;
	const { dimension } = manifest;
	if (vector && dimension !== null && vector.length !== dimension) {
		throw embedderMismatch(manifest, { id: manifest.embedderId ?? '', dimension: vector.length });
	}
	const where = allowedPart(manifest, request);
	const words = await wordsOf(session, request.tokens, allowedPart(manifest, { acl: request.acl ?? [] }));
	const lexical = await byWords(session, words, where, wanted);
	const query = vector && dimension !== null ? vectorText(vector) : undefined;
	const near = query === undefined ? new Map<number, number>() : await nearest(session, query, where, wanted);
	const ids = [...new Set([...near.keys(), ...lexical.scores.keys()])];
	const others = ids.filter((id) => !lexical.scores.has(id));
	const rest = await byWords(session, words, { sql: 'p.chunk = ANY(?::bigint[])', values: [others] }, Math.max(1, others.length));
	const within = await withinDocuments(session, words, ids);
	const cosines = query === undefined ? near : await cosinesOf(session, query, ids);
	const candidates = ids.map((ref): Candidate => {
		const match = lexical.scores.get(ref) ?? rest.scores.get(ref);
		const dense = cosines.get(ref);
		const score = match && (1 - IN_CONTEXT) * match.score + IN_CONTEXT * (within.get(ref) ?? 0);
		return { ref, ...(match && { lexical: score, matched: match.tokens }), ...(dense !== undefined && !Number.isNaN(dense) && { dense }) };
	});
	const lowest = query === undefined ? undefined : await lowestOf(session, query, where);
	return { candidates, ceiling: lexical.ceiling, ...(lowest !== undefined && { lowestDense: lowest }) };
}
