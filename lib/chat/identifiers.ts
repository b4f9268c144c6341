/**
 * What a rewritten question must keep letter for letter: codes, numbers, dates, quotes, addresses and acronyms. Codes are compared
 * without their separators, so `N92C` is known as a miswritten `N-92c`.
 */

/** A day of a month in words, French and English: `12 mars 2026`, `March 12, 2026`. */
const MONTH =
	'(?:janv(?:ier)?|févr(?:ier)?|fevrier|mars|avr(?:il)?|mai|juin|juil(?:let)?|août|aout|sept(?:embre)?|oct(?:obre)?|nov(?:embre)?|déc(?:embre)?|' +
	'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|dec)\\.?';
const PATTERNS: readonly RegExp[] = [
	/«\s*([^«»]{1,200}?)\s*»|"([^"]{1,200})"|“([^“”]{1,200})”/gu,
	/[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?:\/\/\S+[\w/]/gu,
	new RegExp(`(?<![\\p{L}\\p{N}])(?:\\d{1,2}(?:er)?\\s+${MONTH}(?:\\s+\\d{4})?|${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?)(?![\\p{L}\\p{N}])`, 'giu'),
	/(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_/.:,#-]*\p{N})[\p{L}\p{N}]+(?:[_/.:,#-][\p{L}\p{N}]+)*/gu,
];
const ACRONYM = /(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu;

/** Each identifier of a text once, as written, longer ones before what they contain. A text in capitals has no acronyms. */
export function identifiersOf(text: string): string[] {
	const found: string[] = [];
	const isShouted = text === text.toUpperCase();
	for (const pattern of isShouted ? PATTERNS : [...PATTERNS, ACRONYM]) {
		for (const match of text.matchAll(pattern)) {
			const whole = match.slice(1).find((group) => group !== undefined) ?? match[0];
			// A single digit is a count, not a name.
			if (!/^\d$/u.test(whole) && !found.some((known) => known.includes(whole))) found.push(whole);
		}
	}
	return found;
}

/** An identifier without separators, case and accents: equal for two ways of writing the same code. */
export function plainForm(identifier: string): string {
	return identifier.normalize('NFD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** True when the text holds the identifier as written, not as a part of a longer one. */
export function holds(text: string, identifier: string): boolean {
	for (let at = text.indexOf(identifier); at >= 0; at = text.indexOf(identifier, at + 1)) {
		const [before, after] = [text[at - 1] ?? ' ', text[at + identifier.length] ?? ' '];
		if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
	}
	return false;
}

/** Where a text writes an identifier in another way, up to three words long; undefined when it does not. */
export function otherSpelling(text: string, identifier: string): string | undefined {
	const wanted = plainForm(identifier);
	if (wanted.length < 2) return undefined;
	const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
	for (let from = 0; from < words.length; from++) {
		for (let to = from; to < Math.min(words.length, from + 6); to++) {
			const piece = text.slice(words[from]!.start, words[to]!.end);
			if (piece !== identifier && plainForm(piece) === wanted) return piece;
		}
	}
	return undefined;
}
