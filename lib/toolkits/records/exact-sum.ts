import type { Decimal as DecimalValue } from 'decimal.js';

/** More decimals than this, or larger sums, go through decimal.js; the others through whole numbers, which is much faster. */
const MAX_FAST_DECIMALS = 6;
/** Past 2^53 whole numbers are no longer exact either. */
const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;

/**
 * Measures without rounding errors; `decimals` is the most digits after the point of any value. Means and what lies between
 * two values are rounded to two more decimals than that, at least four. Null for no values.
 */
export interface ExactMeasures {
	/** 0.1 + 0.2 is 0.3, and cents stay cents over 100,000 rows. [] gives 0. */
	sum(values: Float64Array, decimals: number): number;
	mean(values: Float64Array, decimals: number): number | null;
	/** The middle value, the mean of the two middle ones for an even count. */
	median(values: Float64Array, decimals: number): number | null;
	/** The value below which `percent` of the values lie (0..100), between two values in proportion. */
	percentile(values: Float64Array, percent: number, decimals: number): number | null;
}

/** The measures, once their library is loaded. */
export async function exactMeasures(): Promise<ExactMeasures> {
	const { Decimal } = await import('decimal.js');
	const Wide = Decimal.clone({ precision: 60 });
	const wideSum = (values: Float64Array): DecimalValue => values.reduce<DecimalValue>((sum, value) => sum.plus(value), new Wide(0));

	const total = (values: Float64Array, decimals: number): DecimalValue => {
		const scaled = scaledSum(values, decimals);
		return scaled === undefined ? wideSum(values) : new Decimal(scaled).dividedBy(new Decimal(10).pow(decimals));
	};
	const mean = (values: Float64Array, decimals: number): number | null => {
		if (values.length === 0) return null;
		return total(values, decimals).dividedBy(values.length).toDecimalPlaces(meanDecimals(decimals)).toNumber();
	};
	return {
		mean,
		sum(values, decimals) {
			const scaled = scaledSum(values, decimals);
			return scaled === undefined ? Number(wideSum(values)) : scaled / 10 ** decimals;
		},
		median(values, decimals) {
			const sorted = values.slice().sort();
			const middle = Math.floor(sorted.length / 2);
			return mean(sorted.subarray(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1), decimals);
		},
		percentile(values, percent, decimals) {
			if (values.length === 0) return null;
			const sorted = values.slice().sort();
			const place = (Math.min(100, Math.max(0, percent)) / 100) * (sorted.length - 1);
			const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
			const share = new Decimal(place).minus(Math.floor(place));
			return new Decimal(high).minus(low).times(share).plus(low).toDecimalPlaces(meanDecimals(decimals)).toNumber();
		},
	};
}

function meanDecimals(decimals: number): number {
	return Math.max(4, decimals + 2);
}

/** The sum times 10^decimals; undefined where whole numbers would not be exact. */
function scaledSum(values: Float64Array, decimals: number): number | undefined {
	if (decimals > MAX_FAST_DECIMALS) return undefined;
	const { round, abs } = Math;
	const scale = 10 ** decimals;
	let sum = 0;
	let reached = 0;
	for (const value of values) {
		const whole = round(value * scale);
		reached += abs(whole);
		if (reached > LARGEST_EXACT) return undefined;
		sum += whole;
	}
	return sum;
}
