import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadRows } from '../../../lib/toolkits/records/load-rows';
import { recordTools } from '../../../lib/toolkits/records/record-tools';
import type { Tool } from '../../../lib/core/tool';
import { callTool, dataOf } from '../call-tool';

const file = path.join(__dirname, '../../../examples/data/excavator-work-orders.csv');
const text = readFileSync(file, 'utf8');

/** A scan that shares nothing with the code under test: this file has no quotes around commas but in its last column. */
const scan = text.trimEnd().split('\n').slice(1).map((line) => {
	const [id = '', date = '', asset = '', pmType = '', cost = ''] = line.split(',', 5);
	return { id, date, asset, pmType, cents: cost === '' ? null : Math.round(Number(cost) * 100) };
});
const sumOf = (rows: typeof scan): number => rows.reduce((sum, row) => sum + (row.cents ?? 0), 0) / 100;

let tools: readonly Tool[];
beforeAll(async () => {
	tools = recordTools(await loadRows({ kind: 'csv', text }), { about: 'excavator work orders', prefix: '' });
});
const ask = (name: string, input: unknown): Promise<Record<string, unknown>> => dataOf(tools, name, input);

describe('records tools over 5,485 work orders', () => {
	it('describe the columns with their types and ranges', async () => {
		const answer = await ask('describe_records', {});
		expect(answer).toMatchObject({ total: scan.length, unreadable: { count: 0 } });
		expect((answer.columns as { name: string; type: string }[]).map(({ name, type }) => `${name}: ${type}`)).toEqual([
			'id: text', 'date: date', 'asset: text', 'pm_type: text', 'cost: number', 'text: text',
		]);
		expect(tools[0]?.description).toContain('date (date: 2001-07-05 to');
	});

	it('sum money exactly, in all and by asset', async () => {
		const answer = await ask('aggregate_records', { measure: 'sum', column: 'cost', group_by: ['asset'] });
		expect(answer.overall).toEqual({ group: {}, value: sumOf(scan), rows: scan.length });
		expect(answer).toMatchObject({ total: 5, returned: 5, complete: true, rowsWithoutValue: 1 });
		for (const { group, value, rows } of answer.groups as { group: { asset: string }; value: number; rows: number }[]) {
			const members = scan.filter((row) => row.asset === group.asset);
			expect([group.asset, value, rows]).toEqual([group.asset, sumOf(members), members.length]);
		}
	});

	it('cut a sum by quarter in order of time', async () => {
		const answer = await ask('aggregate_records', { measure: 'sum', column: 'Cost', period: 'quarter', filters: [
			{ column: 'date', operator: 'between', value: ['2008', '2009'] },
		] });
		const groups = answer.groups as { group: { period: string }; value: number }[];
		expect(groups.map(({ group }) => group.period)).toEqual(['2008-Q1', '2008-Q2', '2008-Q3', '2008-Q4', '2009-Q1', '2009-Q2',
			'2009-Q3', '2009-Q4']);
		const third = scan.filter(({ date }) => date >= '2008-07-01' && date < '2008-10-01');
		expect(groups[2]?.value).toBe(sumOf(third));
	});

	it.each([
		['asset D', [{ column: 'asset', operator: 'equals', value: 'd' }], 2374],
		['cost over 10000', [{ column: 'cost', operator: 'greater_than', value: '10000' }], 247],
		['cost of 0', [{ column: 'COST', operator: 'equals', value: 0 }], 1288],
		['PM02 on B or C', [{ column: 'pm type', operator: 'equals', value: 'PM02' }, { column: 'asset', operator: 'in', value: ['B', 'C'] }], 114],
		['2005', [{ column: 'date', operator: 'equals', value: '2005' }], 392],
		['2005 by bounds', [{ column: 'date', operator: 'at_least', value: '2005-01-01' }, { column: 'date', operator: 'less_than', value: '2006-01-01' }], 392],
		['not PM01', [{ column: 'pm_type', operator: 'not_equals', value: 'PM01' }], 269],
		['cost missing', [{ column: 'cost', operator: 'missing' }], 1],
	])('count %s', async (_title, filters, count) => {
		expect(await ask('count_records', { filters })).toEqual({ count, of: 5485 });
	});

	it('find, sort, show chosen columns and say what is left', async () => {
		const answer = await ask('find_records', { filters: [{ column: 'text', operator: 'contains', value: 'bucket' }],
			columns: ['ID', 'cost'], sort_by: 'cost', descending: true, limit: 3 });
		const expected = text.trimEnd().split('\n').slice(1).filter((line) => /bucket/i.test(line.split(',').slice(5).join(',')));
		expect(answer).toMatchObject({ total: expected.length, returned: 3, complete: false });
		const costs = (answer.records as { cost: number }[]).map(({ cost }) => cost);
		expect(costs[0]).toBe(Math.max(...expected.map((line) => Number(line.split(',')[4]))));
		expect(Object.keys((answer.records as object[])[0] ?? {})).toEqual(['id', 'cost']);
	});

	it('read on with an offset to the last record', async () => {
		const all = await ask('find_records', { filters: [{ column: 'cost', operator: 'greater_than', value: 30000 }], limit: 200 });
		const last = await ask('find_records', { filters: [{ column: 'cost', operator: 'greater_than', value: 30000 }], offset: Number(all.total) - 1 });
		expect(last.records).toEqual((all.records as object[]).slice(-1));
		expect(last).toMatchObject({ returned: 1, complete: false });
	});

	it('list distinct values with their counts', async () => {
		expect(await ask('distinct_values', { column: 'pm_type', limit: 2 })).toEqual({
			column: 'pm_type', total: 7, returned: 2, complete: false, missing: 0,
			values: [{ value: 'PM01', count: 5216 }, { value: 'PM02', count: 153 }],
		});
	});
});

describe('records tools', () => {
	const small = 'Réf;Coût réparation;Ouverte le\nN-92c;1 234,56 €;31/12/2025\nN-92d;0,10 €;01/01/2026\nn-92e;0,20 €;\nx\n';
	const smallTools = async (): Promise<readonly Tool[]> =>
		recordTools(await loadRows({ kind: 'csv', text: small }), { about: 'réparations', prefix: 'Atelier Nord' });

	it('take a prefix and say what the records are', async () => {
		const [first] = await smallTools();
		expect(first).toMatchObject({ name: 'atelier_nord_describe_records', intent: expect.stringContaining('réparations') });
	});

	it('find identifiers exactly whatever their case and columns whatever their accents', async () => {
		const answer = await dataOf(await smallTools(), 'atelier_nord_find_records', {
			filters: [{ column: 'ref', operator: 'equals', value: 'n-92C' }], columns: ['cout reparation'],
		});
		expect(answer.records).toEqual([{ 'Coût réparation': 1234.56 }]);
	});

	it('add cents without rounding errors and say that a row was left out', async () => {
		const answer = await dataOf(await smallTools(), 'atelier_nord_aggregate_records', { measure: 'sum', column: 'Coût réparation' });
		expect(answer).toMatchObject({ overall: { value: 1234.86 }, unit: '€', unreadableRows: 1 });
	});

	it('tell the model which column or value does not fit', async () => {
		const refuse = async (input: unknown): Promise<string> => (await callTool(await smallTools(), 'atelier_nord_count_records', input)).text;
		expect(await refuse({ filters: [{ column: 'prix', operator: 'missing' }] })).toBe(
			'There is no column "prix". The columns are: Réf, Coût réparation, Ouverte le.',
		);
		expect(await refuse({ filters: [{ column: 'cout réparation', operator: 'at_least', value: 'cher' }] })).toContain('"cher" is not a number');
		expect(await refuse({ filters: [{ column: 'ouverte le', operator: 'equals', value: '03/04/2025' }] })).toContain('not a date that is clear');
		expect(await refuse({ filters: [{ column: 'ouverte le', operator: 'between', value: ['2025'] }] })).toContain('two values');
		expect(await refuse({ filters: [{ column: 'réf', operator: 'like', value: 'x' }] })).toContain('/filters/0/operator: expected one of');
	});

	it('refuse a measure that a column does not have', async () => {
		const output = await callTool(await smallTools(), 'atelier_nord_aggregate_records', { measure: 'sum', column: 'Réf' });
		expect(output).toMatchObject({ isError: true, text: expect.stringContaining('holds text values') });
	});

	it('answer over no records at all', async () => {
		const none = recordTools(await loadRows({ kind: 'rows', rows: [] }), { about: '', prefix: '' });
		expect(await dataOf(none, 'count_records', {})).toEqual({ count: 0, of: 0 });
		expect(await dataOf(none, 'find_records', {})).toMatchObject({ total: 0, complete: true, records: [] });
	});

	it('reads on through a handle: same conditions and order, next place', async () => {
		const rows = Array.from({ length: 45 }, (_, at) => ({ n: at, even: at % 2 === 0 }));
		const own = recordTools(await loadRows({ kind: 'rows', rows }), { about: 'numbers', prefix: '' });
		const first = await dataOf(own, 'find_records', { filters: [{ column: 'even', operator: 'equals', value: true }], sort_by: 'n', descending: true });
		expect(first).toMatchObject({ total: 23, returned: 20, complete: false, next_offset: 20 });
		const rest = await dataOf(own, 'find_records', { handle: first.handle, offset: first.next_offset });
		expect(rest).toMatchObject({ total: 23, returned: 3, records: [{ n: 4 }, { n: 2 }, { n: 0 }] });
		expect(rest.handle).toBeUndefined();
		expect((await callTool(own, 'find_records', { handle: 'ffffffff' })).text).toContain('not known here');
		const filters = [{ column: 'id', operator: 'missing' }];
		const other = await callTool(own, 'find_records', { handle: first.handle, offset: first.next_offset, filters });
		expect(other).toMatchObject({ isError: true, text: expect.stringContaining('stands for other conditions: filters differs') });
		expect((await callTool(own, 'find_records', { handle: first.handle, offset: first.next_offset, match: 'all' })).isError).toBeFalsy();
	});

	it('gives percentiles, in all and by group', async () => {
		const rows = Array.from({ length: 11 }, (_, at) => ({ cost: at, team: at < 5 ? 'A' : 'B' }));
		const own = recordTools(await loadRows({ kind: 'rows', rows }), { about: 'costs', prefix: '' });
		const { overall, groups } = await dataOf(own, 'aggregate_records', { measure: 'percentile', percent: 95, column: 'cost', group_by: ['team'] }) as { overall: unknown; groups: unknown };
		expect(overall).toMatchObject({ value: 9.5 });
		expect(groups).toMatchObject([{ group: { team: 'B' }, value: 9.75 }, { group: { team: 'A' }, value: 3.8 }]);
	});
});

describe('times that say their own zone', () => {
	const rows = [
		{ at: '2025-03-31T22:30:00Z', n: 1 },
		{ at: new Date('2025-04-30T21:59:00Z'), n: 2 },
		{ at: '2025-05-01T00:30:00+02:00', n: 4 },
		{ at: '2025-12-31T23:30:00Z', n: 8 },
	];
	const sumIn = async (month: string, timezone?: string): Promise<unknown> => {
		const table = await loadRows({ kind: 'rows', rows }, timezone);
		const aggregate = recordTools(table, { about: 'r', prefix: '' }).find(({ name }) => name === 'aggregate_records')!;
		const where = [{ column: 'at', operator: 'equals', value: month }];
		return (await aggregate.run({ measure: 'sum', column: 'n', filters: where }, { signal: new AbortController().signal })).data;
	};

	it('belong to the days and months of the workflow, in summer and in winter', async () => {
		for (const [month, value] of [['2025-04', 3], ['2025-05', 4], ['2026-01', 8]] as const) {
			expect(await sumIn(month, 'Europe/Paris')).toMatchObject({ overall: { value } });
		}
		expect(await sumIn('2025-03')).toMatchObject({ overall: { value: 1 } });
		expect(await sumIn('2025-12-31T23:30:00Z', 'Europe/Paris')).toMatchObject({ overall: { value: 8 } });
	});

	it('are described with whose clock it is, and times without a zone stay as they are', async () => {
		const zoned = await loadRows({ kind: 'rows', rows }, 'Europe/Paris');
		expect(zoned.columns[0]).toMatchObject({ type: 'date', timezone: 'Europe/Paris', range: ['2025-04-01T00:30:00', '2026-01-01T00:30:00'] });
		const plain = await loadRows({ kind: 'rows', rows: [{ at: '2025-03-31T22:30:00' }, { at: '2025-04-01' }] }, 'Europe/Paris');
		expect(plain.columns[0]).not.toHaveProperty('timezone');
		expect(plain.rows[0]).toEqual(['2025-03-31T22:30:00']);
	});
});
