/** Where a sentence may be cut: after a comma, semicolon or colon, around a dash or brackets. Never inside `3,5` or a word. */
const BORDER = /(?<=[,;:])\s+|\s+[–—-]\s+|\s+(?=\()|(?<=\))\s+/gu;
const WORD_BORDER = /\s+/gu;
/** Shorter clauses stay with their neighbour. */
const SHORTEST = 15;

interface Clause {
	readonly start: number;
	end: number;
}

function splitAt(text: string, borders: RegExp, shortest: number): Clause[] {
	const clauses: Clause[] = [];
	const add = (start: number, end: number): void => {
		const last = clauses.at(-1);
		if (last && (end - start < shortest || last.end - last.start < shortest)) last.end = end;
		else clauses.push({ start, end });
	};
	let start = 0;
	for (const border of text.matchAll(borders)) {
		add(start, border.index);
		start = border.index + border[0].length;
	}
	add(start, text.length);
	return clauses;
}

/** The neighbours that are worth most together and fit; the longest of equals. */
function bestRun(text: string, clauses: readonly Clause[], maxCharacters: number, worth: (clause: string) => number): Clause | undefined {
	const worths = clauses.map(({ start, end }) => worth(text.slice(start, end)));
	let best: (Clause & { value: number }) | undefined;
	for (const [first, { start }] of clauses.entries()) {
		let value = 0;
		for (let last = first; last < clauses.length; last += 1) {
			const end = clauses[last]!.end;
			if (end - start > maxCharacters) break;
			value += worths[last]!;
			const isBetter = !best || value > best.value || (value === best.value && end - start > best.end - best.start);
			if (isBetter) best = { start, end, value };
		}
	}
	return best;
}

/**
 * The part of a sentence that is worth most, as a place in it: whole clauses that stand side by side or, when `atWords`, whole words.
 *
 * @param worth  of a piece of text; 0 and more
 * @returns      undefined when nothing fits or the sentence cannot be cut
 */
export function cutSentence(
	text: string,
	maxCharacters: number,
	worth: (clause: string) => number,
	atWords = false,
): { start: number; end: number } | undefined {
	const clauses = atWords ? splitAt(text, WORD_BORDER, 0) : splitAt(text, BORDER, SHORTEST);
	const best = clauses.length > 1 ? bestRun(text, clauses, maxCharacters, worth) : undefined;
	return best && { start: best.start, end: best.end };
}
