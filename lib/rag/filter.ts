/**
 * Filters over the metadata of documents: typed comparisons, joined by and, or, not.
 *
 * Comparisons never convert: the text "5" is not the number 5. A field that is a list fits when one of its entries does. A field
 * that is absent, null or an empty list fits nothing but `is_empty`, and therefore fits `!=` and `nin`. Dates are ISO 8601 texts.
 */
import { CodedError } from '../core/errors';

export type FilterValue = string | number | boolean;
export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export const LIST_OPERATORS = ['in', 'nin', 'any', 'all'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type ListOperator = (typeof LIST_OPERATORS)[number];

export type Filter =
	| { readonly and: readonly Filter[] }
	| { readonly or: readonly Filter[] }
	| { readonly not: Filter }
	| { readonly field: string; readonly operator: Comparison; readonly value: FilterValue }
	| { readonly field: string; readonly operator: ListOperator; readonly value: readonly FilterValue[] }
	/** `contains`: a list has the value, or a text has it inside; `text_match`: a text, or an entry of a list, has it inside. */
	| { readonly field: string; readonly operator: 'contains' | 'text_match'; readonly value: string }
	| { readonly field: string; readonly operator: 'exists' | 'is_empty' };

const MOST_CONDITIONS = 200;
const DEEPEST = 10;
const OTHER_NAMES: Record<string, string> = { '=': '==', eq: '==', '≠': '!=', ne: '!=', lt: '<', '≤': '<=', lte: '<=', gt: '>', '≥': '>=', gte: '>=' };

function refuse(problem: string): never {
	throw new CodedError('BAD_INPUT', `The filter cannot be used: ${problem}`, {
		remedy: 'Write it as {"and": [{"field": "site", "operator": "==", "value": "Lyon"}, {"not": {"field": "year", "operator": "<", "value": 2020}}]}.',
	});
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
const isValue = (value: unknown): value is FilterValue =>
	typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

function readCondition(given: Record<string, unknown>): Filter {
	const field = given.field ?? given.key;
	if (typeof field !== 'string' || field === '') refuse(`a condition names no field (${shown(given)})`);
	const operator = OTHER_NAMES[String(given.operator)] ?? String(given.operator);
	const { value } = given;
	if (operator === 'exists' || operator === 'is_empty') return { field, operator };
	if (operator === 'contains' || operator === 'text_match') {
		if (typeof value !== 'string') refuse(`"${field}" ${operator} needs a text, not ${shown(value)}`);
		return { field, operator, value };
	}
	const listed = LIST_OPERATORS.find((known) => known === operator);
	if (listed) {
		if (!Array.isArray(value) || !value.every(isValue)) refuse(`"${field}" ${operator} needs a list of values, not ${shown(value)}`);
		return { field, operator: listed, value };
	}
	const comparison = COMPARISONS.find((known) => known === operator);
	if (!comparison) refuse(`"${shown(given.operator)}" is no operator`);
	if (!isValue(value)) refuse(`"${field}" ${operator} needs a text, a number or true or false, not ${shown(value)}`);
	return { field, operator: comparison, value };
}

function readNode(given: unknown, depth: number, count: { left: number }): Filter {
	if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse(`${shown(given)} is no condition`);
	if (depth > DEEPEST) refuse(`it is nested more than ${DEEPEST} deep`);
	if (--count.left < 0) refuse(`it has more than ${MOST_CONDITIONS} conditions`);
	const node = given as Record<string, unknown>;
	const all = (list: unknown): Filter[] => {
		if (!Array.isArray(list)) refuse(`${shown(list)} is no list of conditions`);
		return list.map((one) => readNode(one, depth + 1, count));
	};
	if ('and' in node) return { and: all(node.and) };
	if ('or' in node) return { or: all(node.or) };
	if ('not' in node) return { not: readNode(node.not, depth + 1, count) };
	if ('filters' in node) return node.condition === 'or' ? { or: all(node.filters) } : { and: all(node.filters) };
	return readCondition(node);
}

/**
 * Reads a filter as a flow gives it: an object or its JSON text, also in the form `{filters: [{key, operator, value}], condition}`.
 *
 * @returns undefined for nothing: undefined, null, '' and {}
 * @throws  CodedError BAD_INPUT saying what is wrong; a filter that cannot be read is never taken for none
 */
export function readFilter(given: unknown): Filter | undefined {
	if (given === undefined || given === null || given === '') return undefined;
	const value = typeof given === 'string' ? parsed(given) : given;
	if (value === null || (typeof value === 'object' && Object.keys(value as object).length === 0 && !Array.isArray(value))) return undefined;
	return readNode(value, 0, { left: MOST_CONDITIONS });
}

function parsed(text: string): unknown {
	if (text.trim() === '') return null;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return refuse(`${shown(text)} is no JSON`);
	}
}

/** Both must hold; undefined stands for no filter. */
export function bothFilters(first: Filter | undefined, second: Filter | undefined): Filter | undefined {
	return first && second ? { and: [first, second] } : (first ?? second);
}
