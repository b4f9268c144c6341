import { findColumn } from './find-column';
import type { Row } from './select-records';
import type { Cell, Table } from './table';

/**
 * Rows by one column, smallest first unless `descending`; missing values last in both; equal ones keep their order.
 *
 * @throws CodedError BAD_INPUT for an unknown column
 */
export function sortRows(table: Table, rows: readonly Row[], by: string, descending: boolean): Row[] {
	const { index } = findColumn(table, by);
	const sign = descending ? -1 : 1;
	return [...rows].sort((first, second) => compare(first[index] ?? null, second[index] ?? null, sign));
}

function compare(first: Cell, second: Cell, sign: number): number {
	if (first === null || second === null) return Number(first === null) - Number(second === null);
	if (typeof first === 'number' && typeof second === 'number') return sign * (first - second);
	const [one, two] = [String(first).toLowerCase(), String(second).toLowerCase()];
	return one === two ? 0 : sign * (one < two ? -1 : 1);
}
