import { ENGLISH_STOP_WORDS, FRENCH_STOP_WORDS } from './stop-words';

export type Language = 'fr' | 'en';

/** Single letters are left out: they are part of codes too often. */
const WORD = /[\p{L}\p{M}]{2,}|à/gu;
const FRENCH_ACCENT = /[éèêëàâçùûîïôœ]/u;
/** Enough to decide, and keeps a long document cheap. */
const LONGEST_SAMPLE = 4000;

/**
 * Tells French from English by stop words and accents.
 *
 * The winner needs a whole point and twice the other's points; a stop word of one language only counts 1, an accented word 0.5.
 * Only the first 4,000 characters are read.
 *
 * @returns undefined when the text does not tell: too short, mixed, or in another language
 */
export function detectLanguage(text: string): Language | undefined {
	let french = 0;
	let english = 0;
	for (const word of text.slice(0, LONGEST_SAMPLE).normalize('NFC').toLowerCase().match(WORD) ?? []) {
		const isFrench = FRENCH_STOP_WORDS.has(word);
		const isEnglish = ENGLISH_STOP_WORDS.has(word);
		if (isFrench && !isEnglish) french += 1;
		else if (isEnglish && !isFrench) english += 1;
		else if (FRENCH_ACCENT.test(word)) french += 0.5;
	}
	if (french >= 1 && french >= 2 * english) return 'fr';
	if (english >= 1 && english >= 2 * french) return 'en';
	return undefined;
}
