import type { Database } from '../storage/sqlite';
import { bestOf } from './best-of';
import { exactCosines, scanRows } from './dense-search';
import { embedderMismatch } from './embedder-mismatch';
import { filterQuery } from './filter-sql';
import { ceilingOf, exactScores, matchesOf, proposedRows, wordsOf } from './lexical-search';
import { searchKey } from './search-key';
import { isProtected, readManifest } from './sqlite-schema';
import type { SearchRequest, SearchResult } from './store';
import { type ThemeRows, themeRows } from './theme-rows';
import type { WordScope } from './word-scope';

/** So few rows are all scored exactly: that takes some 2 ms and needs no index. */
const FEW_ROWS = 1_500;

/** Who asks, and for what part of what he may see. */
type Choice = Pick<SearchRequest, 'acl' | 'filter'>;

/** The documents that the asker may see and that fit the filter; undefined for all. */
function allowedDocuments(database: Database, { acl, filter }: Choice): Set<number> | undefined {
	const parts: { sql: string; values: readonly (string | number | bigint | null | Uint8Array)[] }[] = [];
	if (isProtected(database) && acl !== 'all') {
		const sql = 'SELECT document FROM document_acl WHERE token IN (SELECT value FROM json_each(?))';
		parts.push({ sql, values: [JSON.stringify(acl ?? [])] });
	}
	if (filter) parts.push(filterQuery(filter, { placeOf: 'instr' }));
	if (parts.length === 0) return undefined;
	const sql = parts.map((part) => `SELECT document FROM (${part.sql})`).join(' INTERSECT ');
	const documents = new Set<number>();
	for (const [document] of database.iterate(sql, ...parts.flatMap((part) => part.values))) documents.add(Number(document));
	return documents;
}

/** The rows that the asker may see and that fit the filter, ascending; undefined for all. */
function allowedRows(database: Database, theme: ThemeRows, request: Choice): Int32Array | undefined {
	const key = JSON.stringify([askerKey(request), request.filter ?? null]);
	const known = theme.choices.get(key);
	if (known) return known;
	const documents = allowedDocuments(database, request);
	return documents && theme.remember(key, theme.rowsOf(documents));
}

function askerKey({ acl }: Choice): string {
	return acl === 'all' ? 'all' : JSON.stringify([...new Set(acl ?? [])].sort());
}

/** Words are weighed among all that the asker may see, whatever he filters by. */
function scopeOf(database: Database, theme: ThemeRows, { acl = [] }: SearchRequest): WordScope {
	return theme.scopeOf(allowedRows(database, theme, { acl }), askerKey({ acl }));
}

function checkDimension(database: Database, query: Float32Array): void {
	const manifest = readManifest(database);
	if (manifest.dimension === null || query.length === manifest.dimension) return;
	throw embedderMismatch(manifest, { id: manifest.embedderId ?? '', dimension: query.length });
}

function* liveRows(theme: ThemeRows): Generator<number> {
	for (let row = 0; row < theme.count; row++) if (theme.documents[row] !== 0) yield row;
}

/**
 * Searches the embedded store; see `ThemeStore.search`. Call inside a snapshot.
 *
 * An answer is kept for the next one who may see the same and asks the same; the first change of any document or right, by any
 * process, ends that: `themeRows` reads the counter of changes in the same snapshot.
 */
export function searchSqlite(database: Database, request: SearchRequest): SearchResult {
	const theme = themeRows(database);
	const key = searchKey(request);
	return theme.answers.get(key) ?? theme.rememberAnswer(key, answer(database, theme, request));
}

function ascending(rows: readonly number[]): Int32Array {
	return Int32Array.from(new Set(rows)).sort();
}

function answer(database: Database, theme: ThemeRows, request: SearchRequest): SearchResult {
	const allowed = allowedRows(database, theme, request);
	const { vector, tokens, candidates: wanted } = request;
	if (vector) checkDimension(database, vector);
	const words = wordsOf(database, theme, tokens, scopeOf(database, theme, request));
	const count = allowed?.length ?? theme.live;
	const proposed =
		count <= FEW_ROWS
			? [...(allowed ?? liveRows(theme))]
			: proposedRows(database, theme, words, { wanted, allowed });
	const scan = vector && scanRows(theme, vector, wanted, allowed);
	const cosines = vector && scan ? exactCosines(database, theme, vector, scan.nearest) : new Map<number, number>();
	const nearest = [...cosines.keys()].sort((a, b) => (cosines.get(b) as number) - (cosines.get(a) as number)).slice(0, wanted);
	const scored = ascending([...proposed, ...nearest]);
	const lexicals = exactScores(database, theme, words, scored);
	const byWords = bestOf(lexicals, wanted, 0).map((position) => scored[position] as number);
	const rows = [...new Set([...nearest, ...byWords])];
	const matches = matchesOf(database, theme, words, ascending(rows));
	const candidates = rows.map((row) => {
		const match = matches.get(row);
		const dense = cosines.get(row) ?? scan?.about(row) ?? NaN;
		return { ref: theme.chunkOf(row), ...(match && { lexical: match.score, matched: match.tokens }), ...(!Number.isNaN(dense) && { dense }) };
	});
	const ceiling = ceilingOf(words.terms);
	const lowest = scan && scan.lowest < Infinity ? { lowestDense: scan.lowest } : {};
	return { candidates, ceiling, ...lowest };
}
