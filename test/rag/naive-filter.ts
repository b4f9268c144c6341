import type { Meta } from '../../lib/core/document';
import type { Filter, FilterValue } from '../../lib/rag/filter';

/** What a filter means, read from its description without a store. */
export function fits(meta: Meta, filter: Filter): boolean {
	if ('and' in filter) return filter.and.every((part) => fits(meta, part));
	if ('or' in filter) return filter.or.some((part) => fits(meta, part));
	if ('not' in filter) return !fits(meta, filter.not);
	const given = meta[filter.field] ?? null;
	const isList = typeof given === 'object' && given !== null;
	const values: readonly FilterValue[] = given === null ? [] : isList ? (given as readonly string[]) : [given as FilterValue];
	const has = (value: FilterValue): boolean => values.includes(value);
	switch (filter.operator) {
		case 'exists':
			return values.length > 0;
		case 'is_empty':
			return values.length === 0;
		case 'in':
		case 'any':
			return filter.value.some(has);
		case 'nin':
			return !filter.value.some(has);
		case 'all':
			return filter.value.every(has);
		case 'contains':
			return values.some((value) => (isList ? value === filter.value : typeof value === 'string' && value.includes(filter.value)));
		case 'text_match':
			return values.some((value) => typeof value === 'string' && value.includes(filter.value));
		case '==':
			return has(filter.value);
		case '!=':
			return !has(filter.value);
		default: {
			const { operator, value: border } = filter;
			return values.some((value) => typeof value === typeof border && compares(value, operator, border));
		}
	}
}

function compares(value: FilterValue, operator: '<' | '<=' | '>' | '>=', border: FilterValue): boolean {
	const [left, right] = typeof value === 'boolean' ? [String(value), String(border)] : [value, border];
	return operator === '<' ? left < right : operator === '<=' ? left <= right : operator === '>' ? left > right : left >= right;
}
