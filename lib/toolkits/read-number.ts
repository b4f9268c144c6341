import { CodedError } from '../core/errors';

/** How numbers are written: `en` 1,234.56 · `fr` 1 234,56 · `auto` takes both and asks when they differ. */
export type NumberLocale = 'auto' | 'en' | 'fr';

/** The spaces that stand between thousands: ordinary, no-break, narrow no-break, thin. */
export const SPACES = ' \\u00a0\\u202f\\u2009';
const ANY_SPACE = new RegExp(`[${SPACES}]`, 'g');
const SPACED = new RegExp(`^\\d{1,3}(?:[${SPACES}]\\d{3})+(?:[.,]\\d+)?$`);

/**
 * Reads an unsigned decimal number as people write it and gives it as plain digits with a decimal point.
 *
 * `1 234,56`, `1.234,56` and `1,234.56` give `1234.56`. One separator before exactly three digits is clear only when the
 * locale decides: `1,500` is 1500 in `en` and 1.5 in `fr`; `1.500` is 1.5 in `en` and a question in `fr`; both are questions
 * in `auto`.
 *
 * @throws CodedError BAD_INPUT with the question to ask, or when it is no number
 */
export function readNumber(text: string, locale: NumberLocale): string {
	if (/^\d+$/.test(text)) return text;
	if (text.search(ANY_SPACE) >= 0) {
		if (!SPACED.test(text)) throw notANumber(text);
		return text.replace(ANY_SPACE, '').replace(',', '.');
	}
	const dots = text.split('.').length - 1;
	const commas = text.split(',').length - 1;
	if (dots > 0 && commas > 0) return readBoth(text, locale);
	if (dots + commas > 1) return readGroups(text, dots > 0 ? '.' : ',', locale);
	return readOne(text, locale);
}

function readBoth(text: string, locale: NumberLocale): string {
	const decimal = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ',';
	const [whole = '', fraction = '', ...more] = text.split(decimal);
	const group = decimal === '.' ? ',' : '.';
	const expected = locale === 'en' ? '.' : locale === 'fr' ? ',' : decimal;
	if (more.length > 0 || !isGrouped(whole, group) || decimal !== expected) throw notANumber(text, locale);
	return `${whole.replaceAll(group, '')}.${fraction}`;
}

function readGroups(text: string, separator: string, locale: NumberLocale): string {
	const foreign = (locale === 'en' && separator === '.') || (locale === 'fr' && separator === ',');
	if (foreign || !isGrouped(text, separator)) throw notANumber(text, locale);
	return text.replaceAll(separator, '');
}

function readOne(text: string, locale: NumberLocale): string {
	const match = /^(\d*)([.,])(\d+)$/.exec(text);
	if (match === null) throw notANumber(text, locale);
	const [, whole = '', separator = '', fraction = ''] = match;
	const decimal = `${whole || '0'}.${fraction}`;
	const isPlain = !(fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole));
	if (isPlain && locale === 'en' && separator === ',') throw notANumber(text, locale);
	if (isPlain || (locale === 'en' && separator === '.') || (locale === 'fr' && separator === ',')) return decimal;
	if (locale === 'en') return whole + fraction;
	throw twoReadings(text, whole + fraction, decimal);
}

function isGrouped(text: string, separator: string): boolean {
	const [first = '', ...groups] = text.split(separator);
	return /^\d{1,3}$/.test(first) && groups.length > 0 && groups.every((group) => /^\d{3}$/.test(group));
}

function twoReadings(text: string, grouped: string, decimal: string): CodedError {
	const short = decimal.replace(/0+$/, '').replace(/\.$/, '');
	// Three digits after the point would be the same question again: a fourth makes it clear.
	const plain = /\.\d{3}$/.test(short) ? `${short}0` : short;
	return new CodedError('BAD_INPUT', `Is "${text}" ${grouped} or ${plain}? It can be read both ways.`, {
		remedy: `Write ${grouped} or ${plain}, or set locale to en or fr.`,
	});
}

function notANumber(text: string, locale: NumberLocale = 'auto'): CodedError {
	const where = locale === 'auto' ? '' : ` written the ${locale === 'en' ? 'English' : 'French'} way`;
	return new CodedError('BAD_INPUT', `"${text}" is not a number${where}. Write digits with a point for decimals only.`);
}
