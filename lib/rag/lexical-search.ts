import type { Database } from '../storage/sqlite';
import { tokenWeight } from '../text/analyse';
import { inverseDocumentFrequency } from '../text/bm25';
import type { ThemeRows } from './theme-rows';

/**
 * Places read for one query, rarest words first: what comes after in a large collection is so frequent that it hardly changes the
 * order. About 0.15 s.
 */
const MOST_PLACES = 300_000;
const K1 = 1.2;
const B = 0.75;

/** A token as the words table holds it: no blank and no quote inside. */
export function storedToken(token: string): string {
	return token.replace(/[\s'"]/gu, '’');
}

interface Term {
	readonly token: string;
	/** Places where it stands. */
	readonly places: number;
	readonly weight: number;
}

export interface LexicalScores {
	/** One per row; 0 where no token is shared or the row is not allowed. */
	readonly scores: Float64Array;
	/** What a passage of mean length scores that holds each token once; tokens that no passage holds count too. */
	readonly ceiling: number;
}

function termsOf(database: Database, tokens: readonly string[], total: number): Term[] {
	return [...new Set(tokens)].map((token) => {
		const row = database.get("SELECT doc, cnt FROM word_counts WHERE term = ? AND col = 'body'", storedToken(token));
		const weight = tokenWeight(token) * inverseDocumentFrequency(total, Number(row?.doc ?? 0));
		return { token, places: Number(row?.cnt ?? 0), weight };
	});
}

/** How often a word stands in each row, as runs of the same row. */
function* countsOf(database: Database, token: string, rows: ThemeRows): Generator<readonly [row: number, count: number]> {
	let open = -1;
	let count = 0;
	for (const [chunk] of database.iterate('SELECT doc FROM word_places WHERE term = ?', storedToken(token))) {
		const row = rows.rowOf[Number(chunk)] ?? -1;
		if (row !== open && open >= 0) yield [open, count];
		count = row === open ? count + 1 : 1;
		open = row;
	}
	if (open >= 0) yield [open, count];
}

/**
 * BM25 (k1 1.2, b 0.75, the weights of `tokenWeight`) of every row: the scores of `createBm25` over the same token lists.
 *
 * SQLite's own bm25() is not used: it gives words of more than half of the passages no weight, knows no token weights, and its
 * counts do not follow deletions in a table without content.
 *
 * @param allowed  1 for rows that may be seen; undefined allows all
 */
export function lexicalScores(
	database: Database,
	rows: ThemeRows,
	tokens: readonly string[],
	allowed: Uint8Array | undefined,
): LexicalScores {
	const scores = new Float64Array(rows.count);
	const terms = termsOf(database, tokens, rows.count);
	let read = 0;
	for (const { token, places, weight } of terms.toSorted((a, b) => a.places - b.places)) {
		if (read > 0 && read + places > MOST_PLACES) break;
		read += places;
		for (const [row, count] of countsOf(database, token, rows)) {
			if (allowed?.[row] === 0) continue;
			const norm = K1 * (1 - B + (B * (rows.lengths[row] as number)) / rows.meanLength);
			scores[row] = (scores[row] as number) + (weight * count * (K1 + 1)) / (count + norm);
		}
	}
	return { scores, ceiling: terms.reduce((sum, term) => sum + term.weight, 0) };
}
