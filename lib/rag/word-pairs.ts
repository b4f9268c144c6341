import { analyse } from '../text/analyse';
import type { Language } from '../text/language';
import { foldAccents } from '../text/stem';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** What may stand between two words of one phrase in the query. */
const JOINT = /^[\s'’ʼ_/\-‐‑–]*$/u;
/** Between them in a passage: signs, and two short words such as "de la" at most. */
const GAP = '(?:[^\\p{L}\\p{N}]+\\p{L}{1,3}){0,2}[^\\p{L}\\p{N}]+';
const MOST_PAIRS = 12;
const SHORTEST = 2;

interface QueryWord {
	readonly prefix: string;
	/** Nothing but blanks and words without meaning stand between it and the word before. */
	readonly follows: boolean;
}

/** The part that a word and its stem begin with, folded: endings may differ. */
function prefixOf(word: string, tokens: readonly string[]): string {
	const plain = foldAccents(word.toLowerCase());
	const stem = tokens.find((token) => !/^[=#]/.test(token)) ?? plain;
	let length = 0;
	while (length < stem.length && stem[length] === plain[length]) length++;
	return plain.slice(0, Math.max(SHORTEST, length));
}

function wordsOf(query: string, language: Language | undefined): QueryWord[] {
	const meant = new Set(analyse(query, language && { language }));
	const words: QueryWord[] = [];
	let end = 0;
	let follows = false;
	for (const match of query.matchAll(WORD)) {
		const [word] = match;
		follows &&= JOINT.test(query.slice(end, match.index));
		end = match.index + word.length;
		const tokens = analyse(word, language && { language });
		if (!tokens.some((token) => meant.has(token))) continue;
		words.push({ prefix: prefixOf(word, tokens), follows });
		follows = true;
	}
	return words;
}

/**
 * Tells how much of a query's phrasing a passage keeps: the share of pairs of neighbouring words, stop words aside, that stand
 * together in its text too, in any of their forms. Words that stand together mean more than the same words apart.
 *
 * @returns undefined when the query has no two words that belong together
 * @see Metzler, Croft, "A Markov Random Field Model for Term Dependencies", 2005 (the ordered window)
 */
export function pairShare(query: string, language: Language | undefined): ((text: string) => number) | undefined {
	const words = wordsOf(query, language);
	const pairs = new Set<string>();
	for (const [at, { prefix, follows }] of words.entries()) {
		const before = words[at - 1];
		if (before && follows) pairs.add(`(?<![\\p{L}\\p{N}])${before.prefix}[\\p{L}\\p{N}]{0,5}${GAP}${prefix}[\\p{L}\\p{N}]{0,5}(?![\\p{L}\\p{N}])`);
	}
	if (pairs.size === 0) return undefined;
	const patterns = [...pairs].slice(0, MOST_PAIRS).map((pair) => new RegExp(pair, 'u'));
	return (text) => {
		const plain = foldAccents(text.toLowerCase());
		return patterns.filter((pattern) => pattern.test(plain)).length / patterns.length;
	};
}
