import { CodedError } from '../../core/errors';
import { findDateOrder, readDateCell } from './date-cells';

/** Bounds as text that sorts like the cells of a date column; both belong to the span. */
export interface DateSpan {
	readonly from: string;
	readonly to: string;
}

/** Sorts after every time of its day. */
const END_OF_DAY = 'T99';

/**
 * Reads the date of a filter: a year, a quarter (2025-Q3), a month, a day or a time, and gives all that lies in it.
 *
 * @param timezone  the clock of the column, for a time that says its own zone
 * @throws CodedError BAD_INPUT when it is none of these, or could begin with the day or the month
 */
export function readDateSpan(value: unknown, timezone?: string): DateSpan {
	const text = String(value).trim();
	const year = /^(\d{4})$/.exec(text)?.[1];
	if (year !== undefined) return months(year, 1, 12);
	const quarter = /^(\d{4})[- ]?[QqTt]([1-4])$/.exec(text) ?? undefined;
	if (quarter !== undefined) return months(quarter[1] ?? '', Number(quarter[2]) * 3 - 2, Number(quarter[2]) * 3);
	const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? undefined;
	if (month !== undefined) return months(month[1] ?? '', Number(month[2]), Number(month[2]));
	const order = findDateOrder([text]);
	const date = order === undefined ? undefined : readDateCell(text, order, timezone);
	if (date !== undefined) return date.includes('T') ? { from: date, to: date } : { from: date, to: date + END_OF_DAY };
	throw new CodedError('BAD_INPUT', `"${text}" is not a date that is clear.`, {
		remedy: 'Write a day as 2025-12-31, a month as 2025-12, a quarter as 2025-Q4 or a year as 2025.',
	});
}

function months(year: string, first: number, last: number): DateSpan {
	const lastDay = new Date(Date.UTC(Number(year), last, 0)).getUTCDate();
	const two = (number: number): string => String(number).padStart(2, '0');
	return { from: `${year}-${two(first)}-01`, to: `${year}-${two(last)}-${two(lastDay)}${END_OF_DAY}` };
}
