/**
 * What the words of a query are weighed by: how many passages there are, how long, and how many hold each word.
 *
 * In a knowledge base with rights only passages count that the asker may see. Else the scores of what he may see would tell him that,
 * and how often, a word stands in what he may not.
 */
export class WordScope {
	private readonly frequencies = new Map<string, number>();

	constructor(
		/** Passages. */
		readonly live: number,
		/** Their tokens, on average; above 0. */
		readonly meanLength: number,
		/** Rows of the passages, ascending; undefined for all. */
		readonly rows?: Int32Array,
	) {}

	/** Passages of the scope that hold a token; counted once. */
	frequency(token: string, count: () => number): number {
		const known = this.frequencies.get(token);
		if (known !== undefined) return known;
		const found = count();
		if (this.frequencies.size >= MOST_KEPT) this.frequencies.clear();
		this.frequencies.set(token, found);
		return found;
	}
}

const MOST_KEPT = 5_000;
