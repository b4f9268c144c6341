import type { RunReport } from '../core/run';
import type { ReportWords } from './words';
import type { ReportOptions, ReportSource } from './report-source';

/** What a report tells of a run as such: how it ended, what it took. The same for every format. */

export interface Fact {
	readonly text: string;
	/** Good, bad, or to look at. */
	readonly kind?: 'ok' | 'bad' | 'warn';
}

/** True when a script stood in for the model. */
export function isReplayed(run: RunReport): boolean {
	return run.usage.model.startsWith('replay/');
}

/** How the run ended, its model, its tokens, cost and times. */
export function factsOf(run: RunReport, words: ReportWords, options: ReportOptions): Fact[] {
	const { usage } = run;
	const { language } = options;
	const said = (label: string, text: string): Fact => ({ text: `${label}${words.colon}${text}` });
	const count = (tokens: number | null): string => (tokens === null ? words.unknown : String(tokens));
	return [
		{ ...said(words.stoppedBy, words.ends[run.stoppedBy] ?? run.stoppedBy), kind: kindOf(run) },
		said(words.model, usage.model),
		{ text: isReplayed(run) ? words.noTokens : words.tokens(count(usage.in), count(usage.out)) },
		...(usage.cost === null ? [] : [said(words.cost, costText(usage.cost, language))]),
		said(words.started, startText(run.startedAt, options)),
		said(words.duration, duration(run.durationMs, language)),
		// Clocks of joined runs differ: a first token after the end would only puzzle.
		...(run.firstTokenMs === null || run.firstTokenMs > run.durationMs ? [] : [said(words.firstToken, duration(run.firstTokenMs, language))]),
	];
}

/** Good, bad, or to look at: a run that waits for a person. */
export function kindOf({ stoppedBy }: Pick<RunReport, 'stoppedBy'>): NonNullable<Fact['kind']> {
	if (stoppedBy === 'answer') return 'ok';
	return stoppedBy === 'question' || stoppedBy === 'approval' ? 'warn' : 'bad';
}

/** True for a run that stands still until a person answers. */
export function isWaiting({ run }: ReportSource): boolean {
	return kindOf(run) === 'warn';
}

/** What a reader must know before the rest, most important first. */
export function noticesOf(source: ReportSource, words: ReportWords): Fact[] {
	const { run, error, waitsFor } = source;
	const remedy = error?.remedy ? ` ${words.whatToDo}${words.colon}${error.remedy}` : '';
	const wrong: Fact[] = error === undefined ? [] : [{ text: `${words.wentWrong}${words.colon}${error.message}${/[.!?…]$/.test(error.message) ? '' : '.'}${remedy}`, kind: 'bad' }];
	const waits: Fact[] = isWaiting(source) && waitsFor !== undefined ? [{ text: `${words.waitsFor}${words.colon}${waitsFor}`, kind: 'warn' }] : [];
	const isCutShort = run.partial && error === undefined && !isWaiting(source) && run.answer !== '';
	return [...wrong, ...waits, ...(isReplayed(run) ? [{ text: words.replayed }] : []), ...(isCutShort ? [{ text: words.partial }] : [])];
}

/** A line of the answer without the marks of Markdown, to be quoted. */
export function plainLine(line: string): string {
	return line.replace(/^\s*(?:[-*+>#|]+\s*)+/, '').replace(/\*\*|__|`/g, '').replace(/\s*\|\s*/g, ' · ').replace(/ · $/, '').trim();
}

/** A thought of the engine as a reader sees it. */
export function thoughtText(injected: string | undefined): string | undefined {
	return injected?.replace(/^Thought:\s*/, '');
}

/** A time for people: `3 ms`, `1.23 s`, `45 s`; with a comma in French. */
export function duration(ms: number, language: ReportOptions['language'] = 'en'): string {
	if (ms > 0 && ms < 10) return `${Math.max(1, Math.round(ms))} ms`;
	return `${inLanguage((ms / 1000).toFixed(ms < 10_000 ? 2 : 0), language)} s`;
}

/** A cost with the digits that matter, never rounded to 0. */
function costText(cost: number, language: ReportOptions['language']): string {
	return inLanguage(String(Number(cost.toPrecision(4))), language);
}

function inLanguage(number: string, language: ReportOptions['language']): string {
	return language === 'fr' ? number.replace('.', ',') : number;
}

/** A moment as people write it, to the minute, in the workflow's timezone; as it came when it is no time. */
export function momentText(iso: string, { language, timezone = 'UTC' }: Pick<ReportOptions, 'language' | 'timezone'>): string {
	const at = Date.parse(iso);
	if (Number.isNaN(at)) return iso;
	const [locale, dateStyle] = language === 'fr' ? (['fr-FR', 'short'] as const) : (['en-GB', 'medium'] as const);
	return new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone: timezone }).format(at);
}

/** With the timezone, unless it is no time. */
function startText(iso: string, options: ReportOptions): string {
	const text = momentText(iso, options);
	return text === iso ? iso : `${text} (${options.timezone ?? 'UTC'})`;
}

/** The question to print; '' when there is none or when the title, or the heading of the run among others, is the same text. */
export function askedOf(source: ReportSource, { title }: ReportOptions, depth: number): string {
	const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
	const question = plain(source.question ?? '');
	const above = depth === 2 ? title : (source.name ?? question).length > LONGEST_NAME ? '' : (source.name ?? question);
	return question === plain(above) ? '' : (source.question ?? '').trim();
}

/** One line of the table over several runs. */
export function runRow({ run }: ReportSource, name: string, { words, language }: { words: ReportWords; language: ReportOptions['language'] }): string[] {
	const { usage } = run;
	return [
		name,
		words.ends[run.stoppedBy] ?? run.stoppedBy,
		String(run.steps.length),
		isReplayed(run) ? '0' : usage.in === null && usage.out === null ? words.unknown : String((usage.in ?? 0) + (usage.out ?? 0)),
		usage.cost === null ? '' : costText(usage.cost, language),
		duration(run.durationMs, language),
	];
}

/** The last line of that table: sums of what is known. */
export function totalRow(sources: readonly ReportSource[], { words, language }: { words: ReportWords; language: ReportOptions['language'] }): string[] {
	const runs = sources.map(({ run }) => run);
	const sum = (of: (run: RunReport) => number | null): number => runs.reduce((total, run) => total + (of(run) ?? 0), 0);
	const costs = runs.filter(({ usage }) => usage.cost !== null);
	return [
		words.all,
		`${runs.filter((run) => kindOf(run) === 'ok').length} / ${runs.length}`,
		String(sum(({ steps }) => steps.length)),
		String(sum(({ usage }) => (usage.in ?? 0) + (usage.out ?? 0))),
		costs.length === 0 ? '' : costText(sum(({ usage }) => usage.cost), language),
		duration(sum(({ durationMs }) => durationMs), language),
	];
}

const LONGEST_NAME = 90;

/** What a run is called among others: its question, shortened. */
export function nameOf({ question, name }: ReportSource, index: number, words: ReportWords): string {
	const text = (name ?? question ?? '').replace(/\s+/g, ' ').trim();
	if (text === '') return `${words.runColumns[0]} ${index + 1}`;
	return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}
