import { findDateOrder, hasZone, looksLikeDate, readDateCell, type DateOrder } from './date-cells';
import { decimalsOf, findNumberStyle, readNumberCell, type NumberStyle } from './number-cells';
import type { Cell, Column, ColumnType, RawTable, RowIssue, Table } from './table';

const BLANKS = new Set(['', 'n/a', 'na', 'null', 'none', '-', '–', '—']);
const MAX_BAD_SHARE = 0.1;
const SAMPLES = 4;
const SAMPLE_CHARS = 40;

/** How the cells of one column become values of its type; undefined for a cell that does not fit. */
interface Reading {
	readonly type: ColumnType;
	readonly note?: string;
	read(value: unknown): Cell | undefined;
	/** What stays to be said once all cells were read. */
	facts(): { readonly unit?: string; readonly decimals: number; readonly timezone?: string };
}

/**
 * Gives each column the type that its values have: number, date, boolean, else text.
 *
 * Signs and order are found per column (decimal comma or point, day or month first). A column keeps its type when at most a
 * tenth of its values (or one of four and more) do not fit; those stay as they are and are named in `issues`. Dates that
 * could be read both ways stay text with a note, except in files that use `;`, where the day comes first. Times that say their own
 * zone, and Date objects, are given as the clock of `timezone` (an IANA name) shows them then.
 */
export function typeColumns(raw: RawTable, timezone = 'UTC'): Table {
	const issues: RowIssue[] = [...raw.issues];
	const rows: Cell[][] = raw.rows.map(() => new Array<Cell>(raw.names.length).fill(null));
	const columns = raw.names.map((name, index) => {
		const values = raw.rows.map((row) => row[index]);
		const { reading, bad } = chooseReading(values, raw.style, timezone);
		values.forEach((value, row) => {
			const target = rows[row];
			if (target !== undefined) target[index] = reading.read(value) ?? textOf(value);
		});
		for (const row of bad) {
			const value = String(textOf(values[row]));
			issues.push({ line: raw.lines[row] ?? row + 1, column: name, value, why: `is not a ${reading.type}` });
		}
		return describeColumn(name, reading, rows.map((row) => row[index] ?? null));
	});
	issues.sort((first, second) => first.line - second.line);
	return { columns, rows, issues, unreadableRows: raw.issues.length, ...(raw.headerLine !== undefined && { headerLine: raw.headerLine }) };
}

function chooseReading(values: readonly unknown[], style: RawTable['style'], timezone: string): { reading: Reading; bad: number[] } {
	const texts = values.filter((value): value is string => typeof value === 'string' && !isBlank(value));
	for (const reading of [booleanReading(), numberReading(texts, style), dateReading(texts, style, timezone)]) {
		if (reading === undefined) continue;
		const bad: number[] = [];
		let good = 0;
		// More bad values than even a column full of values may have: no need to read on.
		const tooMany = Math.max(1, values.length * MAX_BAD_SHARE);
		for (let row = 0; row < values.length && bad.length <= tooMany; row++) {
			const cell = reading.read(values[row]);
			if (cell === undefined) bad.push(row);
			else if (cell !== null) good += 1;
		}
		const tolerated = bad.length <= (good + bad.length) * MAX_BAD_SHARE || (bad.length === 1 && good >= 3);
		if (good > 0 && tolerated) return { reading, bad };
	}
	return { reading: textReading(texts), bad: [] };
}

function isBlank(value: unknown): boolean {
	return value === null || value === undefined || (typeof value === 'string' && BLANKS.has(value.trim().toLowerCase()));
}

function booleanReading(): Reading {
	const words: { readonly [word: string]: boolean } = { true: true, false: false };
	return {
		type: 'boolean',
		read: (value) => (isBlank(value) ? null : typeof value === 'boolean' ? value : words[String(value).trim().toLowerCase()]),
		facts: () => ({ decimals: 0 }),
	};
}

function numberReading(texts: readonly string[], fileStyle: RawTable['style']): Reading {
	const fallback: NumberStyle = fileStyle === 'comma' ? 'comma' : 'point';
	const { style, clear } = findNumberStyle(texts, fallback);
	let decimals = 0;
	const units = new Map<string, number>();
	const note = clear ? undefined : `Numbers such as ${texts.find((text) => /[.,]/.test(text))} are read with a decimal ${style}.`;
	const read = (value: unknown): Cell | undefined => {
		if (isBlank(value)) return null;
		if (typeof value === 'number') {
			decimals = Math.max(decimals, decimalsOf(value));
			return Number.isFinite(value) ? value : undefined;
		}
		const cell = typeof value === 'string' ? readNumberCell(value, style) : undefined;
		if (cell === undefined) return undefined;
		decimals = Math.max(decimals, cell.decimals);
		if (cell.unit !== undefined) units.set(cell.unit, (units.get(cell.unit) ?? 0) + 1);
		// Two units in one column would add up kilometres and hours: then only the first unit's values are numbers.
		return units.size > 1 && cell.unit !== units.keys().next().value ? undefined : cell.value;
	};
	const facts = (): { unit?: string; decimals: number } => {
		const unit = units.keys().next().value;
		return unit === undefined ? { decimals } : { unit, decimals };
	};
	return note === undefined ? { type: 'number', read, facts } : { type: 'number', note, read, facts };
}

function dateReading(texts: readonly string[], style: RawTable['style'], timezone: string): Reading | undefined {
	const found = findDateOrder(texts);
	if (found === undefined && style !== 'comma') return undefined;
	const order: DateOrder = found ?? 'day-first';
	let isZoned = false;
	const reading: Reading = {
		type: 'date',
		read: (value) => {
			if (isBlank(value)) return null;
			const text = dateText(value);
			if (text === undefined) return undefined;
			isZoned ||= timezone !== 'UTC' && hasZone(text);
			return readDateCell(text, order, timezone);
		},
		facts: () => ({ decimals: 0, ...(isZoned && { timezone }) }),
	};
	return found === undefined ? { ...reading, note: 'Dates such as 03/04/2025 are read with the day first.' } : reading;
}

/** Text of a value that may be a date: also Date objects and Luxon's, as n8n expressions give them. */
function dateText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	if (typeof value === 'object' && value !== null && 'toISO' in value && typeof value.toISO === 'function') {
		return String(value.toISO());
	}
	return undefined;
}

function textReading(texts: readonly string[]): Reading {
	const unclearDates = texts.length > 0 && texts.every(looksLikeDate);
	const note = 'Dates such as 03/04/2025 could begin with the day or the month; they are left as text.';
	const reading: Reading = { type: 'text', read: textOf, facts: () => ({ decimals: 0 }) };
	return unclearDates ? { ...reading, note } : reading;
}

function textOf(value: unknown): Cell {
	if (value === null || value === undefined || value === '') return null;
	if (typeof value === 'string') return value.trim() === '' ? null : value;
	return typeof value === 'object' ? (dateText(value) ?? JSON.stringify(value)) : String(value);
}

function describeColumn(name: string, reading: Reading, cells: readonly Cell[]): Column {
	const counts = new Map<Cell, number>();
	let missing = 0;
	let range: [Cell, Cell] | undefined;
	for (const cell of cells) {
		if (cell === null) missing += 1;
		else counts.set(cell, (counts.get(cell) ?? 0) + 1);
	}
	for (const cell of counts.keys()) {
		const fits = reading.type === 'number' ? typeof cell === 'number' : reading.type === 'date' && looksLikeDate(String(cell));
		if (!fits || cell === null) continue;
		range ??= [cell, cell];
		if (range[0] === null || cell < range[0]) range[0] = cell;
		if (range[1] === null || cell > range[1]) range[1] = cell;
	}
	const frequent = [...counts].sort((first, second) => second[1] - first[1]).slice(0, SAMPLES);
	const samples = frequent.map(([cell]) => String(cell).slice(0, SAMPLE_CHARS));
	const column = { name, type: reading.type, ...reading.facts(), missing, distinct: counts.size, samples };
	return { ...column, ...(range && { range }), ...(reading.note && { note: reading.note }) };
}
