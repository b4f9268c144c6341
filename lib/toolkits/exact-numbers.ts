import type { Complex as ComplexNumber } from 'complex.js';
import type { Decimal as DecimalNumber } from 'decimal.js';
import type { Fraction } from 'fraction.js';
import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { attempt } from './attempt';
import { makeTool } from './make-tool';
import { readNumber, type NumberLocale } from './read-number';
import { toolsFromModule, type ExportTool } from './tools-from-module';

type FractionNumber = InstanceType<typeof Fraction>;

const DECIMAL = { type: ['string', 'number'], description: 'A decimal number; as text to keep every digit, e.g. "0.1"' };
const DECIMALS = { type: 'array', items: DECIMAL, minItems: 1, maxItems: 10_000 };
const ROUNDINGS = ['half_up', 'half_even', 'half_down', 'up', 'down', 'ceil', 'floor'] as const;
type Rounding = (typeof ROUNDINGS)[number];
/** Significant digits of a result that has no end, such as 1/3. */
const DIGITS = 40;

/** Exact decimals, fractions and complex numbers. `locale` is how decimals are read. */
export function exactNumberTools(locale: NumberLocale): Tool[] {
	return [...decimalTools(locale), roundDecimal(locale), fractionTool(), complexTool()];
}

async function loadDecimal(): Promise<typeof DecimalNumber> {
	const { Decimal } = await import('decimal.js');
	return Decimal.clone({ precision: DIGITS, toExpNeg: -50, toExpPos: 50 });
}

function decimalTools(locale: NumberLocale): Tool[] {
	const read = (value: unknown): string => readDecimal(value, locale);
	const pair = (exported: string, name: string, intent: string, [first, second]: readonly [string, string]): ExportTool => ({
		export: exported,
		name,
		intent,
		says: 'Exact to 40 digits; the result is text, so that no digit is lost.',
		input: { [first]: DECIMAL, [second]: DECIMAL },
		toArguments: (input) => [read(input[first]), read(input[second])],
	});
	return toolsFromModule({
		module: 'decimal.js',
		load: loadDecimal,
		tags: ['decimals'],
		exports: [
			{
				export: 'sum', name: 'sum_decimals', intent: 'Adds decimal numbers exactly, for money and long lists.',
				says: 'The result is text, so that no digit is lost.', input: { numbers: DECIMALS },
				toArguments: (input) => (input.numbers as unknown[]).map(read),
			},
			pair('sub', 'subtract_decimal', 'Subtracts one decimal number from another exactly.', ['from', 'number']),
			pair('mul', 'multiply_decimals', 'Multiplies two decimal numbers exactly.', ['first', 'second']),
			pair('div', 'divide_decimal', 'Divides one decimal number by another, to 40 digits.', ['number', 'by']),
		],
	});
}

function roundDecimal(locale: NumberLocale): Tool {
	return makeTool<{ number: string | number; decimals: number; rounding?: Rounding }>({
		name: 'round_decimal',
		intent: 'Rounds a decimal number to a number of decimals by a rule of your choice.',
		description: 'half_up (default) rounds 2.5 to 3, half_even to 2 (banks). Keeps the zeros asked for. Returns {result} as text.',
		input: {
			number: DECIMAL,
			decimals: { type: 'integer', minimum: 0, maximum: 30 },
			rounding: { type: 'string', enum: ROUNDINGS },
		},
		optional: ['rounding'],
		tags: ['decimals'],
		run: async ({ number, decimals, rounding = 'half_up' }) => {
			const Decimal = await loadDecimal();
			const rule = Decimal[`ROUND_${rounding.toUpperCase() as Uppercase<Rounding>}`];
			return { result: new Decimal(readDecimal(number, locale)).toFixed(decimals, rule) };
		},
	});
}

/** A number of a call as plain digits: JSON numbers as they are, text as people write it. */
function readDecimal(value: unknown, locale: NumberLocale): string {
	if (typeof value === 'number') return String(value);
	const [, sign = '', digits = ''] = /^\s*([-+−]?)\s*(.*?)\s*$/.exec(String(value)) ?? [];
	const plain = /^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(digits) && locale === 'auto' && !/^\d{1,3}\.\d{3}$/.test(digits);
	return (sign === '' || sign === '+' ? '' : '-') + (plain ? digits : readNumber(digits, locale));
}

const FRACTION_OPERATIONS = ['add', 'subtract', 'multiply', 'divide', 'simplify'] as const;

function fractionTool(): Tool {
	const FRACTION = { type: 'string', description: 'For example 3/4, 1 1/2, 0.75 or 0.(3)' };
	return makeTool<{ operation: (typeof FRACTION_OPERATIONS)[number]; first: string; second?: string }>({
		name: 'calculate_fraction',
		intent: 'Calculates with fractions exactly: 1/3 + 1/6 is 1/2.',
		description: 'simplify takes only first. Returns {fraction, mixed, decimal}; repeating digits stand in parentheses.',
		input: { operation: { type: 'string', enum: FRACTION_OPERATIONS }, first: FRACTION, second: FRACTION },
		optional: ['second'],
		tags: ['fractions'],
		run: async ({ operation, first, second }) => {
			const { Fraction } = await import('fraction.js');
			const read = (text: string | undefined): FractionNumber =>
				attempt(() => new Fraction(text ?? ''), () => notUnderstood(text, 'a fraction', '3/4, 1 1/2 or 0.75'));
			const left = read(first);
			const result = operation === 'simplify' ? left : attempt(() => fractionOf(operation, left, read(second)), (why) => new CodedError('BAD_INPUT', `${first} ${operation} ${second ?? ''} fails: ${why}`));
			return { fraction: result.toFraction(), mixed: result.toFraction(true), decimal: result.toString() };
		},
	});
}

function fractionOf(operation: 'add' | 'subtract' | 'multiply' | 'divide', left: FractionNumber, right: FractionNumber): FractionNumber {
	switch (operation) {
		case 'add':
			return left.add(right);
		case 'subtract':
			return left.sub(right);
		case 'multiply':
			return left.mul(right);
		case 'divide':
			return left.div(right);
	}
}

const COMPLEX_OPERATIONS = ['add', 'subtract', 'multiply', 'divide', 'power', 'square_root', 'polar', 'conjugate'] as const;

function complexTool(): Tool {
	const COMPLEX = { type: 'string', description: 'For example 3+4i, -2i or 5' };
	return makeTool<{ operation: (typeof COMPLEX_OPERATIONS)[number]; first: string; second?: string }>({
		name: 'calculate_complex',
		intent: 'Calculates with complex numbers such as 3+4i.',
		description: 'square_root, polar and conjugate take only first. Returns {result, real, imaginary, magnitude, angle_degrees}.',
		input: { operation: { type: 'string', enum: COMPLEX_OPERATIONS }, first: COMPLEX, second: COMPLEX },
		optional: ['second'],
		tags: ['complex'],
		run: async ({ operation, first, second }) => {
			const { Complex } = await import('complex.js');
			const read = (text: string | undefined): ComplexNumber =>
				attempt(() => new Complex((text ?? '').replace(/\s+/g, '')), () => notUnderstood(text, 'a complex number', '3+4i'));
			const result = complexOf(operation, read(first), () => read(second));
			const round = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(12)) : null);
			return {
				result: new Complex(round(result.re) ?? Number.NaN, round(result.im) ?? Number.NaN).toString(),
				real: round(result.re),
				imaginary: round(result.im),
				magnitude: round(result.abs()),
				angle_degrees: round((result.arg() * 180) / Math.PI),
			};
		},
	});
}

function complexOf(operation: (typeof COMPLEX_OPERATIONS)[number], left: ComplexNumber, right: () => ComplexNumber): ComplexNumber {
	switch (operation) {
		case 'add':
			return left.add(right());
		case 'subtract':
			return left.sub(right());
		case 'multiply':
			return left.mul(right());
		case 'divide':
			return left.div(right());
		case 'power':
			return left.pow(right());
		case 'square_root':
			return left.sqrt();
		case 'conjugate':
			return left.conjugate();
		case 'polar':
			return left;
	}
}

function notUnderstood(text: string | undefined, what: string, example: string): CodedError {
	return new CodedError('BAD_INPUT', text === undefined ? 'The argument "second" is missing.' : `"${text}" is not ${what}.`, { remedy: `Write it as ${example}.` });
}
