/** What a cell holds: dates are ISO text (`2025-12-31` or `2025-12-31T14:30:00`), null is missing. */
export type Cell = string | number | boolean | null;
export type ColumnType = 'text' | 'number' | 'date' | 'boolean';

export interface Column {
	readonly name: string;
	readonly type: ColumnType;
	/** As written beside the numbers, e.g. € or km. */
	readonly unit?: string;
	/** Most digits after the decimal point in a number column; 0 elsewhere. */
	readonly decimals: number;
	readonly missing: number;
	readonly distinct: number;
	/** A few values as they are, most frequent first. */
	readonly samples: readonly string[];
	/** Smallest and largest of numbers or dates; absent when there are none. */
	readonly range?: readonly [Cell, Cell];
	/** Whose clock shows times that said their own zone; absent when none did, or for UTC. */
	readonly timezone?: string;
	/** How something was read that could be read in two ways. */
	readonly note?: string;
}

/** A row or value that could not be read. `line` counts lines of a text from 1, or rows of a list from 1. */
export interface RowIssue {
	readonly line: number;
	readonly column?: string;
	readonly value: string;
	readonly why: string;
}

/**
 * Rows with typed columns. A cell of a number, date or boolean column is of that type, null, or the text that could not be
 * read as such (then it is an issue too); computations skip it.
 */
export interface Table {
	readonly columns: readonly Column[];
	readonly rows: readonly (readonly Cell[])[];
	readonly issues: readonly RowIssue[];
	/** Rows that are not in `rows` because they could not be read at all. */
	readonly unreadableRows: number;
	/** Line of the column names in a file, from 1. */
	readonly headerLine?: number;
}

/** Untyped rows: what a reader gives and `typeColumns` takes. `lines` has one number a row. */
export interface RawTable {
	readonly names: readonly string[];
	readonly rows: readonly (readonly unknown[])[];
	readonly lines: readonly number[];
	readonly issues: readonly RowIssue[];
	/** How the file is likely to write numbers and dates when it cannot be seen; `unknown` for JSON and lists. */
	readonly style: 'comma' | 'point' | 'unknown';
	/** Line of the column names in a file, from 1. */
	readonly headerLine?: number;
}
