import type { IExecuteFunctions, INodeProperties, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { bothFilters, type Filter, readFilter } from '../rag/filter';

interface FilterRow {
	readonly field?: string;
	readonly operator?: string;
	readonly type?: 'text' | 'number' | 'boolean' | 'date';
	readonly value?: unknown;
}

const LISTED = new Set(['in', 'nin', 'all']);
const VALUELESS = new Set(['exists', 'is_empty']);

function typed(given: unknown, row: FilterRow): unknown {
	const text = String(given ?? '').trim();
	const refuse = (what: string): never => {
		throw new CodedError('BAD_INPUT', `The filter on "${row.field}" needs ${what}, not "${text.slice(0, 60)}"`, {
			remedy: 'Correct the value of the condition, or choose another type for it.',
		});
	};
	switch (row.type) {
		case 'number':
			return text !== '' && Number.isFinite(Number(text)) ? Number(text) : refuse('a number');
		case 'boolean':
			return text === 'true' || (text === 'false' ? false : refuse('true or false'));
		case 'date':
			return /^\d{4}(-\d\d(-\d\d(T[\d:.]+Z?)?)?)?$/.test(text) ? text : refuse('a date such as 2026-03-31');
		default:
			return typeof given === 'string' ? given : text;
	}
}

function conditionOf(row: FilterRow): unknown {
	const operator = row.operator ?? '==';
	if (VALUELESS.has(operator)) return { field: row.field, operator };
	if (!LISTED.has(operator)) return { field: row.field, operator, value: typed(row.value, row) };
	const list = Array.isArray(row.value) ? row.value : String(row.value ?? '').split(',');
	return { field: row.field, operator, value: list.map((one: unknown) => typed(typeof one === 'string' ? one.trim() : one, row)) };
}

/**
 * The filter of a node: its conditions, all or any of them, and its JSON; what both say must hold.
 *
 * @returns undefined when there is none
 * @throws  CodedError BAD_INPUT for a value of the wrong type or a JSON that is no filter
 */
export function readFilterOf(ctx: IExecuteFunctions | ISupplyDataFunctions, itemIndex: number): Filter | undefined {
	const rows = ctx.getNodeParameter('options.filters.condition', itemIndex, []) as FilterRow[];
	const join = ctx.getNodeParameter('options.filterJoin', itemIndex, 'and') === 'or' ? 'or' : 'and';
	const fields = rows.length > 0 ? readFilter({ [join]: rows.map(conditionOf) }) : undefined;
	return bothFilters(fields, readFilter(ctx.getNodeParameter('options.filterJson', itemIndex, '')));
}

/** The fields of a filter, for the collection Options of a node. */
export const filterFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'fixedCollection',
		placeholder: 'Add condition',
		typeOptions: { multipleValues: true },
		default: {},
		description: 'Only documents whose metadata fits are used',
		options: [
			{
				displayName: 'Condition',
				name: 'condition',
				values: [
					{ displayName: 'Field', name: 'field', type: 'string', default: '', placeholder: 'e.g. site', description: 'Name of the metadata field' },
					{
						displayName: 'Operator',
						name: 'operator',
						type: 'options',
						default: '==',
						options: [
							{ name: 'Contains', value: 'contains' },
							{ name: 'Equals', value: '==' },
							{ name: 'Exists', value: 'exists' },
							{ name: 'Greater or Equal', value: '>=' },
							{ name: 'Greater Than', value: '>' },
							{ name: 'Has All Of', value: 'all' },
							{ name: 'Is Empty', value: 'is_empty' },
							{ name: 'Less or Equal', value: '<=' },
							{ name: 'Less Than', value: '<' },
							{ name: 'Not Equal', value: '!=' },
							{ name: 'Not One Of', value: 'nin' },
							{ name: 'One Of', value: 'in' },
						],
						description: 'How the field is compared. Lists fit when one of their entries does.',
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						default: 'text',
						options: [
							{ name: 'Date', value: 'date' },
							{ name: 'Number', value: 'number' },
							{ name: 'Text', value: 'text' },
							{ name: 'True or False', value: 'boolean' },
						],
						description: 'Type of the value: the text 5 is not the number 5',
					},
					{ displayName: 'Value', name: 'value', type: 'string', default: '', description: 'Value to compare with; several with commas between them for Has All Of, One Of and Not One Of' },
				],
			},
		],
	},
	{
		displayName: 'Filters Joined By',
		name: 'filterJoin',
		type: 'options',
		default: 'and',
		options: [
			{ name: 'All Conditions', value: 'and' },
			{ name: 'Any Condition', value: 'or' },
		],
		description: 'Whether a document must fit all conditions or one of them',
	},
	{
		displayName: 'Filter (JSON)',
		name: 'filterJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. {"not": {"field": "year", "operator": "<", "value": 2020}}',
		description: 'A filter of any shape: and, or, not around conditions of field, operator and value. It must hold beside the conditions above.',
	},
];
