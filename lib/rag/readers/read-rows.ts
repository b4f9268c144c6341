import type { FileText } from './read-text';

function rowText(row: unknown): string {
	if (typeof row !== 'object' || row === null) return String(row);
	return Object.entries(row)
		.filter(([, value]) => value !== null && value !== '')
		.map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
		.join('\n');
}

const rowsText = (rows: readonly unknown[]): string => rows.map(rowText).filter((row) => row !== '').join('\n\n');

/** A table with its names in the first line: one paragraph for each row, `name: value` in each line. */
export async function readCsv(text: string): Promise<FileText> {
	const { parse } = await import('csv-parse/sync');
	const first = text.split('\n', 1)[0] ?? '';
	const delimiter = [';', '\t', ','].find((sign) => first.includes(sign)) ?? ',';
	const rows = parse(text, { columns: true, delimiter, bom: true, relax_column_count: true, skip_empty_lines: true, relax_quotes: true });
	return { text: rowsText(rows as unknown[]) };
}

/** A list of objects, as JSON or as one JSON a line: one paragraph for each; other JSON as it is written. */
export function readJson(text: string): FileText {
	const rows = parsedRows(text);
	return { text: rows ? rowsText(rows) : text };
}

function parsedRows(text: string): unknown[] | undefined {
	const value = parsed(text);
	if (Array.isArray(value)) return value;
	if (value !== undefined) return undefined;
	const lines = text.split('\n').filter((line) => line.trim() !== '').map(parsed);
	return lines.length > 0 && !lines.includes(undefined) ? lines : undefined;
}

/** Undefined for a text that is no JSON. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
