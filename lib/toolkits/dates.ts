import type { DateTime } from 'luxon';
import { CodedError } from '../core/errors';
import type { Clock } from '../core/ports';
import type { Tool } from '../core/tool';
import { LOCALE_SCHEMA } from './arithmetic';
import { makeTool } from './make-tool';
import { readDate, type DateLocale } from './read-date';
import { resolvePeriod } from './resolve-period';

export interface DateToolSettings {
	readonly timezone: string;
	readonly locale: DateLocale;
	readonly clock: Pick<Clock, 'now'>;
}

const DATE = { type: 'string', description: 'A date, best as 2025-12-31 or 2025-12-31T14:30; 31/12/2025 and 31 décembre 2025 are read too' };
const TIMESTAMP = { type: 'integer', description: 'Milliseconds since 1970-01-01 UTC' };
const UNITS = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
type Unit = (typeof UNITS)[number];
const TAGS = ['dates'];

/** Dates, timestamps, differences and periods in the timezone of the settings. */
export function dateTools(settings: DateToolSettings): Tool[] {
	return [currentDatetime(settings), ...fromReadable(settings), ...fromTimestamp(settings), difference(settings), addition(settings),
		period(settings)];
}

function currentDatetime(settings: DateToolSettings): Tool {
	return makeTool<Record<string, never>>({
		name: 'current_datetime',
		intent: 'Gives the current date and time.',
		description: 'Returns {datetime, date, weekday, week, quarter, timezone, timestampMs}.',
		input: {},
		tags: TAGS,
		annotations: { readOnly: true, destructive: false, idempotent: false },
		run: async () => {
			const now = await fromMillis(settings.clock.now(), settings);
			return { ...shown(now), weekday: now.setLocale('en').weekdayLong, week: now.weekNumber, quarter: now.quarter };
		},
	});
}

function fromReadable(settings: DateToolSettings): Tool[] {
	const result = 'Returns timestamps in ms; a date without a time is midnight in the workflow timezone.';
	return [
		makeTool<{ date: string; locale?: DateLocale }>({
			name: 'readable_date_to_timestamp_ms',
			intent: 'Turns one date as people write it into a timestamp in milliseconds.',
			description: result,
			input: { date: DATE, locale: LOCALE_SCHEMA },
			optional: ['locale'],
			tags: TAGS,
			run: async (input) => shown(await readDate(input.date, { ...settings, ...localeOf(input) })),
		}),
		makeTool<{ dates: string[]; locale?: DateLocale }>({
			name: 'readable_dates_to_timestamps_ms',
			intent: 'Turns several dates as people write them into timestamps in milliseconds.',
			description: `${result} Same order as given.`,
			input: { dates: { type: 'array', items: DATE, minItems: 1, maxItems: 1000 }, locale: LOCALE_SCHEMA },
			optional: ['locale'],
			tags: TAGS,
			run: async (input) => {
				const dates = await Promise.all(input.dates.map((date) => readDate(date, { ...settings, ...localeOf(input) })));
				return { timestampsMs: dates.map((date) => date.toMillis()), timezone: settings.timezone };
			},
		}),
	];
}

function fromTimestamp(settings: DateToolSettings): Tool[] {
	return [
		makeTool<{ timestamp_ms: number }>({
			name: 'timestamp_ms_to_readable_date',
			intent: 'Turns one timestamp in milliseconds into a readable date.',
			description: 'Returns {datetime, date, timezone, timestampMs}.',
			input: { timestamp_ms: TIMESTAMP },
			tags: TAGS,
			run: async (input) => shown(await fromMillis(input.timestamp_ms, settings)),
		}),
		makeTool<{ timestamps_ms: number[] }>({
			name: 'timestamps_ms_to_readable_dates',
			intent: 'Turns several timestamps in milliseconds into readable dates.',
			description: 'Returns {datetimes, timezone}, same order as given.',
			input: { timestamps_ms: { type: 'array', items: TIMESTAMP, minItems: 1, maxItems: 1000 } },
			tags: TAGS,
			run: async (input) => {
				const dates = await Promise.all(input.timestamps_ms.map((value) => fromMillis(value, settings)));
				return { datetimes: dates.map(isoOf), timezone: settings.timezone };
			},
		}),
	];
}

function difference(settings: DateToolSettings): Tool {
	return makeTool<{ from: string; to: string; locale?: DateLocale }>({
		name: 'date_difference',
		intent: 'Says how much time lies between two dates.',
		description: 'Returns {days, hours, calendar}: days and hours in all (negative when "to" is earlier), calendar in years, months, days.',
		input: { from: DATE, to: DATE, locale: LOCALE_SCHEMA },
		optional: ['locale'],
		tags: TAGS,
		run: async (input) => {
			const own = { ...settings, ...localeOf(input) };
			const [from, to] = [await readDate(input.from, own), await readDate(input.to, own)];
			const { years, months, days } = to.diff(from, ['years', 'months', 'days', 'hours']).toObject();
			return {
				days: twoDigits(to.diff(from, 'days').days),
				hours: twoDigits(to.diff(from, 'hours').hours),
				calendar: { years, months, days },
			};
		},
	});
}

function addition(settings: DateToolSettings): Tool {
	return makeTool<{ date: string; amount: number; unit: Unit; locale?: DateLocale }>({
		name: 'add_to_date',
		intent: 'Adds days, months, hours… to a date, or takes them away.',
		description: 'A negative amount goes back. One month after 31 January is the last day of February. Returns {datetime, date, timestampMs}.',
		input: { date: DATE, amount: { type: 'integer' }, unit: { type: 'string', enum: UNITS }, locale: LOCALE_SCHEMA },
		optional: ['locale'],
		tags: TAGS,
		run: async (input) => {
			const date = await readDate(input.date, { ...settings, ...localeOf(input) });
			return shown(date.plus({ [input.unit]: input.amount }));
		},
	});
}

function period(settings: DateToolSettings): Tool {
	return makeTool<{ period: string; relative_to?: string; locale?: DateLocale }>({
		name: 'resolve_period',
		intent: 'Turns a period in words, such as "last quarter" or "dernier trimestre", into its first and last day.',
		description:
			'Also "last 30 days", "3 derniers mois", "Q2 2025", "mars 2025", "yesterday". relative_to is the day it is seen from ' +
			'(default today): give the last date of the data to ask about the end of the data. Returns {from, to}; both days belong to it.',
		input: { period: { type: 'string' }, relative_to: DATE, locale: LOCALE_SCHEMA },
		optional: ['relative_to', 'locale'],
		tags: TAGS,
		run: async (input) => {
			const own = { ...settings, ...localeOf(input) };
			const seenFrom = input.relative_to === undefined
				? await fromMillis(settings.clock.now(), settings)
				: await readDate(input.relative_to, own);
			const { from, to } = resolvePeriod(input.period, seenFrom);
			return { from: from.toISODate(), to: to.toISODate(), days: Math.round(to.diff(from, 'days').days) + 1, timezone: settings.timezone };
		},
	});
}

function localeOf(input: { locale?: DateLocale }): { locale?: DateLocale } {
	return input.locale === undefined ? {} : { locale: input.locale };
}

async function fromMillis(value: number, settings: DateToolSettings): Promise<DateTime> {
	const luxon = await import('luxon');
	const date = luxon.DateTime.fromMillis(value, { zone: settings.timezone });
	if (date.isValid) return date;
	throw new CodedError('BAD_INPUT', `${value} ms in the timezone "${settings.timezone}" is no date: ${date.invalidExplanation ?? ''}`, {
		remedy: 'Give milliseconds since 1970 and an IANA timezone such as Europe/Paris.',
	});
}

function shown(date: DateTime): Record<string, unknown> {
	return { datetime: isoOf(date), date: date.toISODate(), timezone: date.zoneName, timestampMs: date.toMillis() };
}

function isoOf(date: DateTime): string | null {
	return date.toISO({ suppressMilliseconds: true });
}

function twoDigits(value: number): number {
	return Math.round(value * 100) / 100;
}
