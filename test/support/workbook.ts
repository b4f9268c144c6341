import { zip } from './zip';

/** Text, a number, or a day as Excel counts them. */
export type CellOf = string | number | { date: number };

/** An .xlsx file with the given sheets by name, each a list of rows. */
export function workbook(sheets: Record<string, readonly (readonly CellOf[])[]>): Buffer {
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
