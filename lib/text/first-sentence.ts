import { splitSentences } from './sentences';

/**
 * The first sentence of a text on one line, at most `limit` characters (cut at a word, with …); '' for a blank text.
 *
 * Serves as a tool's intent where nobody wrote one.
 */
export function firstSentence(text: string, limit = 160): string {
	const sentence = (splitSentences(text)[0]?.text ?? '').replace(/\s+/g, ' ');
	if (sentence.length <= limit) return sentence;
	const cut = sentence.slice(0, limit - 1);
	return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), limit / 2)).trimEnd()}…`;
}
