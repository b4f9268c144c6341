import type { Tool } from '../core/tool';
import { evaluateExpression } from './evaluate-expression';
import { localizeExpression } from './localize-expression';
import { makeTool } from './make-tool';
import type { NumberLocale } from './read-number';

/** The schema of a `locale` argument. */
export const LOCALE_SCHEMA = {
	type: 'string',
	enum: ['auto', 'en', 'fr'],
	description: 'How numbers are written: en = 1,234.56; fr = 1 234,56; auto = both, with a question back when that is unclear',
};

/** Exact arithmetic on one expression; `locale` is how numbers are read when the call does not say. */
export function arithmeticTools(locale: NumberLocale): Tool[] {
	return [
		makeTool<{ expression: string; locale?: NumberLocale }>({
			name: 'calculate',
			intent: 'Calculates an arithmetic expression exactly.',
			description:
				'Decimal arithmetic without rounding errors: + - * / ^ % ! mod, parentheses, comparisons, sqrt, round(x; digits), ' +
				'abs, floor, ceil, exp, log, min, max, mean, median, sum, std, sin, cos, tan, factorial… Separate arguments with "; ". ' +
				'100 + 10% is 110. Returns {expression, result}: the expression as it was understood and its value. ' +
				'No units, names or variables. A number that can be read in two ways is refused with a question.',
			input: {
				expression: { type: 'string', description: 'For example (1200 - 350.5) * 12 / 100' },
				locale: LOCALE_SCHEMA,
			},
			optional: ['locale'],
			tags: ['arithmetic'],
			run: (input) => calculate(input.expression, input.locale ?? locale),
		}),
	];
}

function calculate(expression: string, locale: NumberLocale): object {
	const plain = localizeExpression(expression.trim(), locale);
	return { expression: plain, result: evaluateExpression(plain) };
}
