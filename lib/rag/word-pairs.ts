import { analyse } from '../text/analyse';
import { inverseDocumentFrequency } from '../text/bm25';
import type { Language } from '../text/language';
import { foldAccents } from '../text/stem';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** What may stand between two words of one phrase in the query. */
const JOINT = /^[\s'’ʼ_/\-‐‑–]*$/u;
/** Between them in a passage: signs, and two short words such as "de la" at most. */
const MOST_BETWEEN = 2;
const SHORT_WORD = 3;
/** Letters by which a form may be longer than what all forms begin with. */
const LONGEST_ENDING = 5;
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

function isWordSign(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
	return /[\p{L}\p{N}]/u.test(text[at] ?? '');
}

function endOfWord(text: string, from: number): number {
	let at = from;
	while (at < text.length && isWordSign(text, at)) at++;
	return at;
}

function startOfWord(text: string, from: number): number {
	let at = from;
	while (at < text.length && !isWordSign(text, at)) at++;
	return at;
}

/** Whether the second word follows the first one that ends at `end`. By hand, since a pattern for it takes ten times as long. */
function isFollowedBy(text: string, end: number, second: string): boolean {
	let from = end;
	for (let between = 0; between <= MOST_BETWEEN; between++) {
		const start = startOfWord(text, from);
		const stop = endOfWord(text, start);
		if (text.startsWith(second, start) && stop - start - second.length <= LONGEST_ENDING) return true;
		if (stop === start || stop - start > SHORT_WORD) return false;
		from = stop;
	}
	return false;
}

/** @param text  folded, in lower case */
function standTogether(text: string, [first, second]: readonly [string, string]): boolean {
	for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
		if (at > 0 && isWordSign(text, at - 1)) continue;
		const end = endOfWord(text, at);
		if (end - at - first.length <= LONGEST_ENDING && isFollowedBy(text, end, second)) return true;
	}
	return false;
}

/**
 * Tells which of a query's pairs of neighbouring words, stop words aside, stand together in a text too, in any of their forms. Words
 * that stand together mean more than the same words apart.
 *
 * @returns undefined when the query has no two words that belong together
 * @see Metzler, Croft, "A Markov Random Field Model for Term Dependencies", 2005 (the ordered window)
 */
export function pairFinder(query: string, language: Language | undefined): ((text: string) => boolean[]) | undefined {
	const words = wordsOf(query, language);
	const found = new Map<string, readonly [string, string]>();
	for (const [at, { prefix, follows }] of words.entries()) {
		const before = words[at - 1];
		if (before && follows) found.set(`${before.prefix} ${prefix}`, [before.prefix, prefix]);
	}
	const pairs = [...found.values()].slice(0, MOST_PAIRS);
	if (pairs.length === 0) return undefined;
	return (text) => {
		const plain = foldAccents(text.toLowerCase());
		return pairs.map((pair) => standTogether(plain, pair));
	};
}

/**
 * How much of the query's phrasing each of some texts keeps, 0..1: the share of its pairs, by their rarity among these texts. A pair
 * that nearly all keep, such as the subject of a collection, tells them apart no more.
 *
 * @param kept  of `pairFinder`, for each text; [] gives []
 */
export function pairShares(kept: readonly (readonly boolean[])[]): number[] {
	const rarities = (kept[0] ?? []).map((_, pair) => inverseDocumentFrequency(kept.length, kept.filter((pairs) => pairs[pair]).length));
	const all = rarities.reduce((sum, rarity) => sum + rarity, 0);
	return kept.map((pairs) => pairs.reduce((sum, isKept, pair) => sum + (isKept ? (rarities[pair] ?? 0) : 0), 0) / all);
}
