import type { Meta } from '../core/document';
import type { SqlValue } from '../storage/sqlite';
import type { Comparison, Filter, FilterValue } from './filter';

/** A row of `document_meta`, without its document. */
export interface MetaRow {
	readonly field: string;
	/** `item` is an entry of a list. */
	readonly kind: 'text' | 'item' | 'number' | 'boolean';
	readonly text: string | null;
	readonly number: number | null;
}

/** A query that selects document numbers, with `?` for its values. */
export interface FilterQuery {
	readonly sql: string;
	readonly values: readonly SqlValue[];
}

/** Where stores differ: the function that gives the place of a text in another, 0 for none. */
export interface FilterDialect {
	readonly placeOf: 'instr' | 'strpos';
}

const SELECT = 'SELECT document FROM document_meta WHERE field = ? AND ';
const EVERY = 'SELECT id AS document FROM documents';

/** The rows that metadata becomes; null and empty lists give none. Entries that come twice are kept once. */
export function metaRows(meta: Meta): MetaRow[] {
	return Object.entries(meta).flatMap(([field, value]): MetaRow[] => {
		if (value === null) return [];
		if (typeof value === 'number') return [{ field, kind: 'number', text: null, number: value }];
		if (typeof value === 'boolean') return [{ field, kind: 'boolean', text: String(value), number: null }];
		if (typeof value === 'string') return [{ field, kind: 'text', text: value, number: null }];
		return [...new Set(value)].map((entry) => ({ field, kind: 'item', text: entry, number: null }));
	});
}

function compare(field: string, operator: Exclude<Comparison, '!='>, value: FilterValue): FilterQuery {
	const sign = operator === '==' ? '=' : operator;
	if (typeof value === 'number') return { sql: `${SELECT}kind = 'number' AND number ${sign} ?`, values: [field, value] };
	const kinds = typeof value === 'boolean' ? "kind = 'boolean'" : "kind IN ('text', 'item')";
	return { sql: `${SELECT}${kinds} AND text ${sign} ?`, values: [field, String(value)] };
}

function joined(parts: readonly FilterQuery[], operator: 'INTERSECT' | 'UNION'): FilterQuery {
	const first = parts[0];
	if (first === undefined) return { sql: operator === 'INTERSECT' ? EVERY : `${EVERY} WHERE 1 = 0`, values: [] };
	if (parts.length === 1) return first;
	return {
		sql: parts.map((part) => `SELECT document FROM (${part.sql}) AS part`).join(` ${operator} `),
		values: parts.flatMap((part) => part.values),
	};
}

function except(inner: FilterQuery): FilterQuery {
	return { sql: `${EVERY} EXCEPT SELECT document FROM (${inner.sql}) AS part`, values: inner.values };
}

/** A query for the documents that fit. What it selects is exactly what `filter.ts` says. */
export function filterQuery(filter: Filter, dialect: FilterDialect): FilterQuery {
	if ('and' in filter) return joined(filter.and.map((part) => filterQuery(part, dialect)), 'INTERSECT');
	if ('or' in filter) return joined(filter.or.map((part) => filterQuery(part, dialect)), 'UNION');
	if ('not' in filter) return except(filterQuery(filter.not, dialect));
	const { field } = filter;
	const eachOf = (values: readonly FilterValue[]): FilterQuery[] => values.map((value) => compare(field, '==', value));
	switch (filter.operator) {
		case 'exists':
			return { sql: 'SELECT document FROM document_meta WHERE field = ?', values: [field] };
		case 'is_empty':
			return except({ sql: 'SELECT document FROM document_meta WHERE field = ?', values: [field] });
		case '!=':
			return except(compare(field, '==', filter.value));
		case 'in':
		case 'any':
			return joined(eachOf(filter.value), 'UNION');
		case 'nin':
			return except(joined(eachOf(filter.value), 'UNION'));
		case 'all':
			return joined(eachOf(filter.value), 'INTERSECT');
		case 'contains': {
			const isInside = `(kind = 'item' AND text = ?) OR (kind = 'text' AND ${dialect.placeOf}(text, ?) > 0)`;
			return { sql: `${SELECT}(${isInside})`, values: [field, filter.value, filter.value] };
		}
		case 'text_match':
			return { sql: `${SELECT}kind IN ('text', 'item') AND ${dialect.placeOf}(text, ?) > 0`, values: [field, filter.value] };
		default:
			return compare(field, filter.operator, filter.value);
	}
}
