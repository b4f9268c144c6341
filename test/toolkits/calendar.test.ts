import { calendarTools } from '../../lib/toolkits/calendar';
import { dateTools } from '../../lib/toolkits/dates';
import { callTool, dataOf } from './call-tool';

const settings = { timezone: 'Europe/Paris', locale: 'auto' as const, clock: { now: () => Date.UTC(2026, 1, 10, 12) } };
const tools = [...dateTools(settings), ...calendarTools(settings)];
const span = async (period: string) => {
	const { from, to } = await dataOf(tools, 'resolve_period', { period });
	return `${String(from)}/${String(to)}`;
};

describe('resolve_period', () => {
	it.each([
		['last quarter', '2025-10-01/2025-12-31'], ['avant-hier', '2026-02-08/2026-02-08'], ['fin janvier', '2026-01-21/2026-01-31'],
		['début mars 2025', '2025-03-01/2025-03-10'], ['mi-février', '2026-02-11/2026-02-20'], ['end of last month', '2026-01-21/2026-01-31'],
		['fin du mois', '2026-02-21/2026-02-28'], ['1er semestre 2025', '2025-01-01/2025-06-30'], ['second half of 2025', '2025-07-01/2025-12-31'],
		['year to date', '2026-01-01/2026-02-10'], ["depuis le début de l'année", '2026-01-01/2026-02-10'], ['depuis début du mois', '2026-02-01/2026-02-10'],
		['late 2025', '2025-09-01/2025-12-31'],
	])('%s', async (period, expected) => expect(await span(period)).toBe(expected));
});

describe('working days', () => {
	it('counts Monday to Friday without the days off, also over a change of clocks', async () => {
		expect(await dataOf(tools, 'count_working_days', { from: '2026-03-27', to: '2026-03-31' })).toEqual({ working_days: 3, days: 5 });
		expect(await dataOf(tools, 'count_working_days', { from: '2026-05-01', to: '2026-05-31', holidays: ['2026-05-01', '8 mai 2026', '2026-05-14', '2026-05-25'] })).toEqual({ working_days: 17, days: 31 });
		expect((await callTool(tools, 'count_working_days', { from: '2026-03-31', to: '2026-03-27' })).text).toContain('is before');
	});

	it('adds and takes away working days', async () => {
		expect(await dataOf(tools, 'add_working_days', { date: '2026-02-13', working_days: 1 })).toEqual({ date: '2026-02-16', weekday: 'Monday' });
		expect(await dataOf(tools, 'add_working_days', { date: '2026-02-16', working_days: -1 })).toMatchObject({ date: '2026-02-13' });
		expect(await dataOf(tools, 'add_working_days', { date: '2026-02-13', working_days: 1, holidays: ['2026-02-16'] })).toMatchObject({ date: '2026-02-17' });
	});
});

describe('calendar and days that the clocks change', () => {
	it('shows a month by ISO weeks', async () => {
		const { days, weeks } = await dataOf(tools, 'month_calendar', { month: '2026-02' });
		expect(days).toBe(28);
		expect(weeks).toMatchObject([{ week: 5, days: { saturday: null, sunday: 1 } }, { week: 6 }, { week: 7 }, { week: 8 }, { week: 9, days: { saturday: 28, sunday: null } }]);
	});

	it('knows days of 23 and 25 hours', async () => {
		expect(await dataOf(tools, 'date_difference', { from: '2026-03-29', to: '2026-03-30' })).toMatchObject({ days: 1, hours: 23 });
		expect(await dataOf(tools, 'date_difference', { from: '2026-10-25', to: '2026-10-26' })).toMatchObject({ days: 1, hours: 25 });
	});

	it('turns dates into timestamps and back, one and several', async () => {
		const { timestampMs } = await dataOf(tools, 'readable_date_to_timestamp_ms', { date: '31 décembre 2025 14:30' });
		expect(await dataOf(tools, 'timestamp_ms_to_readable_date', { timestamp_ms: timestampMs })).toMatchObject({ datetime: '2025-12-31T14:30:00+01:00' });
		const { timestampsMs } = await dataOf(tools, 'readable_dates_to_timestamps_ms', { dates: ['2026-03-29', '2026-10-25T03:00'] });
		expect(await dataOf(tools, 'timestamps_ms_to_readable_dates', { timestamps_ms: timestampsMs })).toMatchObject({ datetimes: ['2026-03-29T00:00:00+01:00', '2026-10-25T03:00:00+01:00'] });
	});
});
