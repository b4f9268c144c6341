import { splitSentences } from './sentences';

/** A heading over what a thing is for, as descriptions in sections have it. */
const PURPOSE = /^[^\p{L}\p{N}]*(?:purpose|description|overview|summary|what it does|objectif|but|rôle|résumé)\s*:?$/iu;
/** Few words that end in a colon name a section and say nothing. */
const HEADING = /^[^\p{L}\p{N}]*(?:[\p{L}\p{N}'’-]+\s+){0,3}[\p{L}\p{N}'’-]+\s*:$/u;
const LIST_MARK = /^(?:[-*+•–—]|\d{1,3}[.)])\s+/u;

/**
 * The first sentence of a text on one line, at most `limit` characters (cut at a word, with …); '' for a blank text.
 *
 * Of a text that begins with a heading it is the sentence of the section that says what the thing is for, else the first that
 * is no heading; marks of lists and titles are left out. Serves as a tool's intent where nobody wrote one.
 */
export function firstSentence(text: string, limit = 160): string {
	const sentence = chosen(splitSentences(text).map((one) => one.text)).replace(LIST_MARK, '').replace(/^#+\s*/, '').replace(/\s+/g, ' ');
	if (sentence.length <= limit) return sentence;
	const cut = sentence.slice(0, limit - 1);
	return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), limit / 2)).trimEnd()}…`;
}

function chosen(sentences: readonly string[]): string {
	const first = sentences[0] ?? '';
	if (!isHeading(first)) return first;
	const purpose = sentences.findIndex((sentence) => PURPOSE.test(sentence));
	const afterPurpose = purpose < 0 ? undefined : sentences[purpose + 1];
	return afterPurpose ?? sentences.find((sentence) => !isHeading(sentence)) ?? first;
}

function isHeading(sentence: string): boolean {
	return HEADING.test(sentence) || PURPOSE.test(sentence);
}
