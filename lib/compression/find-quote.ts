/** Characters that models write in another form than the source; each is one character on both sides. */
const SAME_SIGN: ReadonlyMap<string, string> = new Map(
	Object.entries({ '’': "'", '‘': "'", 'ʼ': "'", '“': '"', '”': '"', '–': '-', '—': '-', '‑': '-', '‐': '-' }),
);

/** A text with white space as single blanks and signs in one form, and where each of its characters stands in the source. */
export interface Plain {
	readonly text: string;
	readonly places: readonly number[];
}

/** Reads a source once, to find many quotes in it. */
export function plainOf(source: string): Plain {
	let text = '';
	const places: number[] = [];
	for (let at = 0; at < source.length; at += 1) {
		const sign = source[at]!;
		const isBlank = /\s/.test(sign);
		if (isBlank && (text === '' || text.endsWith(' '))) continue;
		text += isBlank ? ' ' : (SAME_SIGN.get(sign) ?? sign);
		places.push(at);
	}
	return { text, places };
}

/** Shorter quotes stand anywhere by chance. */
const SHORTEST_QUOTE = 3;

/**
 * Where a quote stands in its source, blanks and typographic signs aside; undefined when it does not stand there.
 *
 * @param source  of `plainOf`
 */
export function findQuote(quote: string, source: Plain): { start: number; end: number } | undefined {
	const wanted = plainOf(quote).text.trim().replace(/^\.\.\. ?|^… ?| ?…$| ?\.\.\.$/g, '');
	if (wanted.length < SHORTEST_QUOTE) return undefined;
	const at = source.text.indexOf(wanted);
	if (at < 0) return undefined;
	return { start: source.places[at]!, end: source.places[at + wanted.length - 1]! + 1 };
}
