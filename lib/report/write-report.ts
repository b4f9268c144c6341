/**
 * Report: a run, or several, as a document for people.
 *
 * In: the `run` of an agent, its answer and the documents it was given. Out: Markdown. The tables of figures come from the
 * structured results of the tools, never from the model's prose; a run that replays a script says so in its first lines.
 * It does not judge the answer and fetches nothing.
 */
import type { FiguresCheck, RunPlanReport, Step } from '../core/run';
import { checkFigures, evidenceOf, markFigures } from './check-figures';
import { outcomeText } from './decision-text';
import { askedOf, duration, factsOf, isWaiting, nameOf, noticesOf, plainLine, runRow, thoughtText, totalRow } from './facts';
import { describeInput, figuresOf, type Figure } from './figures';
import { redact } from '../text/redact';
import { demoteHeadings, markdownTable, safeCell, shorten, tamedMarkdown } from './markdown';
import { maskedSource } from './masked-source';
import { passagesOf } from './passages';
import { sectionsOf, type ReportOptions, type ReportSection, type ReportSource } from './report-source';
import { wordsOf, type ReportWords } from './words';

/** Writes the report; ends with a line break. Never throws for a run made by the agent, whatever its tools gave. */
export function writeReport(source: ReportSource, options: ReportOptions): string {
	const words = wordsOf(options.language);
	return `${[`# ${safeCell(options.title) || words.title}`, ...runBlocks({ source, words, options, depth: 2 })].join('\n\n')}\n`;
}

/** One report of several runs: contents with totals, then a section for each. */
export function writeReports(sources: readonly ReportSource[], options: ReportOptions): string {
	const words = wordsOf(options.language);
	const how = { words, language: options.language };
	const names = sources.map((source, index) => `${index + 1}. ${redact(nameOf(source, index, words))}`);
	const rows = sources.map((source, index) => runRow(source, names[index] ?? '', how));
	const sections = sources.flatMap((source, index) => [`## ${safeCell(names[index] ?? '')}`, ...runBlocks({ source, words, options, depth: 3 })]);
	const contents = markdownTable(words.runColumns, [...rows, totalRow(sources, how)]);
	return `${[`# ${safeCell(options.title) || words.title}`, `## ${words.contents}`, contents, ...sections].join('\n\n')}\n`;
}

interface Paper {
	readonly source: ReportSource;
	readonly words: ReportWords;
	readonly options: ReportOptions;
	/** Level of the headings of a run's sections. */
	readonly depth: number;
}

function runBlocks(given: Paper): string[] {
	const { words, options } = given;
	const check = sectionsOf(options).includes('check') ? checkOf(given.source) : undefined;
	const paper = { ...given, source: maskedSource(given.source) };
	const { source } = paper;
	const writers: Record<ReportSection, () => string[]> = {
		answer: () => answerSection(paper, check),
		check: () => checkSection(paper, check),
		figures: () => figuresSection(paper),
		sources: () => sourcesSection(paper),
		steps: () => stepsSection(paper),
		run: () => runSection(paper),
	};
	const notices = noticesOf(source, words).map(({ text }) => `> ${safeCell(text)}`);
	return [...notices, ...sectionsOf(options).flatMap((section) => writers[section]())];
}

function heading({ depth }: Paper, text: string, deeper = 0): string {
	return `${'#'.repeat(Math.min(6, depth + deeper))} ${text}`;
}

/** The check that the agent made on this answer, else one made here, where nothing of the results was cut. */
export function checkOf(source: ReportSource): FiguresCheck | undefined {
	const { run, documents } = source;
	const answer = answerOf(source);
	if (run.figures && answer === run.answer.trim()) return run.figures;
	const isCut = run.steps.some(({ calls }) => calls.some(({ result }) => /… \(\d+ characters\)$/.test(result.text) && result.data === undefined));
	return isCut || run.steps.length === 0 ? undefined : checkFigures(answer, evidenceOf(run, documents));
}

function checkSection(paper: Paper, check: FiguresCheck | undefined): string[] {
	const { words, source } = paper;
	if (answerOf(source) === '') return [];
	if (!check) return [heading(paper, words.check), words.notChecked];
	const { checked, unsupported } = check;
	if (unsupported.length === 0) return [heading(paper, words.check), words.allSupported(checked)];
	const lines = unsupported.map(({ text, line }) => `- **${safeCell(text)}**${words.colon}${safeCell(redact(plainLine(line)))}`);
	return [heading(paper, words.check), words.someUnsupported(unsupported.length, checked), lines.join('\n')];
}

/** The answer to show; '' when there is none. */
export function answerOf(source: ReportSource): string {
	// The output of a run that waits is its question.
	return isWaiting(source) ? '' : (source.answer || source.run.answer).trim();
}

function answerSection(paper: Paper, check: FiguresCheck | undefined): string[] {
	const { source, words, depth, options } = paper;
	const question = askedOf(source, options, depth);
	const text = redact(markFigures(answerOf(source), check?.unsupported ?? [], ' ⚠'));
	const asked = question !== '' ? [`**${words.question}**${words.colon}${safeCell(question)}`] : [];
	if (isWaiting(source)) return asked;
	return [...asked, heading(paper, words.answer), text === '' ? words.noAnswer : tamedMarkdown(demoteHeadings(text, depth))];
}

function figuresSection(paper: Paper): string[] {
	const { source: { run }, words, options } = paper;
	const figures = figuresOf(run.steps.flatMap((step) => step.calls), options.maxRows);
	if (figures.length === 0) return [heading(paper, words.figures), words.noFigures];
	return [heading(paper, words.figures), words.figuresNote, ...figures.flatMap((figure, index) => figureBlocks(paper, figure, index + 1))];
}

function figureBlocks(paper: Paper, figure: Figure, number: number): string[] {
	const table = markdownTable(figure.columns, figure.rows);
	const more = figure.hiddenRows > 0 ? [paper.words.moreRows(figure.hiddenRows)] : [];
	const facts = figure.facts === '' ? [] : [safeCell(figure.facts)];
	return [heading(paper, `${number}. ${safeCell(figure.title)}`, 1), ...facts, table, ...more];
}

function sourcesSection(paper: Paper): string[] {
	const sources = passagesOf(paper.source.documents ?? []);
	if (sources.length === 0) return [];
	const lines = sources.flatMap(({ title, file, texts }) => [
		`- **${safeCell(title)}**${file === '' ? '' : ` (${safeCell(file)})`}`,
		...texts.map((text) => `  - “${safeCell(text)}”`),
	]);
	return [heading(paper, paper.words.sources), paper.words.sourcesNote, lines.join('\n')];
}

const CELL = 120;

function stepsSection(paper: Paper): string[] {
	const { source: { run }, words, options, options: { language, show } } = paper;
	const rows = run.steps.flatMap((step) => step.calls.map((call) => {
		const { name, input, result } = call;
		const said = outcomeText(call, shorten(result.text, CELL), { words, options });
		const time = result.durationMs === null ? '' : duration(result.durationMs, language);
		return [String(step.number), name, shorten(describeInput(input), CELL), said, time];
	}));
	const table = rows.length === 0 ? [] : [markdownTable(words.stepColumns, rows)];
	const told = show === 'calls' ? [] : run.steps.flatMap((step) => tellStep(step, words, show !== 'no-thoughts'));
	const blocks = [...planBlocks(paper, run.plan), ...table, ...(told.length > 0 ? [told.join('\n')] : [])];
	return blocks.length === 0 ? [] : [heading(paper, words.steps), ...blocks];
}

const SAID = 400;

/** What a step was besides its calls, one line each. */
function tellStep({ number, thought, injected, correction, abandoned }: Step, words: ReportWords, withThoughts: boolean): string[] {
	const lines: Array<[string, string | undefined]> = [
		...(withThoughts ? ([[words.thought, thought], [words.injected, thoughtText(injected)]] as Array<[string, string | undefined]>) : []),
		[words.correction, correction],
		[words.givenUp, abandoned],
	];
	return lines.flatMap(([label, text]) => (text ? [`- **${number}** ${label}${words.colon}${safeCell(shorten(text, SAID))}`] : []));
}

function planBlocks(paper: Paper, plan: RunPlanReport | undefined): string[] {
	if (!plan) return [];
	const { words } = paper;
	const lines = plan.steps.map(({ id, title, result }) => {
		const state = words.planStates[result ? (result.failed ? 'failed' : 'done') : 'open'];
		return `- **${id}** ${safeCell(title)} (${state})${result ? `${words.colon}${safeCell(shorten(result.output, CELL))}` : ''}`;
	});
	return [heading(paper, words.plan, 1), [...lines, ...plan.notes.map((note) => `- ${safeCell(note)}`)].join('\n')];
}

function runSection(paper: Paper): string[] {
	const { source: { run }, words, options } = paper;
	const lines = [...factsOf(run, words, options).map(({ text }) => safeCell(text)), ...run.warnings.map((warning) => `${words.warning}${words.colon}${safeCell(warning)}`)];
	return [heading(paper, words.run), lines.map((line) => `- ${line}`).join('\n')];
}
