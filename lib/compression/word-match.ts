import { analyse, tokenWeight } from '../text/analyse';
import { inverseDocumentFrequency } from '../text/bm25';
import { detectLanguage, type Language } from '../text/language';
import type { Breathe } from './breather';

/** A text by its search tokens. */
export type Tokens = readonly string[];

/** BM25's constants, as lib/text/bm25 takes them. */
const K1 = 1.2;
const B = 0.75;

/** The tokens of a text in the language of the passage it stands in: a sentence alone is often too short to tell. */
export function tokensOf(text: string, language: Language | undefined): Tokens {
	return analyse(text, language && { language });
}

/** The language of a passage with its title; undefined when it does not tell. */
export function languageOf(title: string, text: string): Language | undefined {
	return detectLanguage(`${title}\n${text}`);
}

/** How rare each token is among some texts, weighed as `tokenWeight` says; a token of none of them counts as rarest. */
export async function rarities(texts: readonly Tokens[], breathe: Breathe): Promise<(token: string) => number> {
	const found = new Map<string, number>();
	for (const tokens of texts) {
		const pause = breathe();
		if (pause) await pause;
		for (const token of new Set(tokens)) found.set(token, (found.get(token) ?? 0) + 1);
	}
	return (token) => tokenWeight(token) * inverseDocumentFrequency(texts.length, found.get(token) ?? 0);
}

/**
 * BM25 of each text for a query, as `createBm25` scores, but in slices and without an index: texts of one call are asked once or
 * twice only.
 *
 * @param rarity  of `rarities` over the same texts
 */
export async function wordScores(
	query: Tokens,
	texts: readonly Tokens[],
	rarity: (token: string) => number,
	breathe: Breathe,
): Promise<Float64Array> {
	const average = texts.reduce((sum, tokens) => sum + tokens.length, 0) / texts.length || 1;
	const weights = new Map([...new Set(query)].map((token) => [token, rarity(token)]));
	const scores = new Float64Array(texts.length);
	for (const [position, tokens] of texts.entries()) {
		const pause = breathe();
		if (pause) await pause;
		scores[position] = scoreOf(tokens, weights, K1 * (1 - B + (B * tokens.length) / average));
	}
	return scores;
}

function scoreOf(tokens: Tokens, weights: ReadonlyMap<string, number>, norm: number): number {
	const counts = new Map<string, number>();
	for (const token of tokens) if (weights.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
	let score = 0;
	for (const [token, count] of counts) score += ((weights.get(token) ?? 0) * count * (K1 + 1)) / (count + norm);
	return score;
}
