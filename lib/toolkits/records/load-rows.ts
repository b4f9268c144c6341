import { createHash } from 'node:crypto';
import { CodedError } from '../../core/errors';
import { attempt } from '../attempt';
import { codeColumns } from './coded-columns';
import { decodeText } from './decode-text';
import { parseCsv } from './parse-csv';
import { readXlsx } from './read-xlsx';
import type { RawTable, RowIssue, Table } from './table';
import { typeColumns } from './type-columns';

/** Where rows come from. `rows` may be plain objects or n8n items (`{json: …}`). */
export type RecordsSource =
	| { readonly kind: 'rows'; readonly rows: unknown }
	| { readonly kind: 'json'; readonly text: string }
	| { readonly kind: 'csv'; readonly text: string; readonly delimiter?: string; readonly headerLine?: number }
	/** A workbook, CSV or JSON; which one is seen from its first bytes. */
	| { readonly kind: 'file'; readonly bytes: Uint8Array; readonly delimiter?: string; readonly headerLine?: number; readonly sheet?: string };

const MAX_CACHED = 8;
/** Tables by the hash of what they were made from; only a cache, the oldest goes first. */
const cache = new Map<string, Promise<Table>>();

/**
 * Loads rows into a table with typed columns; the same content is parsed once per process.
 *
 * Rows that cannot be read are left out, counted and named in `issues`; an empty list gives a table without columns.
 *
 * @param timezone  IANA name: whose days and months times with a zone of their own, and Date objects, belong to
 * @throws CodedError BAD_INPUT when the source as a whole cannot be read
 */
export function loadRows(source: RecordsSource, timezone = 'UTC'): Promise<Table> {
	const key = `${timezone} ${keyOf(source)}`;
	const table = cache.get(key) ?? readSource(source).then((raw) => codeColumns(typeColumns(raw, timezone)));
	cache.delete(key);
	cache.set(key, table);
	table.catch(() => cache.delete(key));
	const oldest = cache.size > MAX_CACHED ? cache.keys().next().value : undefined;
	if (oldest !== undefined) cache.delete(oldest);
	return table;
}

function keyOf(source: RecordsSource): string {
	const { delimiter = '', headerLine = 0, sheet = '' } = { ...source } as { delimiter?: string; headerLine?: number; sheet?: string };
	const hash = createHash('sha256').update(JSON.stringify([source.kind, delimiter, headerLine, sheet]));
	return hash.update(contentOf(source)).digest('hex');
}

function contentOf(source: RecordsSource): string | Uint8Array {
	if (source.kind === 'rows') return JSON.stringify(source.rows) ?? '';
	return source.kind === 'file' ? source.bytes : source.text;
}

async function readFile({ bytes, ...options }: Extract<RecordsSource, { kind: 'file' }>): Promise<RawTable> {
	if (bytes[0] === 0x50 && bytes[1] === 0x4b) return await readXlsx(bytes, options);
	const text = decodeText(bytes);
	return /^\uFEFF?\s*[[{]/.test(text) ? rowsOf(parseJson(text)) : await parseCsv(text, options.delimiter, options.headerLine);
}

async function readSource(source: RecordsSource): Promise<RawTable> {
	switch (source.kind) {
		case 'csv':
			return parseCsv(source.text, source.delimiter, source.headerLine);
		case 'file':
			return readFile(source);
		case 'json':
			return rowsOf(parseJson(source.text));
		case 'rows':
			return rowsOf(source.rows);
	}
}

function parseJson(text: string): unknown {
	const problem = { remedy: 'Give a JSON list of objects, or choose CSV text as the source.' };
	return attempt(() => JSON.parse(text.replace(/^\uFEFF/, '')), (why) => new CodedError('BAD_INPUT', `The records are not JSON: ${why}`, problem));
}

function rowsOf(value: unknown): RawTable {
	const list = listIn(value);
	const issues: RowIssue[] = [];
	const objects: { readonly row: Record<string, unknown>; readonly line: number }[] = [];
	list.forEach((entry, index) => {
		const row = rowOf(entry);
		if (row !== undefined) objects.push({ row, line: index + 1 });
		else issues.push({ line: index + 1, value: String(JSON.stringify(entry)).slice(0, 120), why: 'is not an object with named fields' });
	});
	const names = [...new Set(objects.flatMap(({ row }) => Object.keys(row)))];
	const rows = objects.map(({ row }) => names.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined)));
	return { names, rows, lines: objects.map(({ line }) => line), issues, style: 'unknown' };
}

/** The list itself, or the only list in an object such as {"orders": […]}. */
function listIn(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	const lists = typeof value === 'object' && value !== null ? Object.values(value).filter(Array.isArray) : [];
	if (lists.length === 1 && lists[0] !== undefined) return lists[0];
	throw new CodedError('BAD_INPUT', `The records are not a list but ${value === null ? 'null' : typeof value}.`, {
		remedy: "Give rows, for example with the expression {{ $('Read orders').all() }}.",
	});
}

function rowOf(entry: unknown): Record<string, unknown> | undefined {
	if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
	const { json } = entry as { json?: unknown };
	const isItem = typeof json === 'object' && json !== null && !Array.isArray(json);
	return (isItem ? json : entry) as Record<string, unknown>;
}
