const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/;
const NUMERIC = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?$/;

/** Which figure comes first in 03/04/2025. */
export type DateOrder = 'day-first' | 'month-first';

/**
 * Reads a date as ISO text, without a time as `2025-12-31`, with one as `2025-12-31T14:30:00`; a time with its own zone is
 * given as the clock of `timezone` shows it then. Undefined when it is no date that exists.
 *
 * @param timezone  IANA name
 */
export function readDateCell(text: string, order: DateOrder, timezone = 'UTC'): string | undefined {
	const iso = ISO.exec(text.trim());
	if (iso !== null) {
		const [, year, month, day, hour, minute, second, zone] = iso;
		if (!exists(Number(year), Number(month), Number(day))) return undefined;
		if (zone !== undefined) return onClock(text, timezone);
		return hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}`;
	}
	const numeric = NUMERIC.exec(text.trim());
	if (numeric === null) return undefined;
	const [, first = '', , second = '', year = '', hour, minute, seconds] = numeric;
	const [day, month] = order === 'day-first' ? [first, second] : [second, first];
	if (!exists(Number(year), Number(month), Number(day))) return undefined;
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return hour === undefined ? date : `${date}T${hour.padStart(2, '0')}:${minute}:${seconds ?? '00'}`;
}

/** True when the text has the form of a date, whether or not that day exists. */
export function looksLikeDate(text: string): boolean {
	return ISO.test(text.trim()) || NUMERIC.test(text.trim());
}

/**
 * The order of the figures in a column, or undefined when no value shows it (all are like 03/04/2025). ISO dates need none.
 */
export function findDateOrder(values: readonly string[]): DateOrder | undefined {
	let dayFirst = 0;
	let monthFirst = 0;
	let unclear = 0;
	for (const value of values) {
		const match = NUMERIC.exec(value.trim());
		if (match === null) continue;
		if (Number(match[1]) > 12 || match[2] === '.') dayFirst += 1;
		else if (Number(match[3]) > 12) monthFirst += 1;
		else unclear += 1;
	}
	if (dayFirst === 0 && monthFirst === 0) return unclear === 0 ? 'day-first' : undefined;
	return dayFirst >= monthFirst ? 'day-first' : 'month-first';
}

function exists(year: number, month: number, day: number): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** True for a time that says its own zone. */
export function hasZone(text: string): boolean {
	return ISO.exec(text.trim())?.[7] !== undefined;
}

function onClock(text: string, timezone: string): string | undefined {
	const date = new Date(text.trim().replace(' ', 'T').replace(',', '.'));
	if (Number.isNaN(date.getTime())) return undefined;
	return timezone === 'UTC' ? date.toISOString().slice(0, 19) : clockOf(timezone).format(date).replace(' ', 'T');
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Swedish writes a time as ISO does. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
	const known = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
	clocks.set(timeZone, known);
	return known;
}
