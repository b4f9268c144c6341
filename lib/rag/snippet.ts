/** A part of a passage, to show: exact source text with its place in the document. */
export interface Snippet {
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

const LONGEST = 1_000;
/** Characters by which the border of a word or sentence may be looked for. */
const BORDER = 120;

/**
 * The part of a passage, of at most 1,000 characters, that holds most of the words; the beginning when it holds none of them. Cut
 * between words, at the end of a sentence where one is near.
 *
 * @param passage  its text and where it begins in the document
 * @param words    as written in the query
 * @returns        undefined when the passage is not longer than that
 */
export function snippetOf(passage: { readonly text: string; readonly start: number }, words: readonly string[]): Snippet | undefined {
	const { text, start } = passage;
	if (text.length <= LONGEST) return undefined;
	const from = beginning(text, bestWindow(placesOf(text, words), text.length));
	const to = ending(text, Math.min(text.length, from + LONGEST));
	return { text: text.slice(from, to), start: start + from, end: start + to };
}

/** Where the words stand, with the number of each, in the order of the text. Accents and case aside: lengths stay as they are. */
function placesOf(text: string, words: readonly string[]): (readonly [place: number, word: number])[] {
	const plain = fold(text);
	const places: [number, number][] = [];
	for (const [number, word] of words.entries()) {
		const wanted = fold(word);
		if (wanted === '') continue;
		for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length)) places.push([at, number]);
	}
	return places.sort((a, b) => a[0] - b[0]);
}

const foldSign = (sign: string): string => (sign.length === 1 ? ((sign.normalize('NFD')[0] ?? sign).toLowerCase()[0] ?? sign) : sign);
const fold = (text: string): string => [...text].map(foldSign).join('');

/** The start of the window with most different words, then most words; a little before the first of them. */
function bestWindow(places: readonly (readonly [number, number])[], length: number): number {
	const reach = LONGEST - BORDER;
	let best = { from: 0, different: 0, count: 0 };
	for (let first = 0; first < places.length; first++) {
		const from = (places[first] as readonly [number, number])[0];
		const inside = places.slice(first).filter(([place]) => place < from + reach);
		const different = new Set(inside.map(([, word]) => word)).size;
		if (different > best.different || (different === best.different && inside.length > best.count)) best = { from, different, count: inside.length };
	}
	return Math.max(0, Math.min(best.from - BORDER / 2, length - LONGEST));
}

function beginning(text: string, from: number): number {
	if (from === 0) return 0;
	const near = text.slice(from, from + BORDER / 2);
	const sentence = /[.!?…]\s+/u.exec(near);
	if (sentence) return from + sentence.index + sentence[0].length;
	const blank = near.search(/\s/u);
	return blank < 0 ? from : from + blank + 1;
}

function ending(text: string, to: number): number {
	if (to === text.length) return to;
	const near = text.slice(to - BORDER, to);
	const sentence = Math.max(near.lastIndexOf('. '), near.lastIndexOf('.\n'), near.lastIndexOf('\n'));
	if (sentence >= 0) return to - BORDER + sentence + 1;
	const blank = near.search(/\s\S*$/u);
	return blank < 0 ? to : to - BORDER + blank;
}
