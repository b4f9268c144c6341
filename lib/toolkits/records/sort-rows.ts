import { codedColumn } from './coded-columns';
import { findColumn } from './find-column';
import type { Table } from './table';

/**
 * Rows, given and returned by their places, by one column, smallest first unless `descending`; missing values last in both;
 * equal ones keep their order.
 *
 * @throws CodedError BAD_INPUT for an unknown column
 */
export function sortRows(table: Table, rows: Uint32Array, by: string, descending: boolean): Uint32Array {
	const { codes, cells, ranks } = codedColumn(table, findColumn(table, by).index);
	const places = ranks();
	const last = cells.length;
	// Rank and place in one number: sorting numbers needs no comparing function.
	const keys = Float64Array.from(rows, (row, at) => {
		const code = codes[row] ?? 0;
		const rank = cells[code] === null ? last : descending ? last - 1 - (places[code] ?? 0) : (places[code] ?? 0);
		return rank * rows.length + at;
	});
	return Uint32Array.from(keys.sort(), (key) => rows[key % rows.length] ?? 0);
}
