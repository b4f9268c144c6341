import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { groupBy } from '../shape/group-by';
import { foldAccents } from '../text/stem';
import { makeTool } from './make-tool';

const LIST = { type: 'array', items: {}, maxItems: 50_000, description: 'The list: objects, or plain values' };
const KEY = { type: 'string', description: 'Name of a field, or a path such as customer.city; leave out for a list of plain values' };
const OPERATORS = ['equals', 'not_equals', 'less_than', 'at_most', 'greater_than', 'at_least', 'contains', 'missing', 'present'] as const;
type Operator = (typeof OPERATORS)[number];
const TAGS = ['lists'];

/** Tools over lists that an earlier tool gave; rows of a table are better asked through the records tools. */
export function listTools(): Tool[] {
	return [extractValues(), filterList(), sortList(), groupList()];
}

function extractValues(): Tool {
	return makeTool<{ list: unknown[]; key: string; unique?: boolean }>({
		name: 'extract_values_by_key',
		intent: 'Takes one field out of each object of a list.',
		description: 'Returns {values, count, missing}; objects without the field are counted in missing. unique keeps each value once.',
		input: { list: LIST, key: KEY, unique: { type: 'boolean' } },
		optional: ['unique'],
		tags: TAGS,
		run: ({ list, key, unique }) => {
			const found = list.map((entry) => valueAt(entry, key)).filter((value) => value !== undefined && value !== null);
			const values = unique ? [...new Map(found.map((value) => [JSON.stringify(value), value])).values()] : found;
			return { values, count: values.length, missing: list.length - found.length };
		},
	});
}

function filterList(): Tool {
	return makeTool<{ list: unknown[]; key?: string; operator: Operator; value?: unknown }>({
		name: 'filter_list',
		intent: 'Keeps the entries of a list that meet a condition.',
		description: 'Text is compared without regard to case and accents, numbers as numbers. Returns {items, count, of}.',
		input: { list: LIST, key: KEY, operator: { type: 'string', enum: OPERATORS }, value: { description: 'What to compare with; not for missing and present' } },
		optional: ['key', 'value'],
		tags: TAGS,
		run: ({ list, key, operator, value }) => {
			const items = list.filter((entry) => holds(valueAt(entry, key), operator, value));
			return { items, count: items.length, of: list.length };
		},
	});
}

function sortList(): Tool {
	return makeTool<{ list: unknown[]; key?: string; descending?: boolean; limit?: number }>({
		name: 'sort_list',
		intent: 'Sorts a list by a field, or by its values; also gives the first few.',
		description: 'Numbers come before text; entries without the field come last. Returns {items, count, of}.',
		input: { list: LIST, key: KEY, descending: { type: 'boolean' }, limit: { type: 'integer', minimum: 1 } },
		optional: ['key', 'descending', 'limit'],
		tags: TAGS,
		run: ({ list, key, descending = false, limit = list.length }) => {
			const keyed = list.map((entry) => ({ entry, value: valueAt(entry, key) }));
			const present = keyed.filter(({ value }) => value !== undefined && value !== null);
			const absent = keyed.filter((one) => !present.includes(one));
			present.sort((a, b) => (descending ? compare(b.value, a.value) : compare(a.value, b.value)));
			const items = [...present, ...absent].slice(0, limit).map(({ entry }) => entry);
			return { items, count: items.length, of: list.length };
		},
	});
}

function groupList(): Tool {
	return makeTool<{ list: unknown[]; key: string; sum_key?: string }>({
		name: 'group_list',
		intent: 'Groups the entries of a list by a field, with counts and optionally the sum of another field.',
		description: 'Returns {groups: [{value, count, sum, items}]}, largest first; entries without the field are in the group null.',
		input: { list: LIST, key: KEY, sum_key: { type: 'string', description: 'A number field to add up in each group' } },
		optional: ['sum_key'],
		tags: TAGS,
		run: ({ list, key, sum_key: sumKey }) => {
			const grouped = [...groupBy(list, (entry) => JSON.stringify(valueAt(entry, key) ?? null))];
			const groups = grouped.map(([value, items]) => ({
				value: JSON.parse(value) as unknown,
				count: items.length,
				...(sumKey !== undefined && { sum: sumOf(items, sumKey) }),
				items,
			}));
			return { groups: groups.sort((a, b) => b.count - a.count), of: list.length };
		},
	});
}

function sumOf(items: readonly unknown[], key: string): number {
	const sum = items.reduce<number>((total, entry) => {
		const value = valueAt(entry, key);
		if (value === undefined || value === null) return total;
		if (typeof value === 'number') return total + value;
		throw new CodedError('BAD_INPUT', `"${key}" holds ${JSON.stringify(value).slice(0, 60)}, which is not a number.`);
	}, 0);
	return Number(sum.toPrecision(12));
}

/** The value at a path; own fields only. The entry itself without a key; a field whose name holds dots is found too. */
function valueAt(entry: unknown, key: string | undefined): unknown {
	if (key === undefined || key === '') return entry;
	if (typeof entry !== 'object' || entry === null) return undefined;
	if (Object.hasOwn(entry, key)) return (entry as Record<string, unknown>)[key];
	const [first = '', ...rest] = key.split('.');
	if (rest.length === 0 || !Object.hasOwn(entry, first)) return undefined;
	return valueAt((entry as Record<string, unknown>)[first], rest.join('.'));
}

function holds(cell: unknown, operator: Operator, value: unknown): boolean {
	const isMissing = cell === undefined || cell === null || cell === '';
	switch (operator) {
		case 'missing':
			return isMissing;
		case 'present':
			return !isMissing;
		case 'equals':
			return !isMissing && compare(cell, value) === 0;
		case 'not_equals':
			return isMissing || compare(cell, value) !== 0;
		case 'contains':
			return !isMissing && folded(cell).includes(folded(value));
		case 'less_than':
			return !isMissing && compare(cell, value) < 0;
		case 'at_most':
			return !isMissing && compare(cell, value) <= 0;
		case 'greater_than':
			return !isMissing && compare(cell, value) > 0;
		case 'at_least':
			return !isMissing && compare(cell, value) >= 0;
	}
}

/** Numbers as numbers, also where one side is digits in text; all else as folded text. */
function compare(a: unknown, b: unknown): number {
	const [left, right] = [asNumber(a), asNumber(b)];
	if (left !== undefined && right !== undefined) return left - right;
	if (left !== undefined || right !== undefined) return left !== undefined ? -1 : 1;
	return folded(a).localeCompare(folded(b), 'en', { numeric: true });
}

function asNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

function folded(value: unknown): string {
	return foldAccents((typeof value === 'string' ? value : JSON.stringify(value) ?? '').trim().toLowerCase());
}
