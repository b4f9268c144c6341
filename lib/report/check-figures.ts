/**
 * Figures check: where does each number, date and code of an answer come from?
 *
 * In: the answer, and what the model was given: results of tools, passages, the question. Out: the figures that are in none of
 * them and are no simple sum or difference either. No model takes part. It tells nothing of whether a figure stands in the right
 * sentence.
 */
import type { FiguresCheck, RunReport, UnsupportedFigure } from '../core/run';
import { Lines } from './text-lines';
import { codeKey, findFigures, type FoundFigure, type NumberFigure } from '../text/find-figures';

/** What an answer may rest on. */
export interface Evidence {
	readonly texts: readonly string[];
	/** Structured results of tools. */
	readonly data: readonly unknown[];
}

/** What an answer of a run may rest on: its question with the documents given, today's date, the results of its tools. */
export function evidenceOf(run: RunReport, documents: readonly unknown[] = []): Evidence {
	const results = run.steps.flatMap(({ calls }) => calls.map(({ result }) => result));
	const days = findFigures(run.prompt.system).filter(({ kind }) => kind === 'date');
	return {
		texts: [run.prompt.question, ...days.map(({ text }) => text), ...results.map(({ text }) => text)],
		data: [...results.flatMap(({ data }) => (data === undefined ? [] : [data])), ...documents],
	};
}

/** Checks an answer. An answer without figures has nothing unsupported. */
export function checkFigures(answer: string, evidence: Evidence): FiguresCheck {
	const known = gather(evidence);
	const lines = new Lines(answer);
	const figures = findFigures(answer);
	const direct = new Set(figures.filter((figure) => isKnown(figure, known)));
	const derivedFrom = derivations(direct, lines);
	const unsupported = figures.filter((figure) => !direct.has(figure) && !isDerived(figure, derivedFrom, lines));
	return { checked: figures.length, unsupported: unsupported.map(({ kind, text, index }) => ({ kind, text, index, line: lines.shown(index) })) };
}

/** The answer with a mark behind each figure that nothing supports. */
export function markFigures(answer: string, unsupported: ReadonlyArray<Pick<UnsupportedFigure, 'index' | 'text'>>, mark: string): string {
	return [...unsupported]
		.sort((a, b) => b.index - a.index)
		.reduce((text, { index, text: part }) => `${text.slice(0, index + part.length)}${mark}${text.slice(index + part.length)}`, answer);
}

interface Known {
	/** Each value once, ascending. */
	readonly values: readonly number[];
	/** Digits of dates and codes: `machine 12` may come from `M-12`, but no cost and no duration does. */
	readonly parts: readonly number[];
	/** Those with a unit that can be turned into others. */
	readonly measures: ReadonlyArray<{ readonly value: number; readonly unit: string }>;
	readonly codes: ReadonlySet<string>;
	readonly spans: ReadonlyArray<readonly [string, string]>;
}

function gather({ texts, data }: Evidence): Known {
	const numbers: Array<{ value: number; unit: string }> = [];
	const words = new Set(texts);
	const parts: number[] = [];
	for (const value of data) collect(value, '', { numbers, words });
	const found = findFigures([...words].join('\n\n'));
	for (const figure of found) {
		if (figure.kind === 'number') numbers.push(...figure.values.map((value) => ({ value, unit: figure.unit })));
		// A year, or a code of digits, may be meant as a number.
		if (figure.kind !== 'number') parts.push(...(figure.text.match(/\d+/g) ?? []).map(Number));
		if (figure.kind === 'date') numbers.push(...timeIn(figure.text));
		if (figure.kind === 'number' && figure.unit === 'min') numbers.push(...figure.values.map((value) => ({ value: Math.floor(value / 60), unit: 'h' })));
	}
	const spans = new Map(found.flatMap((figure) => (figure.kind === 'date' ? figure.spans.map((span) => [span.join(), span] as const) : [])));
	return {
		values: ascending(numbers.map(({ value }) => value)),
		parts: ascending(parts),
		measures: [...new Map(numbers.filter(({ unit }) => unit in UNITS).map((one) => [`${one.value} ${one.unit}`, one])).values()],
		codes: new Set(found.flatMap((figure) => (figure.kind === 'code' ? [figure.key] : []))),
		spans: [...spans.values()],
	};
}

function ascending(values: readonly number[]): number[] {
	return [...new Set(values)].sort((a, b) => a - b);
}

/** The time of `2012-10-05T14:30:00Z`. */
function timeIn(date: string): Array<{ value: number; unit: string }> {
	const [hours, minutes] = /[T ](\d{2}):(\d{2})/.exec(date)?.slice(1).map(Number) ?? [];
	return hours === undefined || minutes === undefined ? [] : [{ value: hours, unit: 'h' }, { value: hours * 60 + minutes, unit: 'min' }];
}

interface Into {
	readonly numbers: Array<{ value: number; unit: string }>;
	readonly words: Set<string>;
}

/** Numbers of structured results with the unit that their column names, lengths of lists, and sums of columns. */
function collect(value: unknown, name: string, into: Into): void {
	if (typeof value === 'number') into.numbers.push({ value: Math.abs(value), unit: unitIn(name) });
	else if (typeof value === 'string') into.words.add(value);
	else if (Array.isArray(value)) {
		into.numbers.push({ value: value.length, unit: '' }, ...columnSums(value));
		for (const one of value) collect(one, name, into);
	} else if (typeof value === 'object' && value !== null) {
		for (const [key, inner] of Object.entries(value)) collect(inner, key, into);
	}
}

function columnSums(rows: readonly unknown[]): Array<{ value: number; unit: string }> {
	const sums = new Map<string, number>();
	for (const row of rows) {
		const entries: Array<[string, unknown]> = typeof row === 'object' && row !== null ? Object.entries(row) : [['', row]];
		for (const [key, value] of entries) if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
	}
	return [...sums].map(([key, value]) => ({ value: Math.abs(value), unit: unitIn(key) }));
}

/** Units that can be turned into one another, in the smallest of each kind. */
const UNITS: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
	s: ['time', 1], sec: ['time', 1], seconds: ['time', 1], secondes: ['time', 1], min: ['time', 60], mn: ['time', 60], minutes: ['time', 60],
	h: ['time', 3600], heure: ['time', 3600], heures: ['time', 3600], hour: ['time', 3600], hours: ['time', 3600], jours: ['time', 86_400], days: ['time', 86_400],
	minute: ['time', 60], seconde: ['time', 1], second: ['time', 1], jour: ['time', 86_400], day: ['time', 86_400], tonne: ['mass', 1e6],
	m: ['length', 1e3], mètre: ['length', 1e3], mètres: ['length', 1e3], metre: ['length', 1e3], metres: ['length', 1e3], meter: ['length', 1e3], meters: ['length', 1e3],
	mm: ['length', 1], cm: ['length', 10], km: ['length', 1e6], g: ['mass', 1], kg: ['mass', 1e3], t: ['mass', 1e6], tonnes: ['mass', 1e6], ml: ['volume', 1], cl: ['volume', 10], l: ['volume', 1e3],
};

function unitIn(name: string): string {
	return name.toLowerCase().split(/[^\p{L}]+/u).find((word) => word in UNITS) ?? '';
}

function isKnown(figure: FoundFigure, known: Known): boolean {
	if (figure.kind === 'code') return known.codes.has(codeKey(figure.text)) || isKnownRange(figure.text, known);
	if (figure.kind === 'date') {
		const isInside = figure.spans.some((span) => known.spans.some((one) => isWithin(one, span)));
		return isInside || (/^\d{4}$/.test(figure.text) && (isAmong(known.values, Number(figure.text), 0) || isAmong(known.parts, Number(figure.text), 0)));
	}
	const isThere = figure.values.some((value, at) => {
		const within = tolerance(figure, at);
		return isAmong(known.values, value, within) || (!isMeasure(figure) && isAmong(known.parts, value, within)) || (figure.unit === '%' && isAmong(known.values, value / 100, within / 100));
	});
	return isThere || known.measures.some(({ value, unit }) => isConverted(figure, value, unit));
}

/** A day of any year has no year to compare. */
function isWithin([first, last]: readonly [string, string], [from, to]: readonly [string, string]): boolean {
	if (!from.startsWith('-')) return from <= first && last <= to;
	const ofYear = (day: string): string => day.slice(-6);
	return first === last && ofYear(first) === from;
}

function isMeasure({ unit, steps }: NumberFigure): boolean {
	return unit in UNITS || MONEY.test(unit) || !steps.includes(1);
}

const MONEY = /^(?:[%€$£]|euros?|eur|usd|k€|m€)$/;

/** Half of the last digit that the answer gives. */
function tolerance({ steps }: NumberFigure, at: number): number {
	return ((steps[at] ?? 1) / 2) * (1 + 1e-9);
}

/** True when one of the ascending numbers is at most `within` away. */
function isAmong(sorted: readonly number[], value: number, within: number): boolean {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0) < value - within) low = middle + 1;
		else high = middle;
	}
	return low < sorted.length && (sorted[low] ?? 0) <= value + within;
}

/** `10-15` with both ends known. */
function isKnownRange(text: string, { values, parts }: Known): boolean {
	const ends = /^(\d+)-(\d+)$/.exec(text)?.slice(1).map(Number);
	return ends?.every((end) => isAmong(values, end, 0) || isAmong(parts, end, 0)) ?? false;
}

/** Equal when rounded to the last digit that the answer gives. */
function isSame(figure: NumberFigure, known: number): boolean {
	return figure.values.some((value, at) => Math.abs(known - value) <= tolerance(figure, at));
}

function isConverted(figure: NumberFigure, known: number, unit: string): boolean {
	const [to, from] = [UNITS[figure.unit], UNITS[unit]];
	if (!to || !from || to[0] !== from[0] || to[1] === from[1]) return false;
	return isSame(figure, (known * from[1]) / to[1]);
}

interface Derivations {
	/** Numbers of each line that are known, by line. */
	readonly byLine: ReadonlyMap<number, readonly number[]>;
	/** Totals of the columns of each list or table of the answer. */
	readonly totals: readonly number[];
	/** Lengths of its lists, and rows of its tables. */
	readonly counts: ReadonlySet<number>;
}

/** What can be worked out from the known numbers of an answer. */
function derivations(direct: ReadonlySet<FoundFigure>, lines: Lines): Derivations {
	const byLine = new Map<number, number[]>();
	for (const figure of direct) {
		if (figure.kind !== 'number') continue;
		const line = lines.at(figure.index);
		const known = byLine.get(line);
		if (known) known.push(figure.values[0] ?? 0);
		else byLine.set(line, [figure.values[0] ?? 0]);
	}
	const runs = consecutive(lines.all.flatMap((line, at) => (isRow(line) ? [at] : [])));
	const totals = runs.flatMap((run) => columnTotals(run.map((line) => byLine.get(line) ?? []).filter(({ length }) => length > 0)));
	const counts = new Set(runs.map((run) => (lines.all[run[0] ?? 0]?.trimStart().startsWith('|') ? run.length - 2 : run.length)));
	return { byLine, totals, counts };
}

function columnTotals(rows: ReadonlyArray<readonly number[]>): number[] {
	const width = Math.max(0, ...rows.map(({ length }) => length));
	return Array.from({ length: width }, (_, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0));
}

const MOST_IN_A_LINE = 20;

/** The sum or the difference of two in the same line, the total of a column of the answer, or a count of its rows. */
function isDerived(figure: FoundFigure, { byLine, totals, counts }: Derivations, lines: Lines): boolean {
	if (figure.kind !== 'number') return false;
	const beside = (byLine.get(lines.at(figure.index)) ?? []).slice(0, MOST_IN_A_LINE);
	const pairs = beside.flatMap((a, at) => beside.slice(at + 1).flatMap((b) => [a + b, Math.abs(a - b)]));
	if (beside.length > 2) pairs.push(beside.reduce((sum, value) => sum + value, 0));
	const isCount = figure.steps[0] === 1 && figure.values.some((value) => counts.has(value));
	return isCount || [...pairs, ...totals].some((sum) => isSame(figure, sum));
}

function isRow(line: string): boolean {
	return /^\s*(?:[-*+•|]|\d+[.)]\s)/u.test(line);
}

function consecutive(lines: readonly number[]): number[][] {
	const runs: number[][] = [];
	for (const line of [...lines].sort((a, b) => a - b)) {
		const run = runs.at(-1);
		if (run && line === (run.at(-1) ?? 0) + 1) run.push(line);
		else runs.push([line]);
	}
	return runs;
}
