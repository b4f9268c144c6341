import type { RunReport, Step } from '../core/run';
import { escapeHtml } from './html';
import type { ReportWords } from './words';

/** A chart of what each step took, drawn here as SVG from numbers alone: tokens in and out, seconds of the model and of tools. */

export interface ChartColours {
	readonly text: string;
	readonly line: string;
	readonly first: string;
	readonly second: string;
	/** Behind the chart; '' for nothing. */
	readonly ground: string;
}

/** For a picture that stands alone. */
export const PLAIN_COLOURS: ChartColours = { text: '#5b667c', line: '#c7cedb', first: '#2f6fb0', second: '#e08a3c', ground: '#ffffff' };
/** For a page, whose style sheet knows light and dark. */
export const PAGE_COLOURS: ChartColours = { text: 'var(--soft)', line: 'var(--line)', first: 'var(--bar)', second: 'var(--accent)', ground: '' };

const WIDTH = 640;
const LEFT = 56;
const RIGHT = 8;
const PLOT = 90;
const HEAD = 30;
const FOOT = 20;
const MOST_LABELS = 20;

interface Series {
	readonly title: string;
	readonly names: readonly [string, string];
	readonly values: ReadonlyArray<readonly [number, number]>;
	readonly format: (value: number) => string;
}

/** The SVG; '' for a run of fewer than two steps, or of which nothing is known. */
export function stepChart({ steps }: RunReport, words: ReportWords, colours: ChartColours): string {
	if (steps.length < 2) return '';
	const tokens: Series = { title: words.tokensPerStep, names: [words.tokensIn, words.tokensOut], values: steps.map(({ usage }) => [usage.in ?? 0, usage.out ?? 0]), format: (value) => String(Math.round(value)) };
	const seconds: Series = { title: words.secondsPerStep, names: [words.modelTime, words.toolTime], values: steps.map((step) => [step.durationMs / 1000, toolSeconds(step)]), format: (value) => short(value).replace('.', words.decimal) };
	const shown = [tokens, seconds].filter(({ values }) => values.some(([a, b]) => a + b > 0));
	if (shown.length === 0) return '';
	const height = shown.length * (HEAD + PLOT + FOOT);
	const ground = colours.ground === '' ? '' : `<rect width="${WIDTH}" height="${height}" style="fill:${colours.ground}"/>`;
	const plots = shown.map((series, at) => `<g transform="translate(0 ${at * (HEAD + PLOT + FOOT)})">${plot(series, colours, steps.map(({ number }) => number))}</g>`);
	const alt = shown.map(({ title }) => title).join(', ');
	return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(alt)}" font-family="Arial, Helvetica, DejaVu Sans, sans-serif" font-size="11">${ground}${plots.join('')}</svg>`;
}

function toolSeconds({ calls }: Step): number {
	return calls.reduce((sum, { result }) => sum + (result.durationMs ?? 0), 0) / 1000;
}

function short(value: number): string {
	return value >= 10 || value === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function plot({ title, names, values, format }: Series, colours: ChartColours, numbers: readonly number[]): string {
	const most = Math.max(...values.map(([a, b]) => a + b));
	const slot = (WIDTH - LEFT - RIGHT) / values.length;
	const bar = Math.max(1, Math.min(40, slot * 0.7));
	const tall = (value: number): number => (value / most) * PLOT;
	const text = (x: number, y: number, what: string, anchor = 'start'): string => `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" style="fill:${colours.text}">${escapeHtml(what)}</text>`;
	const box = (x: number, y: number, [width, height, fill]: readonly [number, number, string]): string =>
		height <= 0 ? '' : `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" style="fill:${fill}"/>`;
	const base = HEAD + PLOT;
	const bars = values.map(([a, b], at) => {
		const x = LEFT + at * slot + (slot - bar) / 2;
		return box(x, base - tall(a), [bar, tall(a), colours.first]) + box(x, base - tall(a) - tall(b), [bar, tall(b), colours.second]);
	});
	const every = Math.ceil(values.length / MOST_LABELS);
	const labels = numbers.flatMap((number, at) => (at % every === 0 ? [text(LEFT + at * slot + slot / 2, base + 14, String(number), 'middle')] : []));
	const legend = names.map((name, at) => box(WIDTH - RIGHT - 160 + at * 80, 8, [10, 10, at === 0 ? colours.first : colours.second]) + text(WIDTH - RIGHT - 146 + at * 80, 17, name));
	const axis = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${base}" y2="${base}" style="stroke:${colours.line}"/><line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEAD}" y2="${HEAD}" style="stroke:${colours.line};stroke-dasharray:2 3"/>`;
	return `${text(0, 17, title)}${legend.join('')}${axis}${text(LEFT - 6, HEAD + 4, format(most), 'end')}${text(LEFT - 6, base + 4, '0', 'end')}${bars.join('')}${labels.join('')}`;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
