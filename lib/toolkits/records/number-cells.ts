/** Decimal sign of a column: `comma` is 1 234,56 or 1.234,56; `point` is 1,234.56 or 1 234.56. */
export type NumberStyle = 'comma' | 'point';

export interface NumberCell {
	readonly value: number;
	/** Digits after the decimal sign as written. */
	readonly decimals: number;
	readonly unit?: string;
}

const UNITS = '%|€|\\$|£|EUR|USD|GBP|CHF|km\\/h|km|kg|kWh|kW|mm|cm|m²|m³|m2|m3|°C|bar|min|h|m|g|t|l|L|s|j|d|V|A|W';
const CELL = new RegExp(`^([€$£]\\s?)?([-+−])?\\s?([€$£]\\s?)?(\\d[\\d.,\\s]*?)(?:\\s*(%|€|\\$|£)|\\s+(${UNITS}))?$`);
const SPACE = /\s/g;

/**
 * Reads one number in the style of its column, with a currency sign before it or a unit after it.
 *
 * Undefined when it is no number, has more digits than a double keeps, or begins with zeros like a code (`007`).
 */
export function readNumberCell(text: string, style: NumberStyle): NumberCell | undefined {
	const match = CELL.exec(text.trim());
	if (match === null) return readExponent(text);
	const [, before, minus, inside, body = '', sign, unit] = match;
	const digits = plainDigits(body, style);
	if (digits === undefined || /^0\d/.test(digits)) return undefined;
	if (digits.replace('.', '').replace(/^0+/, '').length > 15) return undefined;
	const value = Number(digits) * (minus === '-' || minus === '−' ? -1 : 1);
	const decimals = digits.split('.')[1]?.length ?? 0;
	const own = sign ?? unit ?? (before ?? inside)?.trim();
	return own === undefined ? { value, decimals } : { value, decimals, unit: own };
}

function readExponent(text: string): NumberCell | undefined {
	if (!/^-?\d(\.\d+)?[eE][+-]?\d{1,3}$/.test(text.trim())) return undefined;
	const value = Number(text);
	return Number.isFinite(value) ? { value, decimals: decimalsOf(value) } : undefined;
}

function plainDigits(body: string, style: NumberStyle): string | undefined {
	const [decimal, group] = style === 'comma' ? [',', '.'] : ['.', ','];
	const [whole = '', fraction, ...more] = body.split(decimal);
	if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined;
	const grouped = whole.replace(SPACE, ' ');
	const separator = grouped.includes(' ') ? ' ' : group;
	const [first = '', ...groups] = grouped.split(separator);
	const isGrouped = groups.length > 0 && /^\d{1,3}$/.test(first) && groups.every((part) => /^\d{3}$/.test(part));
	if (!isGrouped && !/^\d+$/.test(grouped)) return undefined;
	const joined = isGrouped ? first + groups.join('') : grouped;
	return fraction === undefined ? joined : `${joined}.${fraction}`;
}

/**
 * Finds the decimal sign of a column. A separator that is followed by other than three digits, or that stands beside the
 * other one, shows it; `clear` is false when nothing in the column shows it and `fallback` was taken.
 */
export function findNumberStyle(values: readonly string[], fallback: NumberStyle): { style: NumberStyle; clear: boolean } {
	let comma = 0;
	let point = 0;
	let unclear = 0;
	for (const value of values) {
		const found = /([.,])(\d+)\D*$/.exec(value);
		if (found === null) continue;
		const separators = value.replace(/[^.,]/g, '');
		const isRepeated = separators.length > 1 && separators === found[1]?.repeat(separators.length);
		const isGroup = isRepeated || (separators.length === 1 && found[2]?.length === 3 && !/(^|\D)0[.,]/.test(value) && /(^|\D)\d{1,3}[.,]/.test(value));
		if (isGroup && !isRepeated) unclear += 1;
		else if ((found[1] === ',') !== isRepeated) comma += 1;
		else point += 1;
	}
	if (comma === point) return { style: fallback, clear: unclear === 0 && comma === 0 };
	return { style: comma > point ? 'comma' : 'point', clear: true };
}

/** Digits after the decimal point of a number as JavaScript writes it; 0 for whole numbers. */
export function decimalsOf(value: number): number {
	const [mantissa = '', exponent = '0'] = String(value).split('e');
	return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}
