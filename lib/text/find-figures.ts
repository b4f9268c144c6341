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

const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}_./-]*\p{L})(?=[\p{L}\p{N}_./-]*\p{N})[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;
const DIGIT_CODE = /(?<![\p{L}\p{N}.,])\d+(?:-\d+)+(?![\p{L}\p{N}])/gu;
/** 1er, 2e, 3rd; 12h, 45kg, 3x: numbers that touch a word. */
const NUMBER_WITH_WORD = /^\d+(?:[.,]\d+)*(\p{L}{1,3}\d?|jours?|heures?|hours?|days?|million(?:s)?|euros?)$/u;
const ORDINAL = /^\d+(?:er|re|e|ème|eme|st|nd|rd|th)$/iu;
/** Blanks between thousands: only before three digits, so that two numbers side by side stay two. */
const NUMBER = /(?<![\p{L}\p{N}.,])\d{1,3}(?:[   ’']\d{3})+(?:[.,]\d+)?(?!\d)|(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*/gu;
const AFTER = /^[   ]?(%|€|\$|£|k€|M€|[\p{L}]{1,9}\d?)/u;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, 'k€': 1e3, thousand: 1e3, mille: 1e3, milliers: 1e3, m: 1e6, 'm€': 1e6, million: 1e6, millions: 1e6, md: 1e9, 'md€': 1e9, milliard: 1e9, milliards: 1e9, billion: 1e9 };
const LONGEST_UNIT = 12;
const LIST_MARK = /^[^\S\n]*(?:#{1,6}[^\S\n]+)?(\d{1,2})[.)](?=\s)/gmu;

/**
 * Every figure that a text states: dates, codes, then numbers, none of them twice. Numbers of lists (`1.`) and ordinals are none.
 * Order of place.
 */
export function findFigures(text: string): FoundFigure[] {
	const unlisted = text.replace(LIST_MARK, (mark) => ' '.repeat(mark.length));
	const dates = findDates(unlisted);
	const undated = blanked(unlisted, dates);
	const { codes, ordinals } = findCodes(undated);
	const numbers = findNumbers(blanked(undated, [...codes, ...ordinals]));
	return [...dates, ...codes, ...numbers].sort((a, b) => a.index - b.index);
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
		const unit = AFTER.exec(after)?.[1]?.toLowerCase() ?? '';
		const scale = SCALES[unit] ?? 1;
		const read = readNumber(match[0]);
		const gap = after.startsWith(unit) || unit === '' ? '' : after.charAt(0);
		return {
			kind: 'number',
			text: match[0] + gap + after.slice(gap.length, gap.length + unit.length),
			index: match.index,
			values: read.map(({ value }) => value * scale),
			steps: read.map(({ decimals }) => scale * 10 ** -decimals),
			unit: scale === 1 ? unit : '',
		};
	});
}

/** The readings of a number: `1.234,5` has one, `1,234` two. */
function readNumber(written: string): Array<{ value: number; decimals: number }> {
	const plain = written.replace(/[   ’']/g, '');
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
