import type { Tokens } from './word-match';

/** Sentences that may point to another passage: the best ones, so the work does not grow with the passages' square. */
const POINTERS = 40;
/** Share of a title, by the rarity of its words, that a sentence must hold to name it. */
const NAMES_TITLE = 0.5;
/** The question is worth as much as a sentence of this relevance: the words of what it names itself count anyway. */
const QUESTION_POINTS = 0.5;

export interface Pointer {
	/** Which passage it stands in. */
	readonly hit: number;
	/** Of the sentence alone, without its title. */
	readonly tokens: Tokens;
}

function named(title: ReadonlySet<string>, sentence: ReadonlySet<string>, rarity: (token: string) => number): number {
	let all = 0;
	let found = 0;
	for (const token of title) {
		const weight = rarity(token);
		all += weight;
		if (sentence.has(token)) found += weight;
	}
	const share = all === 0 ? 0 : found / all;
	return share >= NAMES_TITLE ? share : 0;
}

/** Who may point, and where to. */
export interface Pointing {
	/** Of each passage; empty for one without a title. */
	readonly titles: readonly Tokens[];
	readonly question: Tokens;
	readonly sentences: readonly Pointer[];
	/** Of each sentence, 0..1. */
	readonly relevance: Float64Array;
}

/**
 * How much each passage is pointed at, 0..1: the relevance of the best sentence of another passage that names its title, times the share
 * of the title that is named. A question often needs a second passage that it does not name itself, but whose subject stands in
 * the sentence that answers its first half. The question points too, as a sentence of middle relevance.
 *
 * Passages without a title, or with the title of the sentence's own passage (pieces of one document), get 0; so do all when there is one
 * title only, since naming it chooses nothing.
 */
export function pointedAt({ titles, question, sentences, relevance }: Pointing, rarity: (token: string) => number): Float64Array {
	const best = new Float64Array(titles.length);
	const keys = titles.map((tokens) => tokens.join(' '));
	if (new Set(keys).size < 2) return best;
	// Exact forms are left out: a title and a sentence may inflect a name in two ways.
	const sets = titles.map((tokens) => new Set(tokens.filter((token) => !token.startsWith('='))));
	const point = (tokens: Tokens, worth: number, from?: string): void => {
		const words = new Set(tokens);
		for (const [hit, title] of sets.entries()) {
			if (title.size === 0 || keys[hit] === from) continue;
			best[hit] = Math.max(best[hit] ?? 0, worth * named(title, words, rarity));
		}
	};
	point(question, QUESTION_POINTS);
	const order = [...sentences.keys()].sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0)).slice(0, POINTERS);
	for (const position of order) {
		const sentence = sentences[position];
		if (sentence) point(sentence.tokens, relevance[position] ?? 0, keys[sentence.hit]);
	}
	return best;
}
