/** A piece of a text by its place: `text.slice(start, end)`. */
export interface Span {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

const SENTENCE_END = /[.!?…]+["'”’»)\]]*(?=\s|$)/gu;
/** After these a full stop does not end a sentence. In lower case, without the last stop. */
const ABBREVIATIONS = new Set(
	(
		'm mm mr mrs ms dr pr prof st ste me mgr cf p pp art al vol no nos n° fig tab ch chap éd ed env ex p.ex e.g i.e approx ' +
		'réf ref tél tel min max temp qté qty av bd boul ing sté sr jr vs inc ltd rev jan feb apr jun jul aug sept sep oct nov dec ' +
		'janv févr avr juil déc'
	).split(' '),
);
const LIST_OR_TABLE_LINE = /^\s*(?:[-*+•–—]\s|\d{1,3}[.)]\s|[a-z][.)]\s|\||#{1,6}\s)|\t|\s\|\s|;.*;.*;/u;

function isRealEnd(text: string, lineStart: number, match: RegExpMatchArray): boolean {
	const at = match.index ?? 0;
	const next = text.slice(at + match[0].length).trimStart();
	if (next === '') return true;
	if (match[0][0] !== '.') return /^[^\p{Ll}]/u.test(next);
	const before = text.slice(lineStart, at);
	const lastWord = /[\p{L}\p{N}°.]+$/u.exec(before)?.[0] ?? '';
	if (ABBREVIATIONS.has(lastWord.toLowerCase()) && match[0] === '.') return false;
	// An initial (`J. Martin`) or the number of a list item (`3. Ouvrir`).
	if (/^(?:\p{Lu}|\p{N}{1,2})$/u.test(lastWord) && before.trim().length <= 2) return false;
	if (/^\p{Lu}$/u.test(lastWord)) return false;
	return /^[^\p{Ll}]/u.test(next);
}

function spanOf(text: string, start: number, end: number): Span | undefined {
	const piece = text.slice(start, end);
	const trimmed = piece.trim();
	if (trimmed === '') return undefined;
	const from = start + piece.indexOf(trimmed);
	return { start: from, end: from + trimmed.length, text: trimmed };
}

/** Runs of lines that belong together: list items, table rows and headings stand alone, wrapped prose is one run. */
function* runsOf(text: string): Generator<{ start: number; end: number }> {
	let start = 0;
	let open = -1;
	for (const line of text.split('\n')) {
		const end = start + line.length;
		const alone = LIST_OR_TABLE_LINE.test(line);
		if (open >= 0 && (alone || line.trim() === '')) {
			yield { start: open, end: start };
			open = -1;
		}
		if (alone) yield { start, end };
		else if (open < 0 && line.trim() !== '') open = start;
		start = end + 1;
	}
	if (open >= 0) yield { start: open, end: text.length };
}

/**
 * The sentences of a text, French or English, with their exact places.
 *
 * List items, table rows and headings stay whole lines; a blank line ends a sentence; abbreviations, initials and decimals do
 * not. What lies between two spans is white space only, and no span begins or ends with white space. Blank text gives [].
 */
export function splitSentences(text: string): Span[] {
	const spans: Span[] = [];
	const add = (start: number, end: number): void => {
		const span = spanOf(text, start, end);
		if (span) spans.push(span);
	};
	for (const run of runsOf(text)) {
		const body = text.slice(run.start, run.end);
		if (LIST_OR_TABLE_LINE.test(body.split('\n')[0] ?? '')) {
			add(run.start, run.end);
			continue;
		}
		let start = 0;
		for (const match of body.matchAll(SENTENCE_END)) {
			if (!isRealEnd(body, start, match)) continue;
			const end = match.index + match[0].length;
			add(run.start + start, run.start + end);
			start = end;
		}
		add(run.start + start, run.end);
	}
	return spans;
}
