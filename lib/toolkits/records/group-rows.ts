import { CodedError } from '../../core/errors';
import { codedColumn } from './coded-columns';
import { findColumn } from './find-column';
import type { Cell, Table } from './table';

export const PERIODS = ['year', 'quarter', 'month', 'week', 'day'] as const;
export type GroupPeriod = (typeof PERIODS)[number];

export interface Grouping {
	readonly group_by?: readonly string[];
	readonly period?: GroupPeriod;
	/** The date column that `period` cuts; may be left out when there is one only. */
	readonly date_column?: string;
}

/** Rows by what they share, in the order in which the groups first appear. */
export interface GroupedRows {
	readonly count: number;
	/** Places in the table of the rows of a group, ascending. */
	members(group: number): Uint32Array;
	/** The value of each grouping column by its name, and `period`. */
	labels(group: number): { readonly [name: string]: Cell };
}

/** One thing to group by: every row has a code, every code a cell. */
interface Key {
	readonly name: string;
	readonly codes: Uint32Array;
	readonly cells: readonly Cell[];
}

/**
 * Groups rows, given by their places; no columns and no period to group by give no groups.
 *
 * @throws CodedError BAD_INPUT for unknown columns, and for a period where it is not clear of which date
 */
export function groupRows(table: Table, rows: Uint32Array, request: Grouping): GroupedRows {
	const keys = keysOf(table, request);
	if (keys.length === 0) return { count: 0, members: () => new Uint32Array(), labels: () => ({}) };
	const { groups, count } = numberGroups(rows, keys);
	const starts = new Uint32Array(count + 1);
	for (const group of groups) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
	for (let group = 0; group < count; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
	const next = starts.slice();
	const ordered = new Uint32Array(rows.length);
	groups.forEach((group, at) => {
		ordered[next[group] ?? 0] = rows[at] ?? 0;
		next[group] = (next[group] ?? 0) + 1;
	});
	const members = (group: number): Uint32Array => ordered.subarray(starts[group], starts[group + 1]);
	const labels = (group: number): { readonly [name: string]: Cell } => {
		const row = ordered[starts[group] ?? 0] ?? 0;
		return Object.fromEntries(keys.map(({ name, codes, cells }) => [name, cells[codes[row] ?? 0] ?? null]));
	};
	return { count, members, labels };
}

/** Numbers the groups from 0 as they appear: one number for each combination of codes. */
function numberGroups(rows: Uint32Array, keys: readonly Key[]): { groups: Uint32Array; count: number } {
	let groups: Uint32Array = new Uint32Array(rows.length);
	let count = 1;
	for (const { codes, cells } of keys) {
		const numbers = new Map<number, number>();
		groups = groups.map((group, at) => {
			const combined = group * cells.length + (codes[rows[at] ?? 0] ?? 0);
			const number = numbers.get(combined) ?? numbers.size;
			if (number === numbers.size) numbers.set(combined, number);
			return number;
		});
		count = numbers.size;
	}
	return { groups, count };
}

function keysOf(table: Table, { group_by = [], period, date_column }: Grouping): Key[] {
	const keys = group_by.map((name): Key => {
		const { column, index } = findColumn(table, name);
		return { name: column.name, ...codedColumn(table, index) };
	});
	if (period === undefined) return keys;
	const { codes, cells } = codedColumn(table, findColumn(table, date_column ?? onlyDateColumn(table)).index);
	// A day belongs to one period: the days are cut, not the rows.
	const periods = cells.map((cell) => periodOf(cell, period));
	const places = new Map([...new Set(periods)].map((one, place) => [one, place]));
	const placeOf = Uint32Array.from(periods, (one) => places.get(one) ?? 0);
	return [...keys, { name: 'period', codes: codes.map((code) => placeOf[code] ?? 0), cells: [...places.keys()] }];
}

function onlyDateColumn(table: Table): string {
	const dates = table.columns.filter((column) => column.type === 'date').map((column) => column.name);
	if (dates.length === 1 && dates[0] !== undefined) return dates[0];
	const found = dates.length === 0 ? 'There is no date column.' : `There are several date columns: ${dates.join(', ')}.`;
	throw new CodedError('BAD_INPUT', found, { remedy: 'Say in "date_column" which one the period is of.' });
}

/** 2025, 2025-Q3, 2025-07, 2025-W27 (ISO week) or 2025-07-01; null for a missing or unreadable date. */
function periodOf(cell: Cell, period: GroupPeriod): Cell {
	if (typeof cell !== 'string' || !/^\d{4}-\d\d-\d\d/.test(cell)) return null;
	switch (period) {
		case 'year':
			return cell.slice(0, 4);
		case 'quarter':
			return `${cell.slice(0, 4)}-Q${Math.ceil(Number(cell.slice(5, 7)) / 3)}`;
		case 'month':
			return cell.slice(0, 7);
		case 'week':
			return isoWeek(cell.slice(0, 10));
		case 'day':
			return cell.slice(0, 10);
	}
}

const DAY_MS = 86_400_000;

/** The ISO week belongs to the year of its Thursday. */
function isoWeek(day: string): string {
	const date = new Date(`${day}T00:00:00Z`);
	const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
	const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
	const week = Math.floor((thursday.getTime() - newYear) / DAY_MS / 7) + 1;
	return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
