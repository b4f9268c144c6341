import fc from 'fast-check';
import { aggregateRecords } from '../../../lib/toolkits/records/aggregate-records';
import { loadRows } from '../../../lib/toolkits/records/load-rows';
import { selectRecords, type Condition, type Operator } from '../../../lib/toolkits/records/select-records';

interface Order {
	readonly asset: string | null;
	readonly cents: number | null;
	readonly day: string | null;
}

const days = fc.integer({ min: 0, max: 1500 }).map((offset) => new Date(Date.UTC(2023, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10));
const order = fc.record({
	asset: fc.option(fc.constantFrom('A', 'b', 'N-92c')),
	cents: fc.option(fc.integer({ min: -100_000, max: 10_000_000 })),
	day: fc.option(days),
});
const orders = fc.array(order, { maxLength: 40 });

const asRows = (list: readonly Order[]): object[] => list.map(({ asset, cents, day }) => ({ asset, cost: cents === null ? null : cents / 100, day }));
/** First row fixed, so that every column has its type. */
const anchor: Order = { asset: 'A', cents: 150, day: '2024-02-29' };

type Naive = (wanted: number | string) => (value: number | string | null) => boolean;
const NAIVE: { readonly [operator in Operator]?: Naive } = {
	equals: (wanted) => (value) => value === wanted,
	not_equals: (wanted) => (value) => value !== wanted,
	less_than: (wanted) => (value) => value !== null && value < wanted,
	at_most: (wanted) => (value) => value !== null && value <= wanted,
	greater_than: (wanted) => (value) => value !== null && value > wanted,
	at_least: (wanted) => (value) => value !== null && value >= wanted,
	missing: () => (value) => value === null,
	present: () => (value) => value !== null,
};
const operators = fc.constantFrom(...(Object.keys(NAIVE) as Operator[]));

describe('selectRecords', () => {
	it('keeps what a naive scan keeps, for numbers and days', async () => {
		await fc.assert(fc.asyncProperty(orders, operators, order, fc.boolean(), async (list, operator, sought, useCost) => {
			const all = [anchor, ...list];
			const table = await loadRows({ kind: 'rows', rows: asRows(all) });
			const wanted = useCost ? (sought.cents ?? 0) / 100 : (sought.day ?? '2024-02-29');
			const condition: Condition = { column: useCost ? 'cost' : 'day', operator, value: wanted };
			const fits = NAIVE[operator]?.(wanted);
			const expected = all.filter((row) => fits?.(useCost ? (row.cents === null ? null : row.cents / 100) : row.day));
			expect(selectRecords(table, { filters: [condition] })).toHaveLength(expected.length);
		}));
	});

	it('keeps what a naive scan keeps, for combined conditions and months', async () => {
		await fc.assert(fc.asyncProperty(orders, fc.constantFrom('all', 'any' as const), days, async (list, match, day) => {
			const all = [anchor, ...list];
			const table = await loadRows({ kind: 'rows', rows: asRows(all) });
			const month = day.slice(0, 7);
			const filters: Condition[] = [{ column: 'asset', operator: 'in', value: ['n-92C', 'B'] }, { column: 'day', operator: 'equals', value: month }];
			const tests = (row: Order): boolean[] => [row.asset === 'N-92c' || row.asset === 'b', row.day?.startsWith(month) ?? false];
			const expected = all.filter((row) => (match === 'all' ? tests(row).every(Boolean) : tests(row).some(Boolean)));
			expect(selectRecords(table, { filters, match: match as 'all' | 'any' })).toHaveLength(expected.length);
		}));
	});

	it('finds text whatever its accents and case, and signs as they are', async () => {
		const table = await loadRows({ kind: 'rows', rows: [{ t: 'Étanchéité du VÉRIN' }, { t: 'fuite 5 %' }, { t: null }] });
		const count = (value: string, operator: Operator = 'contains'): number => selectRecords(table, { filters: [{ column: 't', operator, value }] }).length;
		expect([count('etancheite'), count('vérin'), count('%'), count('xyz'), count('verin', 'not_contains')]).toEqual([1, 1, 1, 0, 2]);
	});
});

describe('aggregateRecords', () => {
	it('sums, averages and groups by month like whole cents do', async () => {
		await fc.assert(fc.asyncProperty(orders, async (list) => {
			const all = [anchor, ...list];
			const table = await loadRows({ kind: 'rows', rows: asRows(all) });
			const { overall, groups } = await aggregateRecords(table, { measure: 'sum', column: 'cost', period: 'month' });
			const sum = (rows: readonly Order[]): number => rows.reduce((total, row) => total + (row.cents ?? 0), 0) / 100;
			expect(overall.value).toBe(sum(all));
			for (const { group, value } of groups) {
				const members = all.filter((row) => (row.day?.slice(0, 7) ?? null) === group.period);
				expect(value).toBe(members.every((row) => row.cents === null) ? null : sum(members));
			}
			const mean = await aggregateRecords(table, { measure: 'mean', column: 'cost' });
			expect(mean.overall.value).toBeCloseTo(sum(all) / all.filter((row) => row.cents !== null).length, 3);
		}));
	});

	it('gives smallest, largest and middle values, and weeks of the ISO year', async () => {
		const table = await loadRows({ kind: 'rows', rows: [{ d: '2024-12-30', n: 1 }, { d: '2025-01-05', n: 4 }, { d: '2025-01-06', n: 2 }] });
		const ask = async (measure: 'min' | 'max' | 'median', column: string) => (await aggregateRecords(table, { measure, column })).overall.value;
		expect([await ask('min', 'd'), await ask('max', 'n'), await ask('median', 'n')]).toEqual(['2024-12-30', 4, 2]);
		const { groups } = await aggregateRecords(table, { measure: 'count', period: 'week' });
		expect(groups.map(({ group, value }) => [group.period, value])).toEqual([['2025-W01', 2], ['2025-W02', 1]]);
	});

	it('answers over 100,000 rows in well under a second once loaded', async () => {
		const rows = Array.from({ length: 100_000 }, (_, index) => ({ asset: `A${index % 50}`, cost: (index % 1000) / 100, day: '2024-02-29' }));
		const table = await loadRows({ kind: 'rows', rows });
		const { overall } = await aggregateRecords(table, { measure: 'sum', column: 'cost', group_by: ['asset'] });
		const filtered = selectRecords(table, { filters: [{ column: 'asset', operator: 'equals', value: 'a7' }] });
		// The processor's own time: what else runs on the machine does not count.
		const before = process.cpuUsage();
		await aggregateRecords(table, { measure: 'sum', column: 'cost', group_by: ['asset'] });
		expect(process.cpuUsage(before).user / 1_000).toBeLessThan(300);
		expect([overall.value, filtered.length]).toEqual([499_500, 2000]);
	});
});
