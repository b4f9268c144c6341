/**
 * Report: a run as a document for people.
 *
 * In: the `run` of an agent, its answer and the documents it was given. Out: Markdown. The tables of figures come from the
 * structured results of the tools, never from the model's prose; a run that replays a script says so in its first lines.
 * It does not judge the answer and fetches nothing.
 */
import type { FiguresCheck, RunReport, Step } from '../core/run';
import { checkFigures, evidenceOf, markFigures } from './check-figures';
import { describeInput, figuresOf, type Figure } from './figures';
import { redact, redactValue } from '../text/redact';
import { demoteHeadings, markdownTable, safeCell, shorten, tamedMarkdown } from './markdown';
import { wordsOf, type ReportWords } from './words';

const MAX_QUOTE = 320;

export interface ReportSource {
	readonly run: RunReport;
	/** Absent or '' takes the run's own answer. */
	readonly answer?: string;
	readonly question?: string;
	/** Passages as retrievers and compressors give them; other shapes are left out. */
	readonly documents?: readonly unknown[];
}

export type ReportSection = 'answer' | 'check' | 'figures' | 'sources' | 'steps' | 'run';

export interface ReportOptions {
	readonly language: 'en' | 'fr';
	/** '' takes the language's own title. */
	readonly title: string;
	/** What to show; the order is always the same. */
	readonly sections: readonly ReportSection[];
	/** Rows of one table, from 1. */
	readonly maxRows: number;
}

/** Writes the report; ends with a line break. Never throws for a run made by the agent, whatever its tools gave. */
export function writeReport(given: ReportSource, options: ReportOptions): string {
	const words = wordsOf(options.language);
	const check = options.sections.includes('check') ? checkOf(given) : undefined;
	const source = maskedSource(given);
	const writers: Record<ReportSection, () => string[]> = {
		answer: () => answerSection(source, words, check),
		check: () => checkSection(check, words),
		figures: () => figuresSection(source.run, words, options.maxRows),
		sources: () => sourcesSection(source.documents ?? [], words),
		steps: () => stepsSection(source.run.steps, words),
		run: () => runSection(source.run, words),
	};
	const order: readonly ReportSection[] = ['answer', 'check', 'figures', 'sources', 'steps', 'run'];
	const blocks = order.filter((section) => options.sections.includes(section)).flatMap((section) => writers[section]());
	return `${[`# ${safeCell(options.title) || words.title}`, ...notices(source.run, words), ...blocks].join('\n\n')}\n`;
}

/** The source without secrets, but for its answer: the places of figures are those of the answer as it was written. */
export function maskedSource({ run, documents, question, answer }: ReportSource): ReportSource {
	const { answer: own, ...others } = run;
	return {
		run: { ...redactValue(others), answer: own },
		...(answer !== undefined && { answer }),
		...(question !== undefined && { question: redact(question) }),
		...(documents && { documents: redactValue(documents) }),
	};
}

/** True when a script stood in for the model. */
export function isReplayed(run: RunReport): boolean {
	return run.usage.model.startsWith('replay/');
}

function notices(run: RunReport, words: ReportWords): string[] {
	return [...(isReplayed(run) ? [`> ${words.replayed}`] : []), ...(run.partial ? [`> ${words.partial}`] : [])];
}

/** The check that the agent made on this answer, else one made here, where nothing of the results was cut. */
export function checkOf(source: ReportSource): FiguresCheck | undefined {
	const { run, documents } = source;
	const answer = answerOf(source);
	if (run.figures && answer === run.answer.trim()) return run.figures;
	const isCut = run.steps.some(({ calls }) => calls.some(({ result }) => /… \(\d+ characters\)$/.test(result.text) && result.data === undefined));
	return isCut || run.steps.length === 0 ? undefined : checkFigures(answer, evidenceOf(run, documents));
}

function checkSection(check: FiguresCheck | undefined, words: ReportWords): string[] {
	if (!check) return [`## ${words.check}`, words.notChecked];
	const { checked, unsupported } = check;
	if (unsupported.length === 0) return [`## ${words.check}`, words.allSupported(checked)];
	const lines = unsupported.map(({ text, line }) => `- **${safeCell(text)}**: ${safeCell(redact(line))}`);
	return [`## ${words.check}`, words.someUnsupported(unsupported.length, checked), lines.join('\n')];
}

/** The answer to show; '' when there is none. */
export function answerOf({ run, answer }: ReportSource): string {
	return (answer || run.answer).trim();
}

function answerSection(source: ReportSource, words: ReportWords, check: FiguresCheck | undefined): string[] {
	const { question } = source;
	const text = redact(markFigures(answerOf(source), check?.unsupported ?? [], ' ⚠'));
	const asked = question?.trim() ? [`**${words.question}**: ${safeCell(question)}`] : [];
	return [...asked, `## ${words.answer}`, text === '' ? words.noAnswer : tamedMarkdown(demoteHeadings(text))];
}

function figuresSection(run: RunReport, words: ReportWords, maxRows: number): string[] {
	const figures = figuresOf(run.steps.flatMap((step) => step.calls), maxRows);
	if (figures.length === 0) return [`## ${words.figures}`, words.noFigures];
	return [`## ${words.figures}`, words.figuresNote, ...figures.flatMap((figure, index) => figureBlocks(figure, index + 1, words))];
}

function figureBlocks(figure: Figure, number: number, words: ReportWords): string[] {
	const table = markdownTable(figure.columns, figure.rows);
	const more = figure.hiddenRows > 0 ? [words.moreRows(figure.hiddenRows)] : [];
	const facts = figure.facts === '' ? [] : [safeCell(figure.facts)];
	return [`### ${number}. ${safeCell(figure.title)}`, ...facts, table, ...more];
}

/** A document with the passages of it that were given. */
export interface SourceDocument {
	readonly title: string;
	/** '' where the title says it. */
	readonly file: string;
	readonly texts: string[];
}

/** Passages by document, each document once. */
export function passagesOf(documents: readonly unknown[]): SourceDocument[] {
	const found = new Map<string, SourceDocument>();
	for (const document of documents) {
		const { title, source, documentId, text } = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
		const [first, second] = [title, source, documentId].filter((part): part is string => typeof part === 'string' && part !== '');
		if (first === undefined) continue;
		const file = second === undefined || second === first ? '' : second;
		const known = found.get(`${first}\n${file}`) ?? { title: first, file, texts: [] };
		if (typeof text === 'string' && text !== '') known.texts.push(shorten(text, MAX_QUOTE));
		found.set(`${first}\n${file}`, known);
	}
	return [...found.values()];
}

function sourcesSection(documents: readonly unknown[], words: ReportWords): string[] {
	const sources = passagesOf(documents);
	if (sources.length === 0) return [];
	const lines = sources.flatMap(({ title, file, texts }) => [
		`- **${safeCell(title)}**${file === '' ? '' : ` (${safeCell(file)})`}`,
		...texts.map((text) => `  - “${safeCell(text)}”`),
	]);
	return [`## ${words.sources}`, words.sourcesNote, lines.join('\n')];
}

function stepsSection(steps: readonly Step[], words: ReportWords): string[] {
	const rows = steps.flatMap((step) => step.calls.map((call) => {
		const ms = call.result.durationMs;
		const result = shorten(call.result.text, 120);
		return [
			String(step.number),
			call.name,
			shorten(describeInput(call.input), 120),
			call.result.isError ? `${words.failed}: ${result}` : result,
			ms === null ? '' : seconds(ms),
		];
	}));
	return rows.length === 0 ? [] : [`## ${words.steps}`, markdownTable(words.stepColumns, rows)];
}

function runSection(run: RunReport, words: ReportWords): string[] {
	const count = (tokens: number | null): string => (tokens === null ? words.unknown : String(tokens));
	const lines = [
		`${words.model}: ${safeCell(run.usage.model)}`,
		isReplayed(run) ? words.noTokens : words.tokens(count(run.usage.in), count(run.usage.out)),
		...(run.usage.cost === null ? [] : [`${words.cost}: ${run.usage.cost}`]),
		`${words.started}: ${run.startedAt}`,
		`${words.duration}: ${seconds(run.durationMs)}`,
		`${words.stoppedBy}: ${run.stoppedBy}`,
		...run.warnings.map((warning) => `${words.warning}: ${safeCell(warning)}`),
	];
	return [`## ${words.run}`, lines.map((line) => `- ${line}`).join('\n')];
}

/** A time for people: `1.23 s`. */
export function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
