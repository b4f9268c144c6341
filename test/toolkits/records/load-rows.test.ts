import { loadRows } from '../../../lib/toolkits/records/load-rows';
import type { Table } from '../../../lib/toolkits/records/table';

const csv = (text: string): Promise<Table> => loadRows({ kind: 'csv', text });
const typesOf = (table: Table): Record<string, string> => Object.fromEntries(table.columns.map(({ name, type }) => [name, type]));

describe('loadRows from CSV', () => {
	it('reads a French file: semicolons, decimal commas with a currency, dates with the day first', async () => {
		const table = await csv('N°;Désignation;Coût;Échéance\r\n1;"joint; torique";1 234,56 €;31/12/2025\r\n2;vanne;1.500,00 €;01/02/2025\r\n3;filtre;-7,5 €;\r\n');
		expect(typesOf(table)).toEqual({ 'N°': 'number', Désignation: 'text', Coût: 'number', Échéance: 'date' });
		expect(table.rows).toEqual([
			[1, 'joint; torique', 1234.56, '2025-12-31'],
			[2, 'vanne', 1500, '2025-02-01'],
			[3, 'filtre', -7.5, null],
		]);
		expect(table.columns[2]).toMatchObject({ unit: '€', decimals: 2, range: [-7.5, 1500] });
	});

	it('reads an English file with thousands separators, tabs, a byte order mark and times', async () => {
		const table = await csv('\uFEFFid\tcost\tat\nA1\t"1,234.50"\t2025-03-01 08:30\nA2\t10\t2025-03-02T09:00:05Z\n');
		expect(table.columns[0]?.name).toBe('id');
		expect(table.rows).toEqual([['A1', 1234.5, '2025-03-01T08:30:00'], ['A2', 10, '2025-03-02T09:00:05']]);
	});

	it('names unreadable rows by line, value and reason and keeps all others', async () => {
		const table = await csv('id,text,cost\n1,"two\nlines",5\n2,short\n3,"never closed,7\n4,fine,8\n5,a,b,c\n6,last,9\n');
		expect(table.rows.map((row) => row[0])).toEqual([1, 4, 6]);
		expect(table.unreadableRows).toBe(3);
		expect(table.issues).toEqual([
			{ line: 4, value: '2 | short', why: '2 fields where the header has 3' },
			{ line: 5, value: '3,"never closed,7', why: 'a quote is opened and never closed' },
			{ line: 7, value: '5 | a | b | c', why: '4 fields where the header has 3' },
		]);
	});

	it('names a value that does not fit its column and keeps its row', async () => {
		const table = await csv('id,cost\na,1\nb,2\nc,beaucoup\nd,4\n');
		expect(table.columns[1]).toMatchObject({ type: 'number', missing: 0 });
		expect(table.rows[2]).toEqual(['c', 'beaucoup']);
		expect(table.issues).toEqual([{ line: 4, column: 'cost', value: 'beaucoup', why: 'is not a number' }]);
	});

	it('leaves codes with leading zeros, long digits and mixed references as text', async () => {
		const table = await csv('zip,ean,ref\n01000,12345678901234567,12\n69007,1,12a\n');
		expect(typesOf(table)).toEqual({ zip: 'text', ean: 'text', ref: 'text' });
	});

	it('does not guess between day and month, except in files with semicolons, and says so', async () => {
		const unclear = await csv('id,day\n1,03/04/2025\n');
		expect(unclear.columns[1]).toMatchObject({ type: 'text', note: expect.stringContaining('could begin with the day or the month') });
		const french = await csv('id;day\n1;03/04/2025\n');
		expect(french.rows).toEqual([[1, '2025-04-03']]);
		expect(french.columns[1]?.note).toContain('day first');
		expect((await csv('id,day\n1,03/04/2025\n2,03/31/2025\n')).rows.map((row) => row[1])).toEqual(['2025-03-04', '2025-03-31']);
	});

	it('says how a number was read that could be read in two ways', async () => {
		const table = await csv('id;cost\n1;1,500\n');
		expect(table.rows).toEqual([[1, 1.5]]);
		expect(table.columns[1]?.note).toBe('Numbers such as 1,500 are read with a decimal comma.');
	});

	it('does not add up two units', async () => {
		const table = await csv('id,value\n1,10 km\n2,12 km\n3,3 h\n4,7 km\n');
		expect(table.issues).toEqual([{ line: 4, column: 'value', value: '3 h', why: 'is not a number' }]);
	});

	it('names unnamed and repeated columns and takes a header without rows', async () => {
		const table = await csv('a,,a\n1,2,3\n');
		expect(table.columns.map(({ name }) => name)).toEqual(['a', 'column_2', 'a_2']);
		expect(await csv('a,b\n')).toMatchObject({ rows: [], issues: [] });
	});

	it('refuses text without a header with a remedy', async () => {
		await expect(csv('')).rejects.toMatchObject({ code: 'BAD_INPUT', remedy: expect.stringContaining('first line') });
	});
});

describe('loadRows from lists', () => {
	it('takes n8n items, plain objects and JSON text alike', async () => {
		const rows = [{ id: 'a', cost: 1.5 }, { id: 'b', cost: null, note: { x: 1 } }];
		const expected = [['a', 1.5, null], ['b', null, '{"x":1}']];
		expect((await loadRows({ kind: 'rows', rows })).rows).toEqual(expected);
		expect((await loadRows({ kind: 'rows', rows: rows.map((json) => ({ json, pairedItem: 0 })) })).rows).toEqual(expected);
		expect((await loadRows({ kind: 'json', text: JSON.stringify({ orders: rows }) })).rows).toEqual(expected);
	});

	it('names entries that are no rows and keeps the others', async () => {
		const table = await loadRows({ kind: 'rows', rows: [{ a: 1 }, 'text', null, { a: 2 }] });
		expect(table.rows).toEqual([[1], [2]]);
		expect(table.issues.map(({ line, value }) => [line, value])).toEqual([[2, '"text"'], [3, 'null']]);
	});

	it('refuses what is no list, with the expression to use', async () => {
		await expect(loadRows({ kind: 'rows', rows: 'x' })).rejects.toMatchObject({ message: 'The records are not a list but string.' });
		await expect(loadRows({ kind: 'json', text: '[{' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
	});

	it('parses the same content once, changed content anew', async () => {
		const first = await csv('id,cost\nx,1\n');
		expect(await csv('id,cost\nx,1\n')).toBe(first);
		expect(await csv('id,cost\nx,2\n')).not.toBe(first);
	});
});
