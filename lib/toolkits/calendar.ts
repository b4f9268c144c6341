import type { DateTime } from 'luxon';
import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { LOCALE_SCHEMA } from './arithmetic';
import type { DateToolSettings } from './dates';
import { makeTool } from './make-tool';
import { readDate, type DateLocale } from './read-date';

const DATE = { type: 'string', description: 'A date, best as 2025-12-31' };
const HOLIDAYS = { type: 'array', items: DATE, maxItems: 1_000, description: 'Days off besides Saturdays and Sundays' };
const MOST_DAYS = 100_000;
const TAGS = ['dates'];

interface Counted {
	readonly holidays?: readonly string[];
	readonly locale?: DateLocale;
}

/** Working days and the pages of a calendar; weeks are ISO weeks, Monday first. */
export function calendarTools(settings: DateToolSettings): Tool[] {
	return [countWorkingDays(settings), addWorkingDays(settings), monthCalendar(settings)];
}

function countWorkingDays(settings: DateToolSettings): Tool {
	return makeTool<Counted & { from: string; to: string }>({
		name: 'count_working_days',
		intent: 'Counts the working days (Monday to Friday) between two dates.',
		description: 'Both dates count. Public holidays are not known: give them. Returns {working_days, days}.',
		input: { from: DATE, to: DATE, holidays: HOLIDAYS, locale: LOCALE_SCHEMA },
		optional: ['holidays', 'locale'],
		tags: TAGS,
		run: async (input) => {
			const { read, isOff } = await reader(settings, input);
			const [from, to] = [(await read(input.from)).startOf('day'), (await read(input.to)).startOf('day')];
			const days = Math.round(to.diff(from, 'days').days) + 1;
			if (days < 1) throw new CodedError('BAD_INPUT', `"${input.to}" is before "${input.from}".`);
			if (days > MOST_DAYS) throw new CodedError('BAD_INPUT', `More than ${MOST_DAYS} days lie between the dates.`);
			let working = 0;
			for (let day = 0; day < days; day++) if (!isOff(from.plus({ days: day }))) working += 1;
			return { working_days: working, days };
		},
	});
}

function addWorkingDays(settings: DateToolSettings): Tool {
	return makeTool<Counted & { date: string; working_days: number }>({
		name: 'add_working_days',
		intent: 'Gives the date a number of working days (Monday to Friday) after or before a date.',
		description: 'The day itself is not counted; a negative number goes back. Public holidays are not known: give them. Returns {date, weekday}.',
		input: { date: DATE, working_days: { type: 'integer', minimum: -10_000, maximum: 10_000 }, holidays: HOLIDAYS, locale: LOCALE_SCHEMA },
		optional: ['holidays', 'locale'],
		tags: TAGS,
		run: async (input) => {
			const { read, isOff } = await reader(settings, input);
			let date = (await read(input.date)).startOf('day');
			const step = Math.sign(input.working_days);
			for (let left = Math.abs(input.working_days), tried = 0; left > 0 && tried < MOST_DAYS; tried++) {
				date = date.plus({ days: step });
				if (!isOff(date)) left -= 1;
			}
			return { date: date.toISODate(), weekday: date.setLocale('en').weekdayLong };
		},
	});
}

function monthCalendar(settings: DateToolSettings): Tool {
	return makeTool<{ month: string }>({
		name: 'month_calendar',
		intent: 'Shows the calendar of a month: its weeks, weekdays and number of days.',
		description: 'Returns {month, days, weeks: [{week, days: {monday: …}}]}; week is the ISO week number, a day outside the month is null.',
		input: { month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'As 2025-12' } },
		tags: TAGS,
		run: async ({ month }) => {
			const { DateTime } = await import('luxon');
			const first = DateTime.fromISO(`${month}-01`, { zone: settings.timezone });
			const weeks = [];
			for (let monday = first.startOf('week'); monday <= first.endOf('month'); monday = monday.plus({ weeks: 1 })) {
				const days = Array.from({ length: 7 }, (_, day) => monday.plus({ days: day }));
				const named = days.map((day) => [(day.setLocale('en').weekdayLong ?? '').toLowerCase(), day.month === first.month ? day.day : null]);
				weeks.push({ week: monday.weekNumber, days: Object.fromEntries(named) as Record<string, number | null> });
			}
			return { month, days: first.daysInMonth ?? 0, weeks };
		},
	});
}

async function reader(settings: DateToolSettings, { holidays = [], locale }: Counted) {
	const own = { ...settings, ...(locale !== undefined && { locale }) };
	const read = async (text: string): Promise<DateTime> => await readDate(text, own);
	const off = new Set((await Promise.all(holidays.map(read))).map((day) => day.toISODate()));
	return { read, isOff: (day: DateTime): boolean => day.weekday > 5 || off.has(day.toISODate()) };
}
