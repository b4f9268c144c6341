import type { Tool } from '../../core/tool';
import { makeTool, type ToolDefinition } from '../make-tool';
import { aggregateRecords, MEASURES, ORDERS, type Aggregation } from './aggregate-records';
import { codedColumn } from './coded-columns';
import { findColumn, foldText } from './find-column';
import { PERIODS } from './group-rows';
import { keepSelection, recallSelection } from './selection-handles';
import { OPERATORS, selectPlaces, type Row, type Selection } from './select-records';
import { sortRows } from './sort-rows';
import type { Cell, Column, Table } from './table';

export interface RecordSettings {
	/** What the records are, e.g. "work orders of the excavators"; goes into the intents. */
	readonly about: string;
	/** Put before the tool names, so that two toolkits differ; '' for none. */
	readonly prefix: string;
}

const MAX_FOUND = 200;
const MAX_GROUPS = 500;
const SHOWN_ISSUES = 20;
const MAX_COLUMN_CHARS = 2500;

const COLUMN = { type: 'string', description: 'A column name' };
const SELECTION = {
	filters: {
		type: 'array',
		description: 'Conditions; leave out for all records',
		items: {
			type: 'object',
			properties: {
				column: COLUMN,
				operator: { type: 'string', enum: OPERATORS },
				value: {
					description:
						'One value; a list of two [from, to] for between; a list for in and not_in. Dates as 2025-12-31, 2025-12, 2025-Q4 or 2025',
				},
			},
			required: ['column', 'operator'],
			additionalProperties: false,
		},
	},
	match: { type: 'string', enum: ['all', 'any'], description: 'Whether all conditions must hold (default) or any one' },
};

/**
 * Tools over one table: describe, find, count, aggregate, distinct values. Each looks at every row; answers say how many
 * there are in all (`total`), how many are shown (`returned`) and whether that is everything (`complete`).
 */
export function recordTools(table: Table, settings: RecordSettings): Tool[] {
	const about = settings.about.trim() || 'records';
	const columns = describeColumns(table);
	return [describeRecords(table, about), findRecords(table, about), countRecords(table, about), aggregate(table, about),
		distinctValues(table, about)].map((definition) =>
		makeTool({ ...definition, name: prefixed(settings.prefix, definition.name), description: `${definition.description} ${columns}` }));
}

type Definition = ToolDefinition<never>;

function prefixed(prefix: string, name: string): string {
	const safe = foldText(prefix).replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 40);
	return safe === '' ? name : `${safe}_${name}`;
}

function describeRecords(table: Table, about: string): Definition {
	return {
		name: 'describe_records',
		intent: `Describes the ${about}: columns, types, units, ranges, how many there are and what could not be read.`,
		description: 'Returns {total, columns, unreadable, header_line}.',
		input: {},
		tags: ['records'],
		run: () => ({
			total: table.rows.length,
			columns: table.columns,
			...(table.headerLine !== undefined && { header_line: table.headerLine }),
			unreadable: { count: table.issues.length, rowsLeftOut: table.unreadableRows, first: table.issues.slice(0, SHOWN_ISSUES) },
		}),
	};
}

interface FindInput extends Selection {
	readonly columns?: readonly string[];
	readonly sort_by?: string;
	readonly descending?: boolean;
	readonly limit?: number;
	readonly offset?: number;
	readonly handle?: string;
}

function findRecords(table: Table, about: string): Definition {
	const definition: ToolDefinition<FindInput> = {
		name: 'find_records',
		intent: `Finds ${about} that meet conditions.`,
		description:
			'Returns {total, returned, complete, records}; total counts all that fit. An incomplete answer has a handle and next_offset: give both ' +
			'to read on. For figures over many records use aggregate_records.',
		input: {
			...SELECTION,
			columns: { type: 'array', items: COLUMN, description: 'Columns to show; all when left out' },
			sort_by: COLUMN,
			descending: { type: 'boolean' },
			limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, description: 'Default 20' },
			offset: { type: 'integer', minimum: 0, description: 'Records to skip' },
			handle: { type: 'string', description: 'Of an incomplete answer: the same conditions and order again' },
		},
		optional: ['filters', 'match', 'columns', 'sort_by', 'descending', 'limit', 'offset', 'handle'],
		tags: ['records'],
		run: (given) => {
			const input = given.handle === undefined ? given : recallSelection(given.handle, given);
			const fitting = selectPlaces(table, input);
			const sorted = input.sort_by === undefined ? fitting : sortRows(table, fitting, input.sort_by, input.descending ?? false);
			const offset = input.offset ?? 0;
			const page = sorted.subarray(offset, offset + (input.limit ?? 20));
			const records = Array.from(page, (at) => asRecord(table, table.rows[at] ?? [], input.columns));
			const next = offset + page.length;
			const more = next < fitting.length && { handle: keepSelection(input), next_offset: next };
			return { total: fitting.length, returned: page.length, complete: page.length === fitting.length, ...more, ...unread(table), records };
		},
	};
	return definition as Definition;
}

function asRecord(table: Table, row: Row, names: readonly string[] | undefined): Record<string, Cell> {
	const shown = names?.map((name) => findColumn(table, name)) ?? table.columns.map((column, index) => ({ column, index }));
	return Object.fromEntries(shown.map(({ column, index }) => [column.name, row[index] ?? null]));
}

function countRecords(table: Table, about: string): Definition {
	const definition: ToolDefinition<Selection> = {
		name: 'count_records',
		intent: `Counts ${about} that meet conditions.`,
		description: 'Returns {count, of}: how many fit, of how many in all.',
		input: SELECTION,
		optional: ['filters', 'match'],
		tags: ['records'],
		run: (input) => ({ count: selectPlaces(table, input).length, of: table.rows.length, ...unread(table) }),
	};
	return definition as Definition;
}

function aggregate(table: Table, about: string): Definition {
	const definition: ToolDefinition<Aggregation> = {
		name: 'aggregate_records',
		intent: `Computes totals, means, medians, percentiles, counts, smallest and largest values over ${about}, by group and by period.`,
		description:
			'Returns {measure, column, overall, rowsWithoutValue, total, returned, complete, groups: [{group, value, rows}]}; overall is over all ' +
			'that fit, total counts groups. Sums are exact.',
		input: {
			measure: { type: 'string', enum: MEASURES },
			column: { ...COLUMN, description: 'The column to compute; not needed to count records' },
			percent: { type: 'number', minimum: 0, maximum: 100, description: 'For percentile: 50 is the median; default 90' },
			group_by: { type: 'array', items: COLUMN, description: 'Columns to group by' },
			period: { type: 'string', enum: PERIODS, description: 'Group by this period of a date column' },
			date_column: { ...COLUMN, description: 'The date column of period; not needed when there is one only' },
			...SELECTION,
			order: { type: 'string', enum: ORDERS, description: 'Default: largest value first; by period: in order of time' },
			limit: { type: 'integer', minimum: 1, maximum: MAX_GROUPS, description: 'Groups to show, default 50' },
		},
		optional: ['column', 'percent', 'group_by', 'period', 'date_column', 'filters', 'match', 'order', 'limit'],
		tags: ['records'],
		run: async (input) => ({ ...(await aggregateRecords(table, input)), ...unread(table) }),
	};
	return definition as Definition;
}

function distinctValues(table: Table, about: string): Definition {
	const definition: ToolDefinition<Selection & { column: string; limit?: number }> = {
		name: 'distinct_values',
		intent: `Lists the different values of a column of the ${about} with how often each occurs.`,
		description: 'Returns {column, total, returned, complete, missing, values: [{value, count}]}, most frequent first.',
		input: { column: COLUMN, ...SELECTION, limit: { type: 'integer', minimum: 1, maximum: MAX_GROUPS, description: 'Default 50' } },
		optional: ['filters', 'match', 'limit'],
		tags: ['records'],
		run: (input) => {
			const { column, index } = findColumn(table, input.column);
			const { cells, codes } = codedColumn(table, index);
			const counts = new Uint32Array(cells.length);
			for (const at of selectPlaces(table, input)) counts[codes[at] ?? 0] = (counts[codes[at] ?? 0] ?? 0) + 1;
			const found = [...counts.keys()].filter((code) => cells[code] !== null && (counts[code] ?? 0) > 0);
			const sorted = found.sort((first, second) => (counts[second] ?? 0) - (counts[first] ?? 0));
			const values = sorted.slice(0, input.limit ?? 50).map((code) => ({ value: cells[code] ?? null, count: counts[code] ?? 0 }));
			const missing = counts[cells.indexOf(null)] ?? 0;
			const answer = { column: column.name, total: sorted.length, returned: values.length, complete: values.length === sorted.length };
			return { ...answer, missing, ...unread(table), values };
		},
	};
	return definition as Definition;
}

/** Said in every answer as long as it is true: the figures do not cover these rows. */
function unread(table: Table): { readonly unreadableRows?: number } {
	return table.unreadableRows === 0 ? {} : { unreadableRows: table.unreadableRows };
}

function describeColumns(table: Table): string {
	const text = table.columns.map(columnLine).join('; ');
	const cut = text.length > MAX_COLUMN_CHARS ? `${text.slice(0, MAX_COLUMN_CHARS)}… (describe_records has all)` : text;
	return table.columns.length === 0 ? 'There are no records.' : `Columns: ${cut}.`;
}

function columnLine({ name, type, unit, samples, range }: Column): string {
	const kind = unit === undefined ? type : `${type} in ${unit}`;
	const shown = range === undefined ? samples.slice(0, 3).join(', ') : `${range[0]} to ${range[1]}`;
	return shown === '' ? `${name} (${kind})` : `${name} (${kind}: ${shown})`;
}
