import { CodedError, messageOf, raise } from '../../core/errors';
import { columnNames } from './column-names';
import { findHeader } from './find-header';
import type { RawTable } from './table';

export interface SheetOptions {
	/** Name of the sheet; '' for the first. */
	readonly sheet?: string;
	/** Line of the column names, from 1; 0 or absent: it is looked for. */
	readonly headerLine?: number;
}

/**
 * Reads a sheet of an Excel workbook (.xlsx). Blank rows are passed over; cells keep their types, dates without a time become days.
 *
 * @throws CodedError BAD_INPUT when it is no workbook, or has no such sheet (the message lists them)
 */
export async function readXlsx(bytes: Uint8Array, { sheet = '', headerLine = 0 }: SheetOptions): Promise<RawTable> {
	const rows = await sheetRows(bytes, sheet);
	const header = headerLine > 0 ? headerLine - 1 : findHeader(rows);
	const names = columnNames((rows[header] ?? []).map((cell) => String(cell ?? '')));
	const kept = rows.map((cells, at) => ({ cells, line: at + 1 })).slice(header + 1).filter(({ cells }) => cells.some((cell) => cell !== null));
	return {
		names,
		rows: kept.map(({ cells }) => names.map((_name, at) => cellOf(cells[at]))),
		lines: kept.map(({ line }) => line),
		issues: [],
		style: 'unknown',
		headerLine: header + 1,
	};
}

async function sheetRows(bytes: Uint8Array, sheet: string): Promise<readonly (readonly unknown[])[]> {
	const { default: readSheets } = await import('read-excel-file/node');
	try {
		const sheets = await readSheets(Buffer.from(bytes));
		const found = sheet === '' ? sheets[0] : sheets.find((one) => one.sheet.trim().toLowerCase() === sheet.trim().toLowerCase());
		if (found) return found.data as readonly (readonly unknown[])[];
		return raise(noSheet(sheet, sheets.map((one) => one.sheet)));
	} catch (error) {
		if (error instanceof CodedError) return raise(error);
		return raise(new CodedError('BAD_INPUT', `The file is not an Excel workbook that can be read: ${messageOf(error)}`, {
			remedy: 'Save it as .xlsx (not .xls), without a password.',
			cause: error,
		}));
	}
}

function noSheet(sheet: string, names: readonly string[]): CodedError {
	return new CodedError('BAD_INPUT', `The workbook has no sheet "${sheet}"; it has: ${names.join(', ') || 'none'}`, { remedy: 'Enter one of these names, or none for the first.' });
}

function cellOf(cell: unknown): unknown {
	if (!(cell instanceof Date)) return cell ?? null;
	const text = cell.toISOString();
	return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
