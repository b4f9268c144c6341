import { deflateRawSync, crc32 } from 'node:zlib';
import { findHeader } from '../../../lib/toolkits/records/find-header';
import { loadRows } from '../../../lib/toolkits/records/load-rows';
import type { Table } from '../../../lib/toolkits/records/table';

/** A zip with the given entries, as small as Excel readers take. */
function zip(entries: Record<string, string>): Buffer {
	const locals: Buffer[] = [];
	const central: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(entries)) {
		const raw = Buffer.from(text);
		const packed = deflateRawSync(raw);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(raw), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(raw.length, 18);
		fields.writeUInt16LE(name.length, 22);
		const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		central.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]));
		locals.push(local);
		offset += local.length;
	}
	const directory = Buffer.concat(central);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 0, 'latin1');
	end.writeUInt16LE(central.length, 8);
	end.writeUInt16LE(central.length, 10);
	end.writeUInt32LE(directory.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, directory, end]);
}

type CellOf = string | number | { date: number };

function workbook(sheets: Record<string, readonly (readonly CellOf[])[]>): Buffer {
	const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
	const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
	const cell = (value: CellOf, at: string): string => {
		if (typeof value === 'string') return value === '' ? '' : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
		return typeof value === 'number' ? `<c r="${at}"><v>${value}</v></c>` : `<c r="${at}" s="1"><v>${value.date}</v></c>`;
	};
	const names = Object.keys(sheets);
	const files = Object.fromEntries(Object.values(sheets).map((rows, index) => [`xl/worksheets/sheet${index + 1}.xml`,
		`<worksheet xmlns="${main}"><sheetData>${rows.map((cells, y) => `<row r="${y + 1}">${cells.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`]));
	return zip({
		'[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
		'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_name, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
		'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
		...files,
	});
}

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
