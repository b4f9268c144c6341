import { foldText } from './find-column';
import type { Cell, Table } from './table';

/**
 * A column by its different values: each row has a code, each code its cell. A question then looks at each value once, whatever
 * the number of rows, and goes through the rows as numbers. Made when a table is loaded.
 */
export interface CodedColumn {
	/** One per row: where its cell stands in `cells`. */
	readonly codes: Uint32Array;
	/** The different cells, in the order in which they first appear. */
	readonly cells: readonly Cell[];
	/** The cells in `foldText`'s form; '' for null. */
	folded(): readonly string[];
	/** The cells that are numbers, NaN for all others. */
	numbers(): Float64Array;
	/** The place of each cell in sorted order, text by its lower case; equal ones share it, null has none and comes last. */
	ranks(): Uint32Array;
}

const known = new WeakMap<Table, Map<number, CodedColumn>>();

/** The column at a place of the table; made at the first call. */
export function codedColumn(table: Table, index: number): CodedColumn {
	const columns = known.get(table) ?? new Map<number, CodedColumn>();
	known.set(table, columns);
	const found = columns.get(index) ?? codeColumn(table, index);
	columns.set(index, found);
	return found;
}

/** Makes what questions need, so that the first one does not wait for it. */
export function codeColumns(table: Table): Table {
	table.columns.forEach(({ type }, index) => {
		const column = codedColumn(table, index);
		if (type === 'number') column.numbers();
		if (type === 'text') column.folded();
	});
	return table;
}

function codeColumn({ rows }: Table, index: number): CodedColumn {
	const places = new Map<Cell, number>();
	const codes = new Uint32Array(rows.length);
	rows.forEach((row, at) => {
		const cell = row[index] ?? null;
		const place = places.get(cell) ?? places.size;
		if (place === places.size) places.set(cell, place);
		codes[at] = place;
	});
	const cells = [...places.keys()];
	return {
		codes,
		cells,
		folded: once(() => cells.map((cell) => (cell === null ? '' : foldText(String(cell))))),
		numbers: once(() => Float64Array.from(cells, (cell) => (typeof cell === 'number' ? cell : Number.NaN))),
		ranks: once(() => ranksOf(cells)),
	};
}

function once<Value>(make: () => Value): () => Value {
	let made: { readonly value: Value } | undefined;
	return () => (made ??= { value: make() }).value;
}

/** Numbers sort before texts, as a column of numbers has texts only where something could not be read. */
function ranksOf(cells: readonly Cell[]): Uint32Array {
	const numbers = Float64Array.from(cells.filter((cell) => typeof cell === 'number')).sort();
	const texts = cells.flatMap((cell) => (cell === null || typeof cell === 'number' ? [] : [sortKey(cell)])).sort();
	const places = new Map<number | string, number>();
	for (const key of [...numbers, ...texts]) if (!places.has(key)) places.set(key, places.size);
	return Uint32Array.from(cells, (cell) => (cell === null ? places.size : (places.get(typeof cell === 'number' ? cell : sortKey(cell)) ?? 0)));
}

function sortKey(cell: string | boolean): string {
	return String(cell).toLowerCase();
}
