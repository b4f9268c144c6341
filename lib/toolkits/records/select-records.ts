import { CodedError } from '../../core/errors';
import { readNumber } from '../read-number';
import { readDateSpan } from './date-span';
import { codedColumn, type CodedColumn } from './coded-columns';
import { findColumn, foldText } from './find-column';
import type { Cell, Column, Table } from './table';

export const OPERATORS = ['equals', 'not_equals', 'less_than', 'at_most', 'greater_than', 'at_least', 'between', 'contains',
	'not_contains', 'in', 'not_in', 'missing', 'present'] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Condition {
	readonly column: string;
	readonly operator: Operator;
	/** One value, two for `between`, a list for `in` and `not_in`; not used by `missing` and `present`. */
	readonly value?: unknown;
}

export interface Selection {
	readonly filters?: readonly Condition[];
	/** Must all conditions hold, or any one of them? All when absent. */
	readonly match?: 'all' | 'any';
}

export type Row = readonly Cell[];
type Test = (cell: Cell) => boolean;

/**
 * The rows that fit, in their order; every row is looked at. No conditions: all rows.
 *
 * Values are compared as the column's type: numbers as numbers, dates by what they cover (`equals 2025-03` is the whole month,
 * `at_most 2025` ends with its last moment), text without regard to case; `contains` also without regard to accents. A
 * missing or unreadable cell fits only `missing`, `not_equals`, `not_in` and `not_contains`; unreadable ones are `present`.
 *
 * @throws CodedError BAD_INPUT for an unknown column or a value that is not of its type
 */
export function selectRecords(table: Table, selection: Selection): readonly Row[] {
	if ((selection.filters ?? []).length === 0) return table.rows;
	return Array.from(selectPlaces(table, selection), (at) => table.rows[at] ?? []);
}

/** The same as places in the table, ascending. */
export function selectPlaces(table: Table, selection: Selection): Uint32Array {
	const tests = (selection.filters ?? []).map((condition) => {
		const { column, index } = findColumn(table, condition.column);
		const coded = codedColumn(table, index);
		return { codes: coded.codes, fitting: fittingCodes(column, condition, coded) };
	});
	const places = new Uint32Array(table.rows.length);
	const isAny = selection.match === 'any' && tests.length > 0;
	let count = 0;
	for (let at = 0; at < places.length; at++) {
		let fits = !isAny;
		for (const { codes, fitting } of tests) {
			fits = fitting[codes[at] ?? 0] === 1;
			if (fits === isAny) break;
		}
		if (fits) places[count++] = at;
	}
	return places.subarray(0, count);
}

/** 1 for each value of the column that meets the condition. */
function fittingCodes(column: Column, condition: Condition, coded: CodedColumn): Uint8Array {
	const { operator } = condition;
	if (operator !== 'contains' && operator !== 'not_contains') {
		const test = testOf(column, condition, operator);
		return Uint8Array.from(coded.cells, (cell) => Number(test(cell)));
	}
	const test = containsTest(condition);
	const folded = coded.folded();
	return Uint8Array.from(coded.cells, (cell, code) => Number(test(cell, folded[code] ?? '') === (operator === 'contains')));
}

type CellOperator = Exclude<Operator, 'contains' | 'not_contains'>;

function testOf(column: Column, condition: Condition, operator: CellOperator): Test {
	switch (operator) {
		case 'missing':
			return (cell) => cell === null;
		case 'present':
			return (cell) => cell !== null;
		case 'in':
			return anyOf(listOf(condition).map((value) => equalTest(column, value)));
		case 'not_in':
			return not(anyOf(listOf(condition).map((value) => equalTest(column, value))));
		case 'equals':
			return equalTest(column, oneValue(condition));
		case 'not_equals':
			return not(equalTest(column, oneValue(condition)));
		case 'between': {
			const [from, to] = twoValues(condition);
			const [least, most] = [orderTest(column, 'at_least', from), orderTest(column, 'at_most', to)];
			return (cell) => least(cell) && most(cell);
		}
		default:
			return orderTest(column, operator, oneValue(condition));
	}
}

function not(test: Test): Test {
	return (cell) => !test(cell);
}

function anyOf(tests: readonly Test[]): Test {
	return (cell) => tests.some((test) => test(cell));
}

function containsTest(condition: Condition): (cell: Cell, folded: string) => boolean {
	const wanted = foldText(String(oneValue(condition)));
	const plain = String(oneValue(condition)).toLowerCase();
	// A value of signs only, such as "%", folds to nothing and is looked for as it is.
	if (wanted === '') return (cell) => cell !== null && String(cell).toLowerCase().includes(plain);
	return (cell, folded) => cell !== null && folded.includes(wanted);
}

function equalTest(column: Column, value: unknown): Test {
	if (value === null) return (cell) => cell === null;
	if (column.type === 'number') {
		const wanted = numberOf(column, value);
		return (cell) => cell === wanted;
	}
	if (column.type === 'date') {
		const { from, to } = readDateSpan(value, column.timezone);
		return (cell) => typeof cell === 'string' && cell >= from && cell <= to;
	}
	const wanted = textKey(value);
	return (cell) => cell !== null && textKey(cell) === wanted;
}

function textKey(value: unknown): string {
	const text = String(value);
	return (/^[ -~]*$/.test(text) ? text : text.normalize('NFC')).trim().toLowerCase();
}

type Order = 'less_than' | 'at_most' | 'greater_than' | 'at_least';

function orderTest(column: Column, operator: Order, value: unknown): Test {
	if (column.type === 'number') {
		const compare = comparison(operator, numberOf(column, value), numberOf(column, value));
		return (cell) => typeof cell === 'number' && compare(cell);
	}
	if (column.type === 'date') {
		const { from, to } = readDateSpan(value, column.timezone);
		const compare = comparison(operator, from, to);
		return (cell) => typeof cell === 'string' && /^\d{4}-/.test(cell) && compare(cell);
	}
	const wanted = textKey(value);
	const compare = comparison(operator, wanted, wanted);
	return (cell) => cell !== null && compare(textKey(cell));
}

/** Less than a span means before its start, at most means up to its end. */
function comparison<Value extends number | string>(operator: Order, from: Value, to: Value): (cell: Value) => boolean {
	switch (operator) {
		case 'less_than':
			return (cell) => cell < from;
		case 'at_most':
			return (cell) => cell <= to;
		case 'greater_than':
			return (cell) => cell > to;
		case 'at_least':
			return (cell) => cell >= from;
	}
}

function numberOf(column: Column, value: unknown): number {
	if (typeof value === 'number') return value;
	const [, minus = '', digits = ''] = /^\s*([-−]?)(.*?)\s*$/.exec(String(value)) ?? [];
	const bare = column.unit === undefined ? digits : digits.replace(column.unit, '').trim();
	if (!/^[\d.,\s]+$/.test(bare)) {
		throw new CodedError('BAD_INPUT', `"${String(value)}" is not a number; the column ${column.name} holds numbers.`);
	}
	return Number(readNumber(bare, 'auto')) * (minus === '' ? 1 : -1);
}

function oneValue({ column, operator, value }: Condition): unknown {
	if (value !== undefined && !Array.isArray(value)) return value;
	if (Array.isArray(value) && value.length === 1) return value[0];
	throw new CodedError('BAD_INPUT', `The condition ${operator} on ${column} needs one value.`, {
		remedy: 'For several values use the operator in, for a range between.',
	});
}

function twoValues({ column, value }: Condition): readonly [unknown, unknown] {
	if (Array.isArray(value) && value.length === 2) return [value[0], value[1]];
	throw new CodedError('BAD_INPUT', `The condition between on ${column} needs a list of two values: [from, to].`);
}

function listOf({ value, column }: Condition): readonly unknown[] {
	if (Array.isArray(value) && value.length > 0) return value;
	if (value !== undefined && value !== null && !Array.isArray(value)) return [value];
	throw new CodedError('BAD_INPUT', `The condition on ${column} needs a list of values.`);
}
