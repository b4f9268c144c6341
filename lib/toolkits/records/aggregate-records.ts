import { CodedError } from '../../core/errors';
import { groupBy } from '../../shape/group-by';
import { exactMean, exactMedian, exactPercentile, exactSum } from './exact-sum';
import { findColumn } from './find-column';
import { selectRecords, type Row, type Selection } from './select-records';
import type { Cell, Column, Table } from './table';

export const MEASURES = ['count', 'sum', 'mean', 'median', 'percentile', 'min', 'max'] as const;
export type Measure = (typeof MEASURES)[number];
export const PERIODS = ['year', 'quarter', 'month', 'week', 'day'] as const;
export type GroupPeriod = (typeof PERIODS)[number];
export const ORDERS = ['largest', 'smallest', 'group'] as const;

export interface Aggregation extends Selection {
	readonly measure: Measure;
	/** Needed by all measures but `count`, which counts rows without it and present values with it. */
	readonly column?: string;
	/** 0..100, for `percentile`; 90 when absent. */
	readonly percent?: number;
	readonly group_by?: readonly string[];
	readonly period?: GroupPeriod;
	/** The date column that `period` cuts; may be left out when there is one only. */
	readonly date_column?: string;
	readonly order?: (typeof ORDERS)[number];
	readonly limit?: number;
}

export interface Group {
	/** Value of each grouping column by its name, and `period`; {} for the whole. */
	readonly group: { readonly [name: string]: Cell };
	/** Null when no row of the group has a value. */
	readonly value: Cell;
	readonly rows: number;
}

export interface AggregateAnswer {
	readonly measure: Measure;
	readonly column?: string;
	readonly unit?: string;
	/** Over all rows that fit. */
	readonly overall: Group;
	/** Rows that fit but have no usable value in the column. */
	readonly rowsWithoutValue: number;
	readonly total: number;
	readonly returned: number;
	readonly complete: boolean;
	readonly groups: readonly Group[];
}

const DEFAULT_LIMIT = 50;

/**
 * Computes one measure over the rows that fit, in all and by group; sums are exact, means rounded to two more decimals than
 * the values have. `total` counts groups; [] groups when nothing to group by was asked for.
 *
 * @throws CodedError BAD_INPUT for unknown columns and measures that a column's type does not have
 */
export async function aggregateRecords(table: Table, request: Aggregation): Promise<AggregateAnswer> {
	const target = targetOf(table, request);
	const rows = selectRecords(table, request);
	const keys = keysOf(table, request);
	const measure = (group: readonly Row[]): Promise<Cell> => measureOf(request, target, group);
	const overall: Group = { group: {}, value: await measure(rows), rows: rows.length };
	const groups = keys.length === 0 ? [] : await Promise.all(
		[...groupBy(rows, groupKeyOf(keys))].map(async ([, members]) => ({
			group: Object.fromEntries(keys.map((key) => [key.name, key.of(members[0] ?? [])])),
			value: await measure(members),
			rows: members.length,
		})),
	);
	const sorted = groups.sort(orderOf(request.order ?? (request.period === undefined ? 'largest' : 'group')));
	const returned = sorted.slice(0, request.limit ?? DEFAULT_LIMIT);
	const rowsWithoutValue = target === undefined ? 0 : rows.filter((row) => !isUsable(row[target.index] ?? null, target.column)).length;
	return {
		measure: request.measure,
		...(target && { column: target.column.name }),
		...(target?.column.unit !== undefined && { unit: target.column.unit }),
		overall,
		rowsWithoutValue,
		total: groups.length,
		returned: returned.length,
		complete: returned.length === groups.length,
		groups: returned,
	};
}

interface Target {
	readonly column: Column;
	readonly index: number;
}

function targetOf(table: Table, { measure, column }: Aggregation): Target | undefined {
	if (column === undefined) {
		if (measure === 'count') return undefined;
		throw new CodedError('BAD_INPUT', `${measure} needs a column.`, { remedy: 'Say in "column" what to compute it of.' });
	}
	const target = findColumn(table, column);
	const { type, name } = target.column;
	const fits = measure === 'count' || type === 'number' || (type === 'date' && (measure === 'min' || measure === 'max'));
	if (fits) return target;
	throw new CodedError('BAD_INPUT', `${measure} needs numbers; the column ${name} holds ${type} values.`, {
		remedy: 'Use count, or group by that column.',
	});
}

function isUsable(cell: Cell, column: Column): boolean {
	if (column.type === 'number') return typeof cell === 'number';
	return cell !== null;
}

async function measureOf({ measure, percent = 90 }: Aggregation, target: Target | undefined, rows: readonly Row[]): Promise<Cell> {
	if (target === undefined) return rows.length;
	const { column, index } = target;
	const cells: Cell[] = [];
	for (const row of rows) {
		const cell = row[index] ?? null;
		if (isUsable(cell, column)) cells.push(cell);
	}
	if (measure === 'count') return cells.length;
	if (cells.length === 0) return null;
	if (measure === 'min' || measure === 'max') {
		return cells.reduce((best, cell) => (isBefore(cell, best) === (measure === 'min') ? cell : best));
	}
	const numbers = cells as number[];
	if (measure === 'sum') return exactSum(numbers, column.decimals);
	if (measure === 'percentile') return exactPercentile(numbers, percent, column.decimals);
	return measure === 'mean' ? exactMean(numbers, column.decimals) : exactMedian(numbers, column.decimals);
}

function isBefore(first: Cell, second: Cell): boolean {
	return first !== null && second !== null && first < second;
}

interface Key {
	readonly name: string;
	readonly of: (row: Row) => Cell;
}

function keysOf(table: Table, request: Aggregation): Key[] {
	const keys = (request.group_by ?? []).map((name): Key => {
		const { column, index } = findColumn(table, name);
		return { name: column.name, of: (row) => row[index] ?? null };
	});
	const { period } = request;
	if (period === undefined) return keys;
	const { index } = findColumn(table, request.date_column ?? onlyDateColumn(table));
	return [...keys, { name: 'period', of: (row) => periodOf(row[index] ?? null, period) }];
}

/** One key is its own cell; several are told apart by their types and texts. */
function groupKeyOf(keys: readonly Key[]): (row: Row) => Cell {
	const [only] = keys;
	if (only !== undefined && keys.length === 1) return only.of;
	return (row) => keys.map(({ of }) => `${typeof of(row)} ${String(of(row))}`).join('\u0000');
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

function orderOf(order: (typeof ORDERS)[number]): (first: Group, second: Group) => number {
	const byGroup = (first: Group, second: Group): number => (label(first) < label(second) ? -1 : 1);
	if (order === 'group') return byGroup;
	const sign = order === 'largest' ? -1 : 1;
	return (first, second) => {
		// Groups without a value come last in both orders.
		if (first.value === null || second.value === null) return Number(first.value === null) - Number(second.value === null);
		return first.value === second.value ? byGroup(first, second) : sign * (isBefore(first.value, second.value) ? -1 : 1);
	};
}

function label({ group }: Group): string {
	return Object.values(group).map((cell) => cell ?? '\uffff').join('\n');
}
