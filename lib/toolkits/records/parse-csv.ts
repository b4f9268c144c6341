import type { CsvError, Info } from 'csv-parse/sync';
import { CodedError } from '../../core/errors';
import { columnNames } from './column-names';
import { findHeader } from './find-header';
import type { RawTable, RowIssue } from './table';

const DELIMITERS = [',', ';', '\t', '|'];
const SHOWN_CHARS = 120;
/** Quotes that never close are looked for again after each; a file with more is no CSV. */
const MAX_RESTARTS = 200;

interface Line {
	readonly fields: readonly string[];
	readonly line: number;
}

/**
 * Reads CSV text; `,`, `;`, tab or `|` is found from the text unless given, and so is the line with the column names: titles above it
 * are passed over.
 *
 * A row with another number of fields, or with a quote that never closes, is left out and named in `issues` by line, value
 * and reason; all others are kept. Blank lines are skipped.
 *
 * @throws CodedError BAD_INPUT when there is no header
 */
export async function parseCsv(text: string, delimiter?: string, headerLine = 0): Promise<RawTable> {
	const body = text.replace(/^\uFEFF/, '');
	const separator = delimiter || findDelimiter(body);
	const issues: RowIssue[] = [];
	const lines = await readLines(body, separator, issues);
	const first = headerLine > 0 ? lines.findIndex(({ line }) => line >= headerLine) : findHeader(lines.map(({ fields }) => fields));
	const [header, ...records] = lines.slice(Math.max(0, first));
	if (header === undefined || header.fields.every((name) => name.trim() === '')) {
		throw new CodedError('BAD_INPUT', 'The CSV text is empty: it has no line with column names.', {
			remedy: 'Give text whose first line names the columns, for example "id;date;cost".',
		});
	}
	const names = columnNames(header.fields);
	const kept = records.filter((record) => fits(record, names, issues));
	issues.sort((first, second) => first.line - second.line);
	const style = separator === ';' ? 'comma' : 'point';
	return { names, rows: kept.map(({ fields }) => fields), lines: kept.map(({ line }) => line), issues, style, headerLine: header.line };
}

/** The delimiter that splits most lines into most columns alike, the first of `, ; tab |` when several do; `,` when none does. */
export function findDelimiter(text: string): string {
	const lines = text.split(/\r?\n/, 40).filter((line) => line.trim() !== '');
	const score = (delimiter: string): number => {
		const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1);
		const widths = new Map<number, number>();
		for (const count of counts) widths.set(count, (widths.get(count) ?? 0) + 1);
		return Math.max(0, ...[...widths].map(([count, lines]) => count * (1 + lines)));
	};
	return DELIMITERS.reduce((best, delimiter) => (score(delimiter) > score(best) ? delimiter : best));
}

async function readLines(text: string, delimiter: string, issues: RowIssue[]): Promise<Line[]> {
	const { parse } = await import('csv-parse/sync');
	const lines: Line[] = [];
	let rest = text;
	let linesBefore = 0;
	for (let restart = 0; rest !== '' && restart <= MAX_RESTARTS; restart++) {
		let open: string | undefined;
		const records = parse(rest, {
			delimiter,
			info: true,
			raw: true,
			skip_empty_lines: true,
			relax_quotes: true,
			relax_column_count: true,
			skip_records_with_error: true,
			on_skip: (_error: CsvError | undefined, raw: unknown) => {
				open = String(raw ?? '');
				return undefined;
			},
		}) as unknown as { record: string[]; raw: string; info: Info }[];
		for (const { record, raw, info } of records) {
			lines.push({ fields: record, line: linesBefore + info.lines - (raw.trimEnd().match(/\n/g)?.length ?? 0) });
		}
		if (open === undefined) break;
		// The open quote swallowed the rest of the text: give up its first line only and read on after it.
		const [bad = '', ...after] = open.split('\n');
		linesBefore += rest.slice(0, rest.length - open.length).split('\n').length;
		issues.push({ line: linesBefore, value: short(bad), why: 'a quote is opened and never closed' });
		rest = after.join('\n');
	}
	return lines;
}

function fits(record: Line, names: readonly string[], issues: RowIssue[]): boolean {
	const count = record.fields.length;
	const spare = record.fields.slice(names.length);
	if (count >= names.length && spare.every((field) => field.trim() === '')) return true;
	const why = `${count} ${count === 1 ? 'field' : 'fields'} where the header has ${names.length}`;
	issues.push({ line: record.line, value: short(record.fields.join(' | ')), why });
	return false;
}

function short(text: string): string {
	return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text.trimEnd();
}
