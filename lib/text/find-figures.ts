import { blanked, findDates, type DateFigure } from './find-dates';

/** A number in a text. */
export interface NumberFigure {
	readonly kind: 'number';
	/** As written, with its sign and unit. */
	readonly text: string;
	readonly index: number;
	/** What it may mean: two values where a mark can be a decimal or a thousands one (`1,234`). Never negative. */
	readonly values: readonly number[];
	/** One digit less than the last one written: 0.01 for `12.34`, 100,000 for `1.2 M`. By value, as `values`. */
	readonly steps: readonly number[];
	/** Unit in lower case as written; '' for none. */
	readonly unit: string;
}

/** A code of letters and digits: a part, a machine, a ticket. */
export interface CodeFigure {
	readonly kind: 'code';
	readonly text: string;
	readonly index: number;
	/** Equal for spellings that differ in case and separators. */
	readonly key: string;
}

export type FoundFigure = NumberFigure | CodeFigure | DateFigure;

const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_./-]{0,80}\p{L})(?=[\p{L}\p{N}_./-]{0,80}\p{N})[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
const DIGIT_CODE = /(?<![\p{L}\p{N}.,])\d+(?:-\d+)+(?![\p{L}\p{N}])/gu;
/** 1er, 2e, 3rd; 12h, 45kg, 3x: numbers that touch a word. */
const NUMBER_WITH_WORD = /^\d+(?:[.,]\d+)*(\p{L}{1,3}\d?|jours?|heures?|hours?|days?|million(?:s)?|euros?)$/u;
const ORDINAL = /^\d+(?:er|re|e|ème|eme|st|nd|rd|th)$/iu;
/** Blanks between thousands: only before three digits, so that two numbers side by side stay two. */
const NUMBER = /(?<![\p{L}\p{N}.,])\d{1,3}(?:[ ’']\d{3})+(?:[.,]\d+)?(?!\d)|(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*/gu;
const AFTER = /^[ ]?(%|€|\$|£|k€|M€|[\p{L}]{1,9}\d?)/u;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, 'k€': 1e3, thousand: 1e3, mille: 1e3, milliers: 1e3, m: 1e6, 'm€': 1e6, million: 1e6, millions: 1e6, md: 1e9, 'md€': 1e9, milliard: 1e9, milliards: 1e9, billion: 1e9 };
const LONGEST_UNIT = 12;
const PERCENT = /^ ?(?:pour[ -]?cent|per ?cent|pct)(?![\p{L}])/iu;
const TIME = /(?<![\p{L}\p{N}.,:/-])(\d{1,3}) ?(?:h|heures?|hours?|:(?=\d))(?: (?:et|and))? ?([0-5]\d)(?: ?(?:min|mn|minutes?)(?![\p{L}]))?(?::([0-5]\d)(?:\.\d+)?)?(?![\p{L}\p{N}:]|[.,]\d)/giu;
const LIST_MARK = /^[^\S\n]*(?:#{1,6}[^\S\n]+)?(\d{1,2})[.)](?=\s)/gmu;

/**
 * Every figure that a text states: dates, codes, then numbers, none of them twice. Numbers of lists (`1.`) and ordinals are none.
 * Order of place.
 */
export function findFigures(text: string): FoundFigure[] {
	const unlisted = plainDigits(text).replace(LIST_MARK, (mark) => ' '.repeat(mark.length));
	const dates = findDates(unlisted);
	const undated = blanked(unlisted, dates);
	const times = findTimes(undated);
	const untimed = blanked(undated, times);
	const { codes, ordinals } = findCodes(untimed);
	const numbers = findNumbers(blanked(untimed, [...codes, ...ordinals]));
	return [...dates, ...times, ...codes, ...numbers].sort((a, b) => a.index - b.index);
}

/** Of full-width, Persian and Arabic digits. */
const ZEROS = [0xff10, 0x6f0, 0x660];

/** Digits of other scripts as 0 to 9, and the blanks that do not break, as French has them in numbers, as plain ones. Same length. */
function plainDigits(text: string): string {
	return text
		.replace(/[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - (ZEROS.find((zero) => digit.charCodeAt(0) >= zero) ?? 0)))
		.replace(/[\u00a0\u2007\u2009\u202f]/g, ' ');
}

/** 14:30, 14h30, 14 h 30, 2 h 15 min, 2 heures et 15 minutes: a time of day or a duration, in minutes. */
function findTimes(text: string): NumberFigure[] {
	return [...text.matchAll(TIME)].map((match) => {
		const [written, hours, minutes, seconds] = match;
		const value = Number(hours) * 60 + Number(minutes) + Number(seconds ?? 0) / 60;
		return { kind: 'number', text: written, index: match.index, values: [value], steps: [seconds === undefined ? 1 : 1 / 60], unit: 'min' };
	});
}

function findCodes(text: string): { codes: CodeFigure[]; ordinals: Array<{ index: number; text: string }> } {
	const found = [...text.matchAll(CODE), ...text.matchAll(DIGIT_CODE)].map((match) => ({ index: match.index, text: match[0] }));
	const ordinals = found.filter((one) => ORDINAL.test(one.text));
	const codes = found.filter((one) => !ORDINAL.test(one.text) && !NUMBER_WITH_WORD.test(one.text));
	return { ordinals, codes: codes.map((one) => ({ ...one, kind: 'code' as const, key: codeKey(one.text) })) };
}

/** Equal for spellings of one code: `N-92c`, `n92C`. */
export function codeKey(code: string): string {
	return code.normalize('NFD').replace(/[\p{M}_./-]/gu, '').toLowerCase();
}

function findNumbers(text: string): NumberFigure[] {
	return [...text.matchAll(NUMBER)].map((match) => {
		const end = match.index + match[0].length;
		const after = text.slice(end, end + LONGEST_UNIT);
		const [percent] = PERCENT.exec(after) ?? [];
		const found = AFTER.exec(after);
		const unit = percent ? '%' : (found?.[1]?.toLowerCase() ?? '');
		const scale = SCALES[unit] ?? 1;
		// A small m may be metres.
		const scales = found?.[1] === 'm' ? [1, scale] : [scale];
		const read = readNumber(match[0]).flatMap((one) => scales.map((by) => ({ value: one.value * by, step: by * 10 ** -one.decimals })));
		return {
			kind: 'number',
			text: match[0] + (percent ?? found?.[0] ?? ''),
			index: match.index,
			values: read.map(({ value }) => value),
			steps: read.map(({ step }) => step),
			unit: scales[0] === 1 ? unit : '',
		};
	});
}

/** The readings of a number: `1.234,5` has one, `1,234` two. */
function readNumber(written: string): Array<{ value: number; decimals: number }> {
	const plain = written.replace(/[ ’']/g, '');
	const marks = plain.replace(/\d/g, '');
	const last = marks.at(-1);
	if (last === undefined) return [{ value: Number(plain), decimals: 0 }];
	const asDecimal = (): { value: number; decimals: number } => {
		const at = plain.lastIndexOf(last);
		const decimals = plain.length - at - 1;
		return { value: Number(`${plain.slice(0, at).replace(/[.,]/g, '')}.${plain.slice(at + 1)}`), decimals };
	};
	const asThousands = { value: Number(plain.replace(/[.,]/g, '')), decimals: 0 };
	const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(plain) && new Set(marks).size === 1 && plain === written;
	if (marks.length > 1 && new Set(marks).size === 1) return [asThousands];
	return isGrouped ? [asDecimal(), asThousands] : [asDecimal()];
}
