/**
 * The lexical side of the embedded store: BM25 (k1 1.2, b 0.75, the weights of `tokenWeight`), the scores of `createBm25` over the
 * same token lists; of those that are chosen, a third within the passages around them.
 *
 * SQLite's full-text index only proposes passages: its own bm25() gives words of more than half of the passages no weight and knows
 * no token weights. What it proposes, and every passage of a small choice, is scored exactly from the stored tokens.
 */
import type { Database } from '../storage/sqlite';
import { tokenWeight } from '../text/analyse';
import { inverseDocumentFrequency } from '../text/bm25';
import { placeOf } from './best-of';
import type { ThemeRows } from './theme-rows';
import type { WordScope } from './word-scope';
import { countOf, hashOf, unpackTokens } from './token-hashes';

const K1 = 1.2;
const B = 0.75;
/**
 * What the text around a passage weighs in its score. From three quarters on documents are found as well, but no longer which of their
 * passages answers; without it less of both.
 */
export const IN_CONTEXT = 1 / 3;
/** Passages that the rarest words of a query may hold together, as a share of all; the others are not looked for on their own. */
const RARE = 0.03;
/** So many passages are looked through whatever the share. */
const FEW = 2_000;
/** Proposed for each one wanted: SQLite's order is near to ours, not the same. */
const PROPOSED_PER_WANTED = 2;

export interface Term {
	readonly token: string;
	readonly hash: number;
	/** Passages that hold it. */
	readonly found: number;
	readonly weight: number;
}

/** A token as the words table holds it: no blank and no quote inside. */
export function storedToken(token: string): string {
	return token.replace(/[\s'"]/gu, '’');
}

/** A query's words and what they are compared with: what the asker may see, and nothing else. */
export interface Words {
	/** The tokens, each once, with their weights among the passages that the asker may see. */
	readonly terms: readonly Term[];
	readonly scope: WordScope;
}

/** Passages of all documents that hold a token. */
function frequencyOf(database: Database, token: string): number {
	const row = database.get("SELECT doc FROM word_counts WHERE term = ? AND col = 'body'", storedToken(token));
	return Number(row?.doc ?? 0);
}

/** Passages in one text, with commas between them: a frequent word has a hundred thousand, and a row for each takes ten times as long. */
const HOLDING = 'SELECT group_concat(id) AS ids FROM (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid)';

function* numbersIn(listed: string): Generator<number> {
	let number = 0;
	for (let at = 0; at < listed.length; at++) {
		const digit = listed.charCodeAt(at) - 48;
		if (digit >= 0) number = number * 10 + digit;
		else {
			yield number;
			number = 0;
		}
	}
	yield number;
}

/** Passages that hold a token among some rows (ascending): both lists are walked through together. */
function frequencyAmong(database: Database, theme: ThemeRows, token: string, rows: Int32Array): number {
	const listed = database.get(HOLDING, anyOf([token]))?.ids;
	if (typeof listed !== 'string') return 0;
	let found = 0;
	let at = 0;
	for (const chunk of numbersIn(listed)) {
		while (at < rows.length && theme.chunkOf(rows[at] as number) < chunk) at += 1;
		if (at < rows.length && theme.chunkOf(rows[at] as number) === chunk) found += 1;
	}
	return found;
}

/** The words of a query, weighed by how rare they are among the passages of a scope. */
export function wordsOf(database: Database, theme: ThemeRows, tokens: readonly string[], scope: WordScope): Words {
	const terms = [...new Set(tokens)].map((token) => {
		const found = scope.frequency(token, () => {
			const all = frequencyOf(database, token);
			return all === 0 || !scope.rows ? all : frequencyAmong(database, theme, token, scope.rows);
		});
		const weight = tokenWeight(token) * inverseDocumentFrequency(scope.live, found);
		return { token, hash: hashOf(token), found, weight };
	});
	return { terms, scope };
}

/** What a passage of mean length scores that holds each term once; terms that no passage holds count too. */
export function ceilingOf(terms: readonly Term[]): number {
	return terms.reduce((sum, term) => sum + term.weight, 0);
}

/** What a passage shares with a query. */
export interface WordMatch {
	/** BM25 by itself or within its document, above 0. */
	readonly score: number;
	readonly tokens: readonly string[];
}

/** Goes through the stored tokens of some rows. */
function eachRow(database: Database, theme: ThemeRows, rows: Int32Array, look: (row: number, hashes: Uint32Array) => void): void {
	const chunks = Array.from(rows, (row) => theme.chunkOf(row));
	const sql = 'SELECT chunk, tokens FROM terms WHERE chunk IN (SELECT value FROM json_each(?))';
	for (const [chunk, tokens] of database.iterate(sql, JSON.stringify(chunks))) {
		look(theme.rowOf(Number(chunk)), unpackTokens(tokens as Uint8Array));
	}
}

/** BM25 of some rows (ascending), in their order; 0 for those that share no term. */
export function exactScores(database: Database, theme: ThemeRows, { terms, scope }: Words, rows: Int32Array): Float64Array {
	const scores = new Float64Array(rows.length);
	const there = terms.filter((term) => term.found > 0);
	if (there.length === 0) return scores;
	eachRow(database, theme, rows, (row, hashes) => {
		const norm = K1 * (1 - B + (B * theme.lengthOf(row)) / scope.meanLength);
		let score = 0;
		for (const term of there) {
			const count = countOf(hashes, term.hash);
			score += (term.weight * count * (K1 + 1)) / (count + norm);
		}
		scores[placeOf(rows, row)] = score;
	});
	return scores;
}

function gainOf(terms: readonly Term[], counts: readonly number[], norm: number): number {
	return terms.reduce((sum, { weight }, at) => sum + (weight * (counts[at] as number) * (K1 + 1)) / ((counts[at] as number) + norm), 0);
}

/**
 * What each of some rows (ascending) shares with a query; absent where it shares nothing. A part of its score, `IN_CONTEXT`, is that of
 * the text it stands in (it and the passages before and after it in its document, as one), the rest its own: what a document says of the
 * query's subject is often spread over the passages that it was cut into.
 */
export function matchesOf(database: Database, theme: ThemeRows, { terms, scope }: Words, rows: Int32Array): Map<number, WordMatch> {
	const matches = new Map<number, WordMatch>();
	const there = terms.filter((term) => term.found > 0);
	if (there.length === 0) return matches;
	const counts = new Map<number, number[]>();
	const around = Array.from(rows, (row) => theme.around(row));
	const all = Int32Array.from(new Set(around.flat())).sort();
	eachRow(database, theme, all, (row, hashes) => counts.set(row, there.map((term) => countOf(hashes, term.hash))));
	const normOf = (length: number): number => K1 * (1 - B + (B * length) / scope.meanLength);
	for (const [at, row] of rows.entries()) {
		const own = counts.get(row) ?? [];
		if (!own.some((count) => count > 0)) continue;
		const near = around[at] as number[];
		const together = there.map((_, term) => near.reduce((sum, one) => sum + (counts.get(one)?.[term] ?? 0), 0));
		const length = near.reduce((sum, one) => sum + theme.lengthOf(one), 0);
		const [alone, within] = [gainOf(there, own, normOf(theme.lengthOf(row))), gainOf(there, together, normOf(length))];
		const tokens = there.filter((_, term) => (own[term] as number) > 0).map(({ token }) => token);
		matches.set(row, { score: (1 - IN_CONTEXT) * alone + IN_CONTEXT * within, tokens });
	}
	return matches;
}

function anyOf(tokens: readonly string[]): string {
	return `(${tokens.map((token) => `"${storedToken(token)}"`).join(' OR ')})`;
}

/** The rarest terms that are found in at most `most` passages together; at least the rarest two. */
function rarestOf(terms: readonly Term[], most: number): Term[] {
	let sum = 0;
	return terms.toSorted((a, b) => a.found - b.found).filter((term, position) => (sum += term.found) <= most || position < 2);
}

/** A passage must hold a rare term; frequent ones then only rank. Exact forms stand beside their stems and are not asked for. */
function matchOf(terms: readonly Term[], total: number): string | undefined {
	const there = terms.filter((term) => term.found > 0 && !term.token.startsWith('='));
	const asked = there.length > 0 ? there : terms.filter((term) => term.found > 0);
	if (asked.length === 0) return undefined;
	const rare = rarestOf(asked, Math.max(FEW, RARE * total));
	const [rarest, all] = [rare, asked].map((some) => anyOf(some.map(({ token }) => token))) as [string, string];
	return rare.length === 0 || rare.length === asked.length ? all : `${rarest} AND ${all}`;
}

/**
 * Rows whose words fit, as the full-text index ranks them: at least `wanted` × 2 of the allowed ones, where there are as many.
 *
 * @param allowed  rows that may be proposed, ascending; undefined allows all
 */
export function proposedRows(
	database: Database,
	theme: ThemeRows,
	{ terms, scope }: Words,
	choice: { readonly wanted: number; readonly allowed: Int32Array | undefined },
): number[] {
	const match = matchOf(terms, scope.live);
	if (match === undefined) return [];
	const { allowed } = choice;
	const wanted = choice.wanted * PROPOSED_PER_WANTED;
	const ask = (limit: number): number[] => {
		const rows: number[] = [];
		let given = 0;
		for (const [chunk] of database.iterate('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?', match, limit)) {
			given += 1;
			const row = theme.rowOf(Number(chunk));
			if (row >= 0 && (!allowed || placeOf(allowed, row) >= 0)) rows.push(row);
			if (rows.length === wanted) break;
		}
		return rows.length < wanted && given === limit && limit < theme.count ? ask(theme.count) : rows;
	};
	return ask(Math.min(theme.count, Math.ceil((wanted * theme.live) / Math.max(1, allowed?.length ?? theme.live))));
}
