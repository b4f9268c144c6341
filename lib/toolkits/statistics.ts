import type * as SimpleStatistics from 'simple-statistics';
import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { makeTool } from './make-tool';
import { toolsFromModule } from './tools-from-module';

type Library = typeof SimpleStatistics;
const MAX_VALUES = 100_000;
/** Digits that a double carries safely through these computations. */
const DIGITS = 12;

const NUMBERS = { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: MAX_VALUES };
const TWO_NUMBERS = { ...NUMBERS, minItems: 2 };

function loadLibrary(): Promise<Library> {
	return import('simple-statistics');
}

/** Rounds to 12 significant digits, so that 0.1 + 0.2 reads 0.3; NaN and infinities become null. */
function round(value: number): number | null {
	return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
}

/** Functions of the library from a list of numbers to one: export, words for it, least count for which it means something. */
const LIST_FUNCTIONS: readonly (readonly [string, string, string, number?])[] = [
	['sum', 'sum_of_numbers', 'the sum'],
	['product', 'product_of_numbers', 'the product'],
	['mean', 'mean_of_numbers', 'the arithmetic mean (average)'],
	['median', 'median_of_numbers', 'the median'],
	['mode', 'mode_of_numbers', 'the most frequent value'],
	['min', 'smallest_of_numbers', 'the smallest value'],
	['max', 'largest_of_numbers', 'the largest value'],
	['sampleStandardDeviation', 'standard_deviation_of_numbers', 'the sample standard deviation (n - 1)', 2],
	['standardDeviation', 'population_standard_deviation_of_numbers', 'the standard deviation of a whole population (n)'],
	['sampleVariance', 'variance_of_numbers', 'the sample variance (n - 1)', 2],
	['variance', 'population_variance_of_numbers', 'the variance of a whole population (n)'],
	['interquartileRange', 'interquartile_range_of_numbers', 'the spread between the first and the third quartile'],
	['medianAbsoluteDeviation', 'median_absolute_deviation_of_numbers', 'the median distance from the median, a spread that outliers do not move'],
	['coefficientOfVariation', 'coefficient_of_variation_of_numbers', 'the standard deviation divided by the mean', 2],
	['geometricMean', 'geometric_mean_of_numbers', 'the geometric mean, for growth factors; all numbers above 0'],
	['harmonicMean', 'harmonic_mean_of_numbers', 'the harmonic mean, for rates and speeds; all numbers above 0'],
	['rootMeanSquare', 'root_mean_square_of_numbers', 'the root mean square'],
	['sampleSkewness', 'skewness_of_numbers', 'how lopsided the numbers are: 0 symmetric, above 0 a long tail upwards', 3],
	['sampleKurtosis', 'kurtosis_of_numbers', 'how heavy the tails are: 0 as in a normal distribution', 4],
];

/** Statistics over lists of numbers given in the call; for rows of a table, use the records tools. */
export function statisticsTools(): Tool[] {
	return [describeNumbers(), ...listTools(), percentile(), linearTrend(), correlation()];
}

function listTools(): Tool[] {
	return toolsFromModule({
		module: 'simple-statistics',
		load: loadLibrary,
		tags: ['statistics'],
		exports: LIST_FUNCTIONS.map(([exported, name, says, least = 1]) => ({
			export: exported,
			name,
			intent: `Gives ${says} of a list of numbers.`,
			counted: 'numbers',
			input: { numbers: { ...NUMBERS, minItems: least } },
		})),
	});
}

function describeNumbers(): Tool {
	return makeTool<{ numbers: number[] }>({
		name: 'describe_numbers',
		intent: 'Summarises a list of numbers: count, sum, mean, median, spread, smallest, largest.',
		description: 'Returns {count, sum, mean, median, min, max, standardDeviation, firstQuartile, thirdQuartile}.',
		input: { numbers: NUMBERS },
		tags: ['statistics'],
		run: async ({ numbers }) => {
			const library = await loadLibrary();
			return {
				count: numbers.length,
				sum: round(library.sum(numbers)),
				mean: round(library.mean(numbers)),
				median: round(library.median(numbers)),
				min: library.min(numbers),
				max: library.max(numbers),
				standardDeviation: numbers.length > 1 ? round(library.sampleStandardDeviation(numbers)) : null,
				firstQuartile: round(library.quantile(numbers, 0.25)),
				thirdQuartile: round(library.quantile(numbers, 0.75)),
			};
		},
	});
}

function percentile(): Tool {
	return makeTool<{ numbers: number[]; percent: number }>({
		name: 'percentile_of_numbers',
		intent: 'Gives the value below which a given percentage of the numbers lies.',
		description: 'percent is 0 to 100; 50 is the median. Returns {count, percent, result}.',
		input: { numbers: NUMBERS, percent: { type: 'number', minimum: 0, maximum: 100 } },
		tags: ['statistics'],
		run: async ({ numbers, percent }) => ({
			count: numbers.length,
			percent,
			result: round((await loadLibrary()).quantile(numbers, percent / 100)),
		}),
	});
}

function linearTrend(): Tool {
	return makeTool<{ numbers: number[]; positions?: number[]; predict_at?: number }>({
		name: 'linear_trend',
		intent: 'Fits a straight line through a series and says how fast it rises or falls.',
		description:
			'positions are the x values (default 1, 2, 3…), predict_at an x value to extend the line to (default: the next one). ' +
			'Returns {slope, intercept, fit, predictedAt, prediction}; fit is R², 1 for a perfect line.',
		input: { numbers: TWO_NUMBERS, positions: TWO_NUMBERS, predict_at: { type: 'number' } },
		optional: ['positions', 'predict_at'],
		tags: ['statistics'],
		run: async ({ numbers, positions, predict_at: predictAt }) => {
			const library = await loadLibrary();
			const x = positions ?? numbers.map((_, index) => index + 1);
			const points = pairs(x, numbers);
			const line = library.linearRegression(points);
			const valueAt = library.linearRegressionLine(line);
			const at = predictAt ?? Math.max(...x) + 1;
			const fit = library.rSquared(points, valueAt);
			return { slope: round(line.m), intercept: round(line.b), fit: round(fit), predictedAt: at, prediction: round(valueAt(at)) };
		},
	});
}

function correlation(): Tool {
	return makeTool<{ first: number[]; second: number[] }>({
		name: 'correlation_of_numbers',
		intent: 'Says whether two series of numbers move together.',
		description: 'Both lists have the same length. Returns {count, result}: 1 together, -1 opposite, 0 unrelated.',
		input: { first: TWO_NUMBERS, second: TWO_NUMBERS },
		tags: ['statistics'],
		run: async ({ first, second }) => {
			const count = pairs(first, second).length;
			return { count, result: round((await loadLibrary()).sampleCorrelation(first, second)) };
		},
	});
}

function pairs(first: readonly number[], second: readonly number[]): number[][] {
	if (first.length === second.length) return first.map((x, index) => [x, second[index] ?? 0]);
	throw new CodedError('BAD_INPUT', `The two lists have ${first.length} and ${second.length} numbers.`, {
		remedy: 'Give two lists of the same length.',
	});
}
