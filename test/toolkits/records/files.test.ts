import { findHeader } from '../../../lib/toolkits/records/find-header';
import { loadRows } from '../../../lib/toolkits/records/load-rows';
import type { Table } from '../../../lib/toolkits/records/table';
import { workbook } from '../../support/workbook';

const load = (bytes: Uint8Array, more: { sheet?: string; headerLine?: number } = {}): Promise<Table> => loadRows({ kind: 'file', bytes, ...more });
const named = (table: Table) => table.columns.map(({ name, type }) => `${name}:${type}`);

describe('loadRows from files', () => {
	const bytes = workbook({
		Commandes: [['Export du 31/12/2025', '', ''], [], ['N°', 'Coût', 'Échéance'], ['N-92c', 1234.56, { date: 46022 }], ['', '', ''], ['N-93', '12,5 €', { date: 46023.5 }]],
		Vide: [['a', 'b'], ['x', 1]],
	});

	it('reads a workbook whose column names stand on line 3, with dates and blank rows', async () => {
		const table = await load(bytes);
		expect(table.headerLine).toBe(3);
		expect(named(table)).toEqual(['N°:text', 'Coût:number', 'Échéance:date']);
		expect(table.rows).toEqual([['N-92c', 1234.56, '2025-12-31'], ['N-93', 12.5, '2026-01-01T12:00:00']]);
	});

	it('takes a sheet by name and lists the sheets there are', async () => {
		expect((await load(bytes, { sheet: 'vide' })).rows).toEqual([['x', 1]]);
		await expect(load(bytes, { sheet: 'Other' })).rejects.toThrow('no sheet "Other"; it has: Commandes, Vide');
		await expect(load(Buffer.from('PK but no workbook'))).rejects.toThrow('not an Excel workbook that can be read');
	});

	it('reads CSV as Excel writes it: Windows-1252, semicolons, titles above the header', async () => {
		const text = 'Suivi des coûts;;\r\nÉdité le 31/12/2025;;\r\nRéf;Coût;Échéance\r\nN-92c;1 234,56 €;31/12/2025\r\nN-93;0,44 €;01/01/2026\r\n';
		const table = await load(Buffer.from(text.replace('€', '\x80').replace('€', '\x80'), 'latin1'));
		expect(table.headerLine).toBe(3);
		expect(named(table)).toEqual(['Réf:text', 'Coût:number', 'Échéance:date']);
		expect(table.rows[0]).toEqual(['N-92c', 1234.56, '2025-12-31']);
		expect(table.columns[1]?.unit).toBe('€');
	});

	it('reads UTF-8, UTF-16 and JSON files alike, and takes the header line when it is told', async () => {
		const csv = 'réf;coût\nA;1,5\n';
		const expected = [['A', 1.5]];
		expect((await load(Buffer.from(csv))).rows).toEqual(expected);
		expect((await load(Buffer.from(`\uFEFF${csv}`, 'utf16le'))).rows).toEqual(expected);
		expect((await load(Buffer.from('[{"réf":"A","coût":1.5}]'))).rows).toEqual(expected);
		expect((await load(Buffer.from(`a;b\nc;d\n${csv}`), { headerLine: 3 })).columns.map(({ name }) => name)).toEqual(['réf', 'coût']);
	});

	it('takes the first line when nothing looks like a title', () => {
		expect(findHeader([['id', 'cost'], ['A', '1']])).toBe(0);
		expect(findHeader([['2024', '2025'], ['1', '2']])).toBe(0);
		expect(findHeader([])).toBe(0);
	});
});
