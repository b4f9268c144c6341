import { CodedError } from '../core/errors';
import { readNumber, SPACES, type NumberLocale } from './read-number';

const NUMBER = new RegExp(`(?:\\d+(?:[${SPACES}]\\d{3}(?!\\d))*(?:[.,]\\d+)*|\\.\\d+)(?:[eE][+-]?\\d+)?`, 'y');
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const SIGNS: { readonly [sign: string]: string } = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' };

/**
 * Rewrites an arithmetic expression with numbers as people write them into one with plain numbers and `,` between arguments.
 *
 * Inside a function or a list, `;` or a comma followed by a space always separates. A comma right between digits there is
 * refused when it could also belong to a number (`max(1,5)`, except in `en`, where 1,5 is no number).
 *
 * @throws CodedError BAD_INPUT with the question to ask
 */
export function localizeExpression(expression: string, locale: NumberLocale): string {
	const open: ('list' | 'group')[] = [];
	let plain = '';
	let position = 0;
	let afterName = false;
	while (position < expression.length) {
		const rest = matchAt(NAME, expression, position) ?? matchAt(NUMBER, expression, position) ?? charAt(expression, position);
		position += rest.length;
		const inList = open.at(-1) === 'list';
		if (rest === '(' || rest === '[') open.push(rest === '[' || afterName ? 'list' : 'group');
		if (rest === ')' || rest === ']') open.pop();
		plain += /^\.?\d/.test(rest) ? plainNumbers(rest, locale, inList) : plainSign(rest, inList);
		if (rest.trim() !== '') afterName = /^[\p{L}_]/u.test(rest);
	}
	return plain;
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
	pattern.lastIndex = position;
	return pattern.exec(text)?.[0];
}

function charAt(text: string, position: number): string {
	return String.fromCodePoint(text.codePointAt(position) ?? 32);
}

function plainSign(sign: string, inList: boolean): string {
	if (sign === ';' || sign === ',') {
		if (inList) return ',';
		throw new CodedError('BAD_INPUT', `"${sign}" stands between two values outside a function. Give one expression.`);
	}
	return SIGNS[sign] ?? (/\s/.test(sign) ? ' ' : sign);
}

function plainNumbers(text: string, locale: NumberLocale, inList: boolean): string {
	const [, digits = text, exponent = ''] = /^(.*?)([eE][+-]?\d+)?$/.exec(text) ?? [];
	if (!inList || !digits.includes(',')) return readNumber(digits, locale) + exponent;
	if (locale === 'fr' || isOneNumber(digits, locale)) throw separatorQuestion(digits);
	return digits.split(',').map((part) => readNumber(part, locale)).join(',') + exponent;
}

/** Could the text, commas included, be a single number? */
function isOneNumber(text: string, locale: NumberLocale): boolean {
	const grouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/;
	const decimalComma = /^(\d+|\d{1,3}([.\s]\d{3})+),\d+$/;
	return grouped.test(text) || (locale === 'auto' && decimalComma.test(text));
}

function separatorQuestion(text: string): CodedError {
	const parts = text.split(',').join('; ');
	return new CodedError('BAD_INPUT', `Is "${text}" one number or several values? It can be read both ways.`, {
		remedy: `Write ${parts} for several values, or the number with a decimal point and no other separator.`,
	});
}
