import { CodedError, messageOf } from '../core/errors';
import type { JsonSchema } from '../core/model';
import type { Tool, ToolFile } from '../core/tool';

/** Charts as files: Vega-Lite drawn here, without a browser and without the network. */

const KINDS = { bar: 'bar', line: 'line', area: 'area', point: 'point', pie: 'arc' } as const;
type Kind = keyof typeof KINDS;
const MOST_ROWS = 5_000;
const LONGEST_SPEC = 500_000;
/** Keys through which a specification would fetch something, or make data without end. */
const FORBIDDEN = new Set(['url', 'sequence', 'sphere', 'graticule']);

type ChartInput = {
	readonly kind?: Kind;
	readonly data?: readonly Record<string, unknown>[];
	readonly x?: string;
	readonly y?: string;
	readonly color?: string;
	readonly title?: string;
	readonly spec?: Record<string, unknown>;
	readonly format?: 'png' | 'svg' | 'both';
};

const INPUT: JsonSchema = {
	type: 'object',
	properties: {
		kind: { type: 'string', enum: Object.keys(KINDS), description: 'For a simple chart' },
		data: { type: 'array', items: { type: 'object' }, maxItems: MOST_ROWS, description: 'Rows, e.g. [{"month": "2025-01", "cost": 12}]' },
		x: { type: 'string', description: 'Field on the horizontal axis; the slices of a pie' },
		y: { type: 'string', description: 'Number field' },
		color: { type: 'string', description: 'Field that makes series' },
		title: { type: 'string' },
		spec: { type: 'object', description: 'Instead of kind, x and y: a whole Vega-Lite specification with its data inside' },
		format: { type: 'string', enum: ['png', 'svg', 'both'], description: 'Default png' },
	},
	additionalProperties: false,
};

/** The tool that draws; its result carries the picture as a file. */
export function chartTools(): Tool[] {
	const intent = 'Draws a chart (bars, line, area, points, pie) from rows and attaches it as a picture.';
	return [
		{
			name: 'draw_chart',
			intent,
			description: `${intent} Give kind, data, x and y, or spec: a Vega-Lite specification. Returns {title, rows, files}; the picture itself is attached to the answer.`,
			inputSchema: INPUT,
			tags: ['chart'],
			annotations: { readOnly: true, destructive: false, idempotent: true },
			run: async (input, { signal }) => {
				signal.throwIfAborted();
				try {
					const files = await draw(input as ChartInput);
					const data = { title: titleOf(input as ChartInput), rows: rowsOf(input as ChartInput), files: files.map(({ name }) => name) };
					return { text: JSON.stringify(data), data, files };
				} catch (error) {
					return { text: `The chart could not be drawn: ${messageOf(error)}`, isError: true };
				}
			},
		},
	];
}

async function draw(input: ChartInput): Promise<ToolFile[]> {
	const svg = await toSvg(input.spec === undefined ? simpleSpec(input) : checkedSpec(input.spec));
	const name = (titleOf(input) || 'chart').normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'chart';
	const files: ToolFile[] = [];
	const format = input.format ?? 'png';
	if (format !== 'svg') files.push({ name: `${name}.png`, mediaType: 'image/png', data: (await toPng(svg)).toString('base64') });
	if (format !== 'png') files.push({ name: `${name}.svg`, mediaType: 'image/svg+xml', data: Buffer.from(svg).toString('base64') });
	return files;
}

function titleOf({ title, spec }: ChartInput): string {
	return title ?? (typeof spec?.title === 'string' ? spec.title : '');
}

function rowsOf({ data, spec }: ChartInput): number {
	const values = (spec?.data as { values?: unknown } | undefined)?.values;
	return data?.length ?? (Array.isArray(values) ? values.length : 0);
}

function simpleSpec({ kind, data, x, y, color, title }: ChartInput): object {
	if (kind === undefined || data === undefined || x === undefined || y === undefined) {
		throw new CodedError('BAD_INPUT', 'kind, data, x and y are needed, or spec.');
	}
	const fields = new Set(data.flatMap((row) => Object.keys(row)));
	for (const field of [x, y, color]) {
		if (field !== undefined && !fields.has(field)) throw new CodedError('BAD_INPUT', `The rows have no field "${field}"; they have: ${[...fields].join(', ')}.`);
	}
	const wrong = data.find((row) => row[y] !== null && row[y] !== undefined && typeof row[y] !== 'number');
	if (wrong) throw new CodedError('BAD_INPUT', `"${y}" must hold numbers, not ${JSON.stringify(wrong[y])}.`);
	const dates = data.length > 0 && data.every((row) => /^\d{4}-\d\d-\d\d/.test(String(row[x])));
	const axes = { x: { field: plain(x), title: x, type: dates ? 'temporal' : 'nominal', sort: null }, y: { field: plain(y), title: y, type: 'quantitative' } };
	const slices = { theta: { field: plain(y), type: 'quantitative', stack: true }, color: { field: plain(x), title: x, type: 'nominal', sort: null } };
	const series = color !== undefined && { color: { field: plain(color), title: color, type: 'nominal' } };
	return {
		data: { values: data },
		...(title !== undefined && { title }),
		mark: { type: KINDS[kind] },
		encoding: kind === 'pie' ? slices : { ...axes, ...series },
		width: 640,
		height: 360,
	};
}

/** Dots and brackets in a field's name are no path. */
function plain(field: string): string {
	return field.replace(/[\\.[\]]/g, '\\$&');
}

function checkedSpec(spec: Record<string, unknown>): object {
	if (JSON.stringify(spec).length > LONGEST_SPEC) throw new CodedError('BAD_INPUT', `The specification has more than ${LONGEST_SPEC} characters.`);
	const found = forbiddenKey({ ...spec, data: withoutRows(spec.data) });
	if (found === undefined) return spec;
	throw new CodedError('BAD_INPUT', `"${found}" is not allowed in a specification.`, { remedy: 'Put the rows themselves into data.values.' });
}

/** Rows may have fields of any name. */
function withoutRows(data: unknown): unknown {
	if (typeof data !== 'object' || data === null) return data;
	return Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'values'));
}

function forbiddenKey(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [key, inner] of Object.entries(value)) {
		if (FORBIDDEN.has(key)) return key;
		const found = forbiddenKey(key === 'data' ? withoutRows(inner) : inner);
		if (found !== undefined) return found;
	}
	return undefined;
}

async function toSvg(spec: object): Promise<string> {
	const { View, parse, loader } = await import('vega');
	const { compile } = await import('vega-lite');
	const refuse = async (): Promise<never> => {
		throw new CodedError('BAD_INPUT', 'Charts load nothing from elsewhere.');
	};
	const warnings: string[] = [];
	const note = (...told: unknown[]) => (warnings.push(told.map(String).join(' ')), quiet);
	const quiet = { level: () => quiet, error: note, warn: note, info: () => quiet, debug: () => quiet } as never;
	const config = { background: 'white', font: 'Helvetica, Arial, DejaVu Sans, sans-serif' };
	const compiled = compile(spec as never, { logger: quiet, config: config as never }).spec;
	const view = new View(parse(compiled), { renderer: 'none', loader: { ...loader(), load: refuse, sanitize: refuse } as never, logger: quiet });
	try {
		return await view.toSVG();
	} finally {
		view.finalize();
	}
}

/** A picture of an SVG for programs that show none, at twice its size. Throws for what is no SVG. */
export async function toPng(svg: string): Promise<Buffer> {
	const { default: sharp } = await import('sharp');
	return await sharp(Buffer.from(svg), { density: 144, limitInputPixels: 40_000_000 }).png().toBuffer();
}
