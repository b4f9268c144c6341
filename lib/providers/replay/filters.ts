import { isRecord } from '../json';

/**
 * Applies one filter, written `name` or `name:option:option`.
 *
 * `number:decimals:language` and `money:currency:language` write numbers; `percent:decimals` writes a share as 12.5%;
 * `json` writes JSON; `join:separator` a list; `bullets:field,field` and `table:field,field` a list of records as Markdown.
 *
 * @returns undefined when the filter is unknown or the value is not of its kind
 */
export function applyFilter(filter: string, value: unknown): string | undefined {
	const [name = '', first = '', second = ''] = filter.split(':').map((part) => part.trim());
	switch (name) {
		case 'number':
			return written(value, second, first === '' ? {} : digits(Number(first)));
		case 'money':
			return written(value, second, /^[A-Z]{3}$/.test(first) ? { style: 'currency', currency: first } : digits(2));
		case 'percent':
			return written(value, second, { style: 'percent', ...digits(Number(first || 1)) });
		case 'json':
			return JSON.stringify(value);
		case 'join':
			return Array.isArray(value) ? value.map(asText).join(first ? `${first} ` : ', ') : undefined;
		case 'bullets':
			return records(value)?.map((row) => `- ${columns(first, [row]).map((column) => asText(row[column])).join(': ')}`).join('\n');
		case 'table':
			return table(value, first);
		default:
			return undefined;
	}
}

/** A value as a reader sees it: text as it is, null as '', objects as JSON. */
export function asText(value: unknown): string {
	if (value === null || value === undefined) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function written(value: unknown, language: string, options: Intl.NumberFormatOptions): string | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
	return new Intl.NumberFormat(language || 'en', options).format(number);
}

function digits(count: number): Intl.NumberFormatOptions {
	return { minimumFractionDigits: count, maximumFractionDigits: count };
}

function table(value: unknown, fields: string): string | undefined {
	const rows = records(value);
	if (!rows || rows.length === 0) return undefined;
	const names = columns(fields, rows);
	const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(names), line(names.map(() => '---')), ...rows.map((row) => line(names.map((name) => asText(row[name]))))].join('\n');
}

function columns(fields: string, rows: readonly Record<string, unknown>[]): string[] {
	if (fields !== '') return fields.split(',').map((field) => field.trim());
	return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function records(value: unknown): Record<string, unknown>[] | undefined {
	return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}
