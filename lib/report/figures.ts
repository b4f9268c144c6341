import type { StepCall } from '../core/run';
import { cellText, shorten } from './markdown';

/** One table of a report, filled from one tool result. */
export interface Figure {
	/** The tool and its arguments. */
	readonly title: string;
	/** What the result says besides its rows, such as the total; '' for nothing. */
	readonly facts: string;
	readonly columns: readonly string[];
	readonly rows: ReadonlyArray<readonly string[]>;
	/** Rows left out because of the limit. */
	readonly hiddenRows: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Names under which tools give rows, most telling first. */
const ROW_FIELDS = ['groups', 'rows', 'records', 'results', 'items', 'data'];
const MAX_ARGUMENTS = 160;

/**
 * The tables that the results of a run give, in the order of the calls.
 *
 * A result counts when its `data` holds a list of objects, by itself or in a field, or is one object with a number in it.
 * Failed calls give nothing; calls with the same result and arguments give one table.
 *
 * @param maxRows  rows a table may have, from 1
 */
export function figuresOf(calls: readonly StepCall[], maxRows: number): Figure[] {
	const figures = new Map<string, Figure>();
	for (const call of calls) {
		const { rows, facts } = call.result.isError ? { rows: [], facts: '' } : readRows(call.result.data);
		if (rows.length === 0) continue;
		const figure = { ...makeTable(rows, maxRows), title: describeCall(call), facts };
		figures.set(JSON.stringify(figure), figure);
	}
	return [...figures.values()];
}

/** The tool's name and its arguments in one line, long arguments shortened. */
export function describeCall(call: StepCall): string {
	const given = describeInput(call.input);
	return given === '' ? call.name : `${call.name} (${shorten(given, MAX_ARGUMENTS)})`;
}

/** Arguments as `name: value; …`; a list of conditions reads `date equals 2011-Q4, cost present`. '' when there are none. */
export function describeInput(input: unknown): string {
	if (!isRow(input)) return cellText(input);
	return Object.entries(input)
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => `${name}: ${inWords(value)}`)
		.join('; ');
}

function inWords(value: unknown): string {
	if (Array.isArray(value)) return value.map(inWords).join(', ');
	return isRow(value) ? Object.values(value).map(inWords).join(' ') : cellText(value);
}

function makeTable(rows: readonly Row[], maxRows: number): Pick<Figure, 'columns' | 'rows' | 'hiddenRows'> {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const shown = rows.slice(0, maxRows).map((row) => columns.map((column) => cellText(row[column])));
	return { columns, rows: shown, hiddenRows: rows.length - shown.length };
}

function readRows(data: unknown): { readonly rows: readonly Row[]; readonly facts: string } {
	// Passages of documents are sources, not figures.
	if (isRows(data)) return { rows: data.every(isPassage) ? [] : data, facts: '' };
	// What says that a picture or a file was made is no table.
	if (!isRow(data) || Array.isArray(data.files)) return { rows: [], facts: '' };
	const name = [...ROW_FIELDS, ...Object.keys(data)].find((field) => isRows(data[field]));
	const { [name ?? '']: list, ...others } = data;
	if (isRows(list)) return { rows: list.map(flatten), facts: describeFacts(others) };
	const plain = Object.fromEntries(Object.entries(flatten(data)).filter(([, value]) => isPlain(value)));
	return { rows: Object.values(plain).some((value) => typeof value === 'number') ? [plain] : [], facts: '' };
}

/** `{total: 3, overall: {value: 12}}` → `total: 3, overall: value 12`; lists and empty objects are left out. */
function describeFacts(facts: Row): string {
	return Object.entries(facts)
		.map(([name, value]) => {
			if (!isRow(value)) return isPlain(value) ? `${name}: ${cellText(value)}` : '';
			const inner = Object.entries(value).filter(([, part]) => isPlain(part));
			return inner.length === 0 ? '' : `${name}: ${inner.map(([part, of]) => `${part} ${cellText(of)}`).join(', ')}`;
		})
		.filter((fact) => fact !== '')
		.join('; ');
}

/** `{key: {a: 1}, n: 2}` → `{a: 1, n: 2}`: grouped rows read better with one column a value. */
function flatten(row: Row): Row {
	const entries = Object.entries(row).flatMap(([name, value]) => (isRow(value) ? Object.entries(value) : [[name, value] as const]));
	const names = entries.map(([name]) => name);
	return new Set(names).size === names.length ? Object.fromEntries(entries) : row;
}

function isRows(value: unknown): value is readonly Row[] {
	return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

function isPassage({ documentId, text }: Row): boolean {
	return typeof documentId === 'string' && typeof text === 'string';
}

function isPlain(value: unknown): boolean {
	return value !== null && typeof value !== 'object';
}

function isRow(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
