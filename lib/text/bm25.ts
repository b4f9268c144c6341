import { tokenWeight } from './analyse';

export interface Bm25Options {
	/** How fast repeated terms saturate; default 1.2. */
	readonly k1?: number;
	/** How much long documents are held back, 0..1; default 0.75. */
	readonly b?: number;
}

export interface Bm25 {
	/**
	 * One score per document, in the order of the documents; 0 means that no token is shared. Scores are not bounded above.
	 * A token that comes twice in the query counts once.
	 */
	score(queryTokens: readonly string[]): Float64Array;
}

interface Posting {
	readonly document: number;
	count: number;
}

function postingsOf(documents: readonly (readonly string[])[]): Map<string, Posting[]> {
	const postings = new Map<string, Posting[]>();
	documents.forEach((tokens, document) => {
		for (const token of tokens) {
			const list = postings.get(token);
			const last = list?.at(-1);
			if (last?.document === document) last.count += 1;
			else if (list) list.push({ document, count: 1 });
			else postings.set(token, [{ document, count: 1 }]);
		}
	});
	return postings;
}

/**
 * Rarity of a term: ln(1 + (N − n + ½) / (n + ½)); always above 0, so a term of every document still counts a little.
 *
 * @param total  documents in the collection
 * @param found  documents that hold the term, 0..total
 */
export function inverseDocumentFrequency(total: number, found: number): number {
	return Math.log(1 + (total - found + 0.5) / (found + 0.5));
}

/**
 * An index in memory over token lists (`analyse`), scored by BM25 with the weights of `tokenWeight`.
 *
 * The documents are read once; [] gives an index whose scores are empty.
 *
 * @see Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009
 */
export function createBm25(documents: readonly (readonly string[])[], options: Bm25Options = {}): Bm25 {
	const { k1 = 1.2, b = 0.75 } = options;
	const postings = postingsOf(documents);
	const total = documents.reduce((sum, tokens) => sum + tokens.length, 0);
	const average = total / documents.length || 1;
	const norms = Float64Array.from(documents, (tokens) => k1 * (1 - b + (b * tokens.length) / average));
	return {
		score(queryTokens) {
			const scores = new Float64Array(documents.length);
			for (const token of new Set(queryTokens)) {
				const list = postings.get(token) ?? [];
				const weight = tokenWeight(token) * inverseDocumentFrequency(documents.length, list.length);
				for (const { document, count } of list) {
					const gain = (weight * count * (k1 + 1)) / (count + (norms[document] ?? k1));
					scores[document] = (scores[document] ?? 0) + gain;
				}
			}
			return scores;
		},
	};
}
