/** A date in a text, as precise as it is written. */
export interface DateFigure {
	readonly kind: 'date';
	readonly text: string;
	readonly index: number;
	/** What it may mean, each from a first to a last day (ISO): two where day and month can be exchanged. `-03-05` for a day of any year. */
	readonly spans: ReadonlyArray<readonly [from: string, to: string]>;
}

type Span = readonly [string, string];

const MONTHS = [
	'janvier|janv|january|jan', 'février|fevrier|févr|fevr|february|feb', 'mars|march|mar', 'avril|avr|april|apr', 'mai|may', 'juin|june|jun',
	'juillet|juil|july|jul', 'août|aout|august|aug', 'septembre|sept|september|sep', 'octobre|october|oct', 'novembre|november|nov', 'décembre|decembre|déc|december|dec',
];
const MONTH = `(?:${MONTHS.join('|')})`;
const YEAR = '((?:19|20)\\d{2})';
const EDGE = '(?<![\\p{L}\\p{N}.,/-])';
const END = '(?![\\p{L}\\p{N}])';

interface Form {
	readonly pattern: RegExp;
	readonly read: (parts: readonly string[]) => Span[];
}

const form = (pattern: string, read: Form['read']): Form => ({ pattern: new RegExp(`${EDGE}${pattern}${END}`, 'giu'), read });

/** Most precise first: what one form took, the next does not see. */
const FORMS: readonly Form[] = [
	form(`${YEAR}-(\\d{2})-(\\d{2})(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?`, ([year, month, day]) => days(year, month, day)),
	form(`(\\d{1,2})[./](\\d{1,2})[./]${YEAR}`, ([a, b, year]) => [...days(year, b, a), ...days(year, a, b)]),
	form(`(\\d{1,2})(?:er|st|nd|rd|th)?[\\s ]+(?:of )?(${MONTH})\\.?,?[\\s ]+${YEAR}`, ([day, month, year]) => days(year, monthNumber(month), day)),
	form(`(${MONTH})\\.?[\\s ]+(\\d{1,2})(?:st|nd|rd|th)?,?[\\s ]+${YEAR}`, ([month, day, year]) => days(year, monthNumber(month), day)),
	form('(\\d{1,2})/(\\d{1,2})/(\\d{2})', ([a, b, year]) => [...days(`20${year}`, b, a), ...days(`20${year}`, a, b)]),
	form(`${YEAR}[- ]?[QT]([1-4])`, ([year, quarter]) => quarters(year, quarter)),
	form(`[QT]([1-4])[\\s /-]*${YEAR}`, ([quarter, year]) => quarters(year, quarter)),
	form(`([1-4])(?:er|e|ème|st|nd|rd|th)[\\s ]+(?:trimestre|quarter)(?:[\\s ]+(?:de|of))?[\\s ]+${YEAR}`, ([quarter, year]) => quarters(year, quarter)),
	form(`(${MONTH})\\.?[\\s ]+(?:of |de )?${YEAR}`, ([month, year]) => months(year, monthNumber(month))),
	form(`${YEAR}-(\\d{2})`, ([year, month]) => months(year, month)),
	form(`(?<!\\d[ ’'])${YEAR}(?![ ’']\\d{3}|[.,]\\d|[ ]?[%€$£]|[ ](?:h|heures?|hours?|kg|t|km|m|euros?|pi[eè]ces?|units?)${END})`, ([year]) => [[`${year}-01-01`, `${year}-12-31`]]),
	form(`(\\d{1,2})(?:er|st|nd|rd|th)?[\\s ]+(?:of )?(${MONTH})`, ([day, month]) => anyYear(monthNumber(month), day)),
	form(`(${MONTH})\\.?[\\s ]+(\\d{1,2})(?:st|nd|rd|th)?`, ([month, day]) => anyYear(monthNumber(month), day)),
];

/** Dates, months, quarters and years of a text, in French, English and ISO forms; what only looks like one is left out. */
export function findDates(text: string): DateFigure[] {
	let rest = text;
	return FORMS.flatMap(({ pattern, read }) => {
		const found = [...rest.matchAll(pattern)].flatMap((match): DateFigure[] => {
			const spans = read(match.slice(1));
			return spans.length === 0 ? [] : [{ kind: 'date', text: match[0], index: match.index, spans }];
		});
		rest = blanked(rest, found);
		return found;
	});
}

/** The text with blanks in the place of some of its parts. */
export function blanked(text: string, parts: ReadonlyArray<{ readonly index: number; readonly text: string }>): string {
	if (parts.length === 0) return text;
	const pieces: string[] = [];
	let end = 0;
	for (const { index, text: part } of [...parts].sort((a, b) => a.index - b.index)) {
		pieces.push(text.slice(end, index), ' '.repeat(part.length));
		end = index + part.length;
	}
	return pieces.join('') + text.slice(end);
}

function monthNumber(name = ''): string {
	return String(MONTHS.findIndex((names) => names.split('|').includes(name.toLowerCase())) + 1);
}

function days(year = '', month = '', day = ''): Span[] {
	const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
	const isReal = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
	const iso = isReal ? at.toISOString().slice(0, 10) : '';
	return isReal ? [[iso, iso]] : [];
}

function anyYear(month = '', day = ''): Span[] {
	return days('2024', month, day).map(([from, to]) => [from.slice(4), to.slice(4)]);
}

function months(year = '', month = ''): Span[] {
	return Number(month) >= 1 && Number(month) <= 12 ? [[firstDay(year, Number(month)), lastDay(year, Number(month))]] : [];
}

function quarters(year = '', quarter = ''): Span[] {
	const first = Number(quarter) * 3 - 2;
	return [[firstDay(year, first), lastDay(year, first + 2)]];
}

function firstDay(year: string, month: number): string {
	return `${year}-${String(month).padStart(2, '0')}-01`;
}

function lastDay(year: string, month: number): string {
	return new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
}
