import { dateTools } from '../../lib/toolkits/dates';
import { callTool, dataOf } from './call-tool';

const tools = dateTools({ timezone: 'Europe/Paris', locale: 'auto', clock: { now: () => Date.UTC(2026, 4, 14, 9, 30) } });

describe('date tools', () => {
	it('gives the current date in the timezone', async () => {
		expect(await dataOf(tools, 'current_datetime', {})).toEqual({
			datetime: '2026-05-14T11:30:00+02:00', date: '2026-05-14', weekday: 'Thursday', week: 20, quarter: 2,
			timezone: 'Europe/Paris', timestampMs: 1778751000000,
		});
	});

	it.each([
		['2025-12-31', '2025-12-31T00:00:00+01:00'],
		['2025-12-31 14:30', '2025-12-31T14:30:00+01:00'],
		['31/12/2025', '2025-12-31T00:00:00+01:00'],
		['12/31/2025 8:05', '2025-12-31T08:05:00+01:00'],
		['31 décembre 2025 à 14:30', '2025-12-31T14:30:00+01:00'],
		['1er juillet 2025', '2025-07-01T00:00:00+02:00'],
		['mercredi 31 décembre 2025', '2025-12-31T00:00:00+01:00'],
		['December 31, 2025', '2025-12-31T00:00:00+01:00'],
		['5 Mar 2025', '2025-03-05T00:00:00+01:00'],
	])('reads %s', async (date, datetime) => {
		expect(await dataOf(tools, 'readable_date_to_timestamp_ms', { date })).toMatchObject({ datetime });
	});

	it('asks whether the day or the month comes first', async () => {
		const output = await callTool(tools, 'readable_date_to_timestamp_ms', { date: '03/04/2025' });
		expect(output).toMatchObject({ isError: true, text: expect.stringContaining('begin with the day or with the month') });
		expect(await dataOf(tools, 'readable_date_to_timestamp_ms', { date: '03/04/2025', locale: 'fr' })).toMatchObject({ date: '2025-04-03' });
		expect(await dataOf(tools, 'readable_date_to_timestamp_ms', { date: '03/04/2025', locale: 'en' })).toMatchObject({ date: '2025-03-04' });
	});

	it('refuses dates that do not exist', async () => {
		for (const date of ['2025-02-30', '31/02/2025', 'bientôt', '']) {
			const output = await callTool(tools, 'readable_date_to_timestamp_ms', { date });
			expect(output).toMatchObject({ isError: true, text: expect.stringContaining('not a date') });
		}
	});

	it('turns several dates into timestamps and back', async () => {
		const { timestampsMs } = await dataOf(tools, 'readable_dates_to_timestamps_ms', { dates: ['2025-03-30', '2025-03-31'] });
		expect(timestampsMs).toEqual([1743289200000, 1743372000000]);
		const back = await dataOf(tools, 'timestamps_ms_to_readable_dates', { timestamps_ms: timestampsMs });
		expect(back.datetimes).toEqual(['2025-03-30T00:00:00+01:00', '2025-03-31T00:00:00+02:00']);
		expect(await dataOf(tools, 'timestamp_ms_to_readable_date', { timestamp_ms: 0 })).toMatchObject({ date: '1970-01-01' });
	});

	it('counts time between dates over a change of clocks, and adds months', async () => {
		expect(await dataOf(tools, 'date_difference', { from: '2025-03-30', to: '2025-03-31' })).toMatchObject({ days: 1, hours: 23 });
		expect(await dataOf(tools, 'date_difference', { from: '2025-03-31', to: '2024-01-15' })).toMatchObject({ days: -441 });
		expect(await dataOf(tools, 'add_to_date', { date: '2025-01-31', amount: 1, unit: 'months' })).toMatchObject({ date: '2025-02-28' });
	});

	it.each([
		['last quarter', '2026-01-01', '2026-03-31'],
		['dernier trimestre', '2026-01-01', '2026-03-31'],
		['le trimestre dernier', '2026-01-01', '2026-03-31'],
		['this month', '2026-05-01', '2026-05-31'],
		['ce mois-ci', '2026-05-01', '2026-05-31'],
		['last week', '2026-05-04', '2026-05-10'],
		['last 30 days', '2026-04-15', '2026-05-14'],
		['les 3 derniers mois', '2026-02-01', '2026-04-30'],
		['l’année dernière', '2025-01-01', '2025-12-31'],
		['les deux derniers mois', '2026-03-01', '2026-04-30'],
		['over the last two weeks', '2026-04-27', '2026-05-10'],
		['next month', '2026-06-01', '2026-06-30'],
		['avant-hier', '2026-05-12', '2026-05-12'],
		['Q2 2025', '2025-04-01', '2025-06-30'],
		['T4 2025', '2025-10-01', '2025-12-31'],
		['2e trimestre 2026', '2026-04-01', '2026-06-30'],
		['mars 2025', '2025-03-01', '2025-03-31'],
		['February 2024', '2024-02-01', '2024-02-29'],
		['2025-03', '2025-03-01', '2025-03-31'],
		['2025', '2025-01-01', '2025-12-31'],
	])('resolves "%s"', async (period, from, to) => {
		expect(await dataOf(tools, 'resolve_period', { period })).toMatchObject({ from, to });
	});

	it.each(['dernier trimestre 2025', 'last quarter of 2025', 'not last month', 'the week before last', 'avant-dernier mois', 'last fiscal year', 'last year to date', 'last 0 days'])(
		'refuses "%s" rather than take a part of it for the whole',
		async (period) => {
			expect(await callTool(tools, 'resolve_period', { period })).toMatchObject({ isError: true, text: expect.stringContaining('is not a period') });
		},
	);

	it('resolves a period seen from a given day and refuses what it does not know', async () => {
		expect(await dataOf(tools, 'resolve_period', { period: 'last quarter', relative_to: '2011-01-02' })).toMatchObject({
			from: '2010-10-01', to: '2010-12-31', days: 92,
		});
		const output = await callTool(tools, 'resolve_period', { period: 'quand tu veux' });
		expect(output).toMatchObject({ isError: true, text: expect.stringContaining('"quand tu veux" is not a period') });
	});
});
