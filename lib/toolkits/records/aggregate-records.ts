import { CodedError } from '../../core/errors';
import { codedColumn } from './coded-columns';
import { exactMeasures, type ExactMeasures } from './exact-sum';
import { findColumn } from './find-column';
import { groupRows, type Grouping, type GroupedRows } from './group-rows';
import { selectPlaces, type Selection } from './select-records';
import type { Cell, Column, Table } from './table';

export const MEASURES = ['count', 'sum', 'mean', 'median', 'percentile', 'min', 'max'] as const;
export type Measure = (typeof MEASURES)[number];
export const ORDERS = ['largest', 'smallest', 'group'] as const;

export interface Aggregation extends Selection, Grouping {
	readonly measure: Measure;
	/** Needed by all measures but `count`, which counts rows without it and present values with it. */
	readonly column?: string;
	/** 0..100, for `percentile`; 90 when absent. */
	readonly percent?: number;
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
	const rows = selectPlaces(table, request);
	const grouped = groupRows(table, rows, request);
	const measure = measureOf(table, request, target, await exactMeasures());
	const sorted = sortGroups(grouped, Array.from({ length: grouped.count }, (_, group) => measure(grouped.members(group))), request);
	const groups = sorted.slice(0, request.limit ?? DEFAULT_LIMIT).map(({ group, value }): Group => {
		return { group: grouped.labels(group), value, rows: grouped.members(group).length };
	});
	return {
		measure: request.measure,
		...(target && { column: target.column.name }),
		...(target?.column.unit !== undefined && { unit: target.column.unit }),
		overall: { group: {}, value: measure(rows), rows: rows.length },
		rowsWithoutValue: target === undefined ? 0 : rows.length - usable(table, target, rows).length,
		total: grouped.count,
		returned: groups.length,
		complete: groups.length === grouped.count,
		groups,
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

/** The rows, of those given, whose cell counts: numbers in a column of numbers, what is there in others. */
function usable(table: Table, { column, index }: Target, rows: Uint32Array): Uint32Array {
	const { codes, cells } = codedColumn(table, index);
	return rows.filter((row) => {
		const cell = cells[codes[row] ?? 0] ?? null;
		return column.type === 'number' ? typeof cell === 'number' : cell !== null;
	});
}

/** What computes the measure over rows, given by their places. */
function measureOf(table: Table, request: Aggregation, target: Target | undefined, exact: ExactMeasures): (rows: Uint32Array) => Cell {
	const { measure, percent = 90 } = request;
	if (target === undefined) return (rows) => rows.length;
	const { decimals, type } = target.column;
	if (measure === 'count') return (rows) => usable(table, target, rows).length;
	if (measure === 'min' || measure === 'max') {
		const { codes, cells } = codedColumn(table, target.index);
		const isBetter = (cell: Cell, best: Cell): boolean => best === null || (cell !== null && cell < best === (measure === 'min'));
		return (rows) => usable(table, target, rows).reduce<Cell>((best, row) => {
			const cell = cells[codes[row] ?? 0] ?? null;
			return isBetter(cell, best) ? cell : best;
		}, null);
	}
	const compute = measure === 'percentile'
		? (values: Float64Array) => exact.percentile(values, percent, decimals)
		: (values: Float64Array) => exact[measure](values, decimals);
	return (rows) => {
		const values = type === 'number' ? numbersOf(table, target.index, rows) : new Float64Array();
		return values.length === 0 ? null : compute(values);
	};
}

function numbersOf(table: Table, index: number, rows: Uint32Array): Float64Array {
	const column = codedColumn(table, index);
	const numbers = column.numbers();
	const { isNaN } = Number;
	const values = new Float64Array(rows.length);
	let count = 0;
	for (const row of rows) {
		const value = numbers[column.codes[row] ?? 0] ?? 0;
		if (!isNaN(value)) values[count++] = value;
	}
	return values.subarray(0, count);
}

interface Valued {
	readonly group: number;
	readonly value: Cell;
}

/** By value, groups without one last, then by their labels; or by labels alone. */
function sortGroups(grouped: GroupedRows, values: readonly Cell[], request: Aggregation): Valued[] {
	const order = request.order ?? (request.period === undefined ? 'largest' : 'group');
	const labels = new Map<number, string>();
	const labelOf = (group: number): string => {
		const found = labels.get(group) ?? Object.values(grouped.labels(group)).map((cell) => cell ?? '\uffff').join('\n');
		labels.set(group, found);
		return found;
	};
	const byLabel = (first: Valued, second: Valued): number => (labelOf(first.group) < labelOf(second.group) ? -1 : 1);
	const valued = values.map((value, group): Valued => ({ group, value }));
	if (order === 'group') return valued.sort(byLabel);
	const sign = order === 'largest' ? -1 : 1;
	return valued.sort((first, second) => {
		if (first.value === null || second.value === null) return Number(first.value === null) - Number(second.value === null);
		return first.value === second.value ? byLabel(first, second) : sign * (first.value < second.value ? -1 : 1);
	});
}
