import fc from 'fast-check';
import { aggregateRecords } from '../../../lib/toolkits/records/aggregate-records';
import { loadRows } from '../../../lib/toolkits/records/load-rows';
import { recordTools } from '../../../lib/toolkits/records/record-tools';
import { selectPlaces, selectRecords, type Condition, type Operator } from '../../../lib/toolkits/records/select-records';
import { sortRows } from '../../../lib/toolkits/records/sort-rows';

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

	it('groups by two columns and finds middle values like a naive scan', async () => {
		await fc.assert(fc.asyncProperty(orders, async (list) => {
			const all = [anchor, ...list];
			const table = await loadRows({ kind: 'rows', rows: asRows(all) });
			const answer = await aggregateRecords(table, { measure: 'median', column: 'cost', group_by: ['asset'], period: 'year', limit: 500 });
			const keyOf = ({ asset, day }: Order): string => `${String(asset)} ${String(day?.slice(0, 4) ?? null)}`;
			expect(answer.total).toBe(new Set(all.map(keyOf)).size);
			for (const { group, value, rows } of answer.groups) {
				const members = all.filter((row) => keyOf(row) === `${String(group.asset)} ${String(group.period)}`);
				const cents = members.flatMap((row) => row.cents ?? []).sort((first, second) => first - second);
				const [low, high] = [cents[Math.floor((cents.length - 1) / 2)], cents[Math.floor(cents.length / 2)]];
				expect([value, rows]).toEqual([low === undefined || high === undefined ? null : (low + high) / 200, members.length]);
			}
		}));
	});

	it('sorts like a stable sort, missing values last', async () => {
		await fc.assert(fc.asyncProperty(orders, fc.boolean(), fc.constantFrom('cost', 'day', 'asset'), async (list, descending, by) => {
			const rows = asRows([anchor, ...list]) as Record<string, string | number | null>[];
			const table = await loadRows({ kind: 'rows', rows });
			const sorted = sortRows(table, selectPlaces(table, {}), by, descending);
			const key = (at: number): string | number | null => (typeof rows[at]?.[by] === 'string' ? String(rows[at]?.[by]).toLowerCase() : (rows[at]?.[by] ?? null));
			const expected = rows.map((_, at) => at).sort((one, other) => {
				const [first, second] = [key(one), key(other)];
				if (first === null || second === null) return Number(first === null) - Number(second === null);
				return first === second ? 0 : (first < second ? -1 : 1) * (descending ? -1 : 1);
			});
			expect([...sorted]).toEqual(expected);
		}));
	});
});

describe('100,000 rows', () => {
	const DAY_MS = 86_400_000;
	const rows = Array.from({ length: 100_000 }, (_, at) => ({
		asset: `A${at % 50}`,
		cost: ((at * 7919) % 999_983) / 100,
		day: new Date(Date.UTC(2021, 0, 1) + ((at * 37) % 1460) * DAY_MS).toISOString().slice(0, 10),
		text: `Order ${at}: ${at % 3 === 0 ? 'étanchéité du vérin' : 'seal of the pump'} replaced`,
	}));
	const tools = loadRows({ kind: 'rows', rows }).then((table) => recordTools(table, { about: 'orders', prefix: '' }));

	it.each([
		['contains', 'count_records', { filters: [{ column: 'text', operator: 'contains', value: 'verin' }] }, '"count":33334'],
		['distinct values', 'distinct_values', { column: 'text' }, '"total":100000'],
		['median by month', 'aggregate_records', { measure: 'median', column: 'cost', period: 'month' }, '"total":48'],
		['sum by asset', 'aggregate_records', { measure: 'sum', column: 'cost', group_by: ['asset'] }, '"total":50'],
	])('answer %s within 100 ms once loaded', async (_title, name, input, expected) => {
		const tool = (await tools).find((one) => one.name === name);
		const times: number[] = [];
		for (let turn = 0; turn < 5; turn++) {
			// The processor's own time: what else runs on the machine does not count.
			const before = process.cpuUsage();
			const output = await tool?.run(input, { signal: new AbortController().signal });
			times.push(process.cpuUsage(before).user / 1_000);
			expect(output?.text).toContain(expected);
		}
		expect(Math.min(...times)).toBeLessThan(100);
	});
});
