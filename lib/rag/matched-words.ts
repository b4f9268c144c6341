import { analyse } from '../text/analyse';
import type { Language } from '../text/language';

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’ʼ_/\-‐‑–.,][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * Gives the words of a query, as written, whose tokens a passage holds.
 *
 * @returns a function from the tokens that matched to words, in the order of the query, each once; a code written with blanks gives
 *          the parts that were found
 */
export function wordMatcher(query: string, language: Language | undefined): (tokens: readonly string[]) => string[] {
	const words = [...new Set(query.match(WORD) ?? [])].map((word) => [word, analyse(word, language && { language })] as const);
	return (tokens) => {
		const found = new Set(tokens);
		return words.filter(([, own]) => own.some((token) => found.has(token))).map(([word]) => word);
	};
}
