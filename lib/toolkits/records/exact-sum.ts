import type { Decimal as DecimalValue } from 'decimal.js';

/** More decimals than this, or larger sums, go through decimal.js; the others through whole numbers, which is much faster. */
const MAX_FAST_DECIMALS = 6;

/**
 * The sum of decimal numbers without rounding errors: 0.1 + 0.2 is 0.3, and cents stay cents over 100,000 rows. [] gives 0.
 *
 * @param decimals most digits after the point of any value
 */
export async function exactSum(values: readonly number[], decimals: number): Promise<number> {
	return fastSum(values, decimals) ?? Number(await decimalSum(values));
}

/** Sum and count as one exactly rounded mean; null for no values. */
export async function exactMean(values: readonly number[], decimals: number): Promise<number | null> {
	if (values.length === 0) return null;
	const total = await decimalTotal(values, decimals);
	return total.dividedBy(values.length).toDecimalPlaces(meanDecimals(decimals)).toNumber();
}

/** The middle value, the mean of the two middle ones for an even count; null for no values. */
export async function exactMedian(values: readonly number[], decimals: number): Promise<number | null> {
	const sorted = [...values].sort((first, second) => first - second);
	const middle = Math.floor(sorted.length / 2);
	return exactMean(sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1), decimals);
}

/** The value below which `percent` of the values lie (0..100), between two values in proportion; null for no values. */
export async function exactPercentile(values: readonly number[], percent: number, decimals: number): Promise<number | null> {
	if (values.length === 0) return null;
	const { Decimal } = await import('decimal.js');
	const sorted = [...values].sort((first, second) => first - second);
	const place = (Math.min(100, Math.max(0, percent)) / 100) * (sorted.length - 1);
	const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
	const share = new Decimal(place).minus(Math.floor(place));
	return new Decimal(high).minus(low).times(share).plus(low).toDecimalPlaces(meanDecimals(decimals)).toNumber();
}

/** Means are rounded to two more decimals than their values have, at least four. */
function meanDecimals(decimals: number): number {
	return Math.max(4, decimals + 2);
}

function fastSum(values: readonly number[], decimals: number): number | undefined {
	const scaled = fastScaledSum(values, decimals);
	return scaled === undefined ? undefined : scaled / 10 ** decimals;
}

function fastScaledSum(values: readonly number[], decimals: number): number | undefined {
	if (decimals > MAX_FAST_DECIMALS) return undefined;
	const scale = 10 ** decimals;
	let sum = 0;
	let reached = 0;
	for (const value of values) {
		const whole = Math.round(value * scale);
		reached += Math.abs(whole);
		// Past 2^53 whole numbers are no longer exact either.
		if (reached > Number.MAX_SAFE_INTEGER) return undefined;
		sum += whole;
	}
	return sum;
}

async function decimalTotal(values: readonly number[], decimals: number): Promise<DecimalValue> {
	const { Decimal } = await import('decimal.js');
	const scaled = fastScaledSum(values, decimals);
	return scaled === undefined ? decimalSum(values) : new Decimal(scaled).dividedBy(new Decimal(10).pow(decimals));
}

async function decimalSum(values: readonly number[]): Promise<DecimalValue> {
	const { Decimal } = await import('decimal.js');
	const Wide = Decimal.clone({ precision: 60 });
	return values.reduce((sum, value) => sum.plus(value), new Wide(0));
}
