/**
 * A run, or several, as an HTML page that stands alone (no request to anywhere, opens offline, prints on A4, light and dark) or as
 * HTML for an e-mail (styles in the elements, no folding). Same content as the Markdown report, with a timeline to unfold.
 */
import type { FiguresCheck, RunReport } from '../core/run';
import { redact } from '../text/redact';
import { markFigures } from './check-figures';
import { askedOf, factsOf, isWaiting, nameOf, noticesOf, plainLine, runRow, totalRow, type Fact } from './facts';
import { figuresOf } from './figures';
import { escapeHtml, htmlTable, inlineStyles, markdownToHtml } from './html';
import { safe, stepTable, timeline } from './html-steps';
import { shorten } from './markdown';
import { maskedSource } from './masked-source';
import { MAIL_STYLE, PAGE_STYLE } from './page-style';
import { passagesOf, type SourceDocument } from './passages';
import { PAGE_COLOURS, stepChart } from './step-chart';
import { wordsOf, type ReportWords } from './words';
import { sectionsOf, type ReportOptions, type ReportPicture, type ReportSection, type ReportSource } from './report-source';
import { answerOf, checkOf } from './write-report';

export interface HtmlOptions extends ReportOptions {
	readonly form: 'page' | 'mail';
	/** An address to show it by (data or cid), or undefined. */
	readonly logo?: string;
}

interface Paper {
	readonly source: ReportSource;
	readonly options: HtmlOptions;
	readonly words: ReportWords;
	readonly check: FiguresCheck | undefined;
	/** Characters that one text of the timeline may have. */
	readonly longest: number;
	/** How much of other long things is shown, up to 1. */
	readonly scale: number;
	/** Level of the headings of a run's sections. */
	readonly depth: 2 | 3;
}

/** Characters of all results and arguments together, before HTML escapes any. */
const TIMELINE_CHARACTERS = 800_000;
const MOST_BYTES = 1_900_000;
/** How much is shown of what is long; the first with which the document is small enough is taken. */
const SCALES = [1, 0.5, 0.25, 0.1, 0.03, 0.01];
const LONGEST_ANSWER = 300_000;
const LONGEST_CELL = 2_000;
const MOST_TABLES = 200;
const MOST_COLUMNS = 60;
const MOST_SOURCES = 500;
const MOST_UNSUPPORTED = 500;

/** Writes the whole document, of under 2 MB besides its pictures. Secrets that look like ones are masked. Never throws for a run made by the agent. */
export async function writeHtml(source: ReportSource, options: HtmlOptions): Promise<string> {
	const read = readSource(source, options);
	return await withinSize(async (scale) => {
		const paper = paperOf(read, options, { longest: longestOf([source], scale), scale, depth: 2 });
		return document([...top(options), ...(await runParts(paper))].join('\n'), options);
	});
}

/** The same for several runs: contents with totals, then a section for each. */
export async function writeHtmlOfAll(sources: readonly ReportSource[], options: HtmlOptions): Promise<string> {
	const words = wordsOf(options.language);
	const read = sources.map((source) => readSource(source, options));
	const names = sources.map((source, index) => `${index + 1}. ${nameOf(source, index, words)}`);
	return await withinSize(async (scale) => {
		const longest = longestOf(sources, scale);
		const runs = await Promise.all(
			read.map(async (one, index) => {
				const parts = await runParts(paperOf(one, options, { longest, scale, depth: 3 }));
				return `<section class="run" id="run-${index + 1}">\n<h2>${safe(names[index] ?? '')}</h2>\n${parts.join('\n')}\n</section>`;
			}),
		);
		return document([...top(options), contents(sources, { names, words, options }), ...runs].join('\n'), options);
	});
}

async function withinSize(write: (scale: number) => Promise<string>): Promise<string> {
	let html = '';
	for (const scale of SCALES) {
		html = await write(scale);
		if (Buffer.byteLength(html.replace(/"data:image[^"]*"/g, '')) <= MOST_BYTES) break;
	}
	return html;
}

type Read = Pick<Paper, 'source' | 'check'>;

/** The check sees what is masked afterwards. */
function readSource(source: ReportSource, options: HtmlOptions): Read {
	return { source: maskedSource(source), check: sectionsOf(options).includes('check') ? checkOf(source) : undefined };
}

function paperOf(read: Read, options: HtmlOptions, more: Pick<Paper, 'longest' | 'depth' | 'scale'>): Paper {
	return { ...read, options, words: wordsOf(options.language), ...more };
}

function longestOf(sources: readonly ReportSource[], scale: number): number {
	const texts = sources.flatMap(({ run }) => run.steps).reduce((sum, step) => sum + 2 * step.calls.length + 1, 1);
	return Math.max(60, Math.floor(Math.max(200, Math.min(8_000, TIMELINE_CHARACTERS / texts)) * scale));
}

function titleOf({ title, language }: ReportOptions): string {
	return title || wordsOf(language).title;
}

function document(body: string, options: HtmlOptions): string {
	const { language, form } = options;
	const style = form === 'page' ? `<style>${PAGE_STYLE}</style>` : '';
	const inner = form === 'mail' ? `<div class="mail">\n${body}\n</div>` : body;
	const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(titleOf(options))}</title>${style}</head>
<body>
${inner}
</body>
</html>
`;
	return form === 'mail' ? inlineStyles(html, MAIL_STYLE) : html;
}

function top(options: HtmlOptions): string[] {
	const logo = options.logo ? [`<img class="logo" src="${escapeHtml(options.logo)}" alt="">`] : [];
	return [...logo, `<h1>${safe(titleOf(options))}</h1>`];
}

interface Several {
	readonly names: readonly string[];
	readonly words: ReportWords;
	readonly options: HtmlOptions;
}

function contents(sources: readonly ReportSource[], { names, words, options }: Several): string {
	const how = { words, language: options.language };
	const rows = [...sources.map((source, index) => runRow(source, names[index] ?? '', how)), totalRow(sources, how)];
	// Mail programs often drop the ids that links inside a document need.
	const table = htmlTable(words.runColumns, rows.map((row) => row.map((cell) => redact(cell))), options.form === 'page' ? (row) => (row < names.length ? `#run-${row + 1}` : undefined) : undefined);
	return `<h2>${safe(words.contents)}</h2>\n<div class="totals">${table}</div>`;
}

async function runParts(paper: Paper): Promise<string[]> {
	const { source, words, options } = paper;
	const facts = options.form === 'page' && options.show !== 'answer' ? factList(factsOf(source.run, words, options)) : '';
	const warnings = source.run.warnings.map((text): Fact => ({ text: `${words.warning}${words.colon}${text}` }));
	const notices = [...noticesOf(source, words), ...warnings].map(({ text, kind }) => `<p class="${kind === 'bad' ? 'notice-bad' : 'notice'}">${safe(text)}</p>`);
	const question = askedOf(source, options, paper.depth);
	const asked = question !== '' ? `<p><b>${words.question}</b>${words.colon}${safe(question)}</p>` : '';
	return [facts, ...notices, asked, ...(await sections(paper))].filter(Boolean);
}

function factList(facts: readonly Fact[]): string {
	return `<ul class="facts">${facts.map(({ text, kind }) => `<li${kind ? ` class="${kind}"` : ''}>${safe(text)}</li>`).join('')}</ul>`;
}

async function sections(paper: Paper): Promise<string[]> {
	const { options, words, source, depth } = paper;
	const steps = { ...paper, language: options.language, show: options.show ?? 'everything' };
	const isPage = options.form === 'page';
	const writers: Record<ReportSection, readonly [heading: string, write: () => Promise<string> | string]> = {
		answer: [words.answer, async () => await answer(paper)],
		check: [words.check, () => checked(paper)],
		figures: [words.figures, () => figures(paper)],
		sources: [words.sources, () => sources(paper)],
		steps: [words.steps, () => (isPage ? stepChart(source.run, words, PAGE_COLOURS) + timeline(steps) : stepTable(steps))],
		// Who reads a mail wants the answer first.
		run: [words.run, () => (isPage ? '' : factList(factsOf(source.run, words, options)))],
	};
	const written = await Promise.all(
		sectionsOf(options).map(async (section) => {
			const [heading, write] = writers[section];
			const html = await write();
			return html === '' ? '' : `<h${depth}>${safe(heading)}</h${depth}>\n${html}`;
		}),
	);
	return [...written.filter(Boolean), pictures(paper)].filter(Boolean);
}

async function answer({ source, check, words }: Paper): Promise<string> {
	const text = answerOf(source);
	if (text !== '') return `<div class="answer">${await markdownToHtml(shorten(redact(markFigures(text, check?.unsupported ?? [], ' ⚠')), LONGEST_ANSWER))}</div>`;
	return isWaiting(source) ? '' : `<p class="bad">${safe(words.noAnswer)}</p>`;
}

function checked({ source, check, words }: Paper): string {
	if (answerOf(source) === '') return '';
	if (!check) return `<p class="soft">${safe(words.notChecked)}</p>`;
	const { checked: count, unsupported } = check;
	if (unsupported.length === 0) return `<p class="${count === 0 ? 'soft' : 'ok'}">${safe(words.allSupported(count))}</p>`;
	const lines = unsupported.slice(0, MOST_UNSUPPORTED).map(({ text, line }) => `<li><b>${safe(text)}</b>${words.colon}${safe(plainLine(line))}</li>`);
	return `<p class="warn">${safe(words.someUnsupported(unsupported.length, count))}</p>\n<ul>${lines.join('')}</ul>`;
}

function figures({ source: { run }, options, words, depth, scale }: Paper): string {
	const found = figuresOf(run.steps.flatMap(({ calls }) => calls), Math.ceil(options.maxRows * Math.min(1, 2 * scale)));
	if (found.length === 0) return '';
	const shown = found.slice(0, Math.ceil(MOST_TABLES * scale));
	const more = (rows: number): string => (rows > 0 ? `<p class="soft">${safe(words.moreRows(rows))}</p>` : '');
	const cell = (text: string): string => shorten(redact(text), Math.ceil(LONGEST_CELL * scale));
	const tables = shown.map(({ title, facts: said, columns, rows, hiddenRows }, index) => {
		const table = htmlTable(columns.slice(0, MOST_COLUMNS).map(cell), rows.map((row) => row.slice(0, MOST_COLUMNS).map(cell)));
		return `<h${depth + 1}>${index + 1}. ${safe(title)}</h${depth + 1}>${said === '' ? '' : `<p class="soft">${escapeHtml(cell(said))}</p>`}${table}${more(hiddenRows)}`;
	});
	const rest = found.slice(shown.length).reduce((sum, { rows, hiddenRows }) => sum + rows.length + hiddenRows, 0);
	return `<p class="soft">${safe(words.figuresNote)}</p>\n${tables.join('\n')}${more(rest)}`;
}

function sources({ source, scale }: Paper): string {
	const most = Math.ceil(MOST_SOURCES * scale);
	const passages = passagesOf(source.documents ?? []).slice(0, most);
	const quote = (text: string): string => `<blockquote>${safe(text)}</blockquote>`;
	const item = ({ title, file, texts }: SourceDocument): string => `<li><b>${safe(title)}</b>${file === '' ? '' : ` (${safe(file)})`}${texts.slice(0, most).map(quote).join('')}</li>`;
	return passages.length === 0 ? '' : `<ul>${passages.map(item).join('')}</ul>`;
}

/** Pictures that the run's tools made, and in a mail the chart of its steps. */
function pictures({ source, words, depth, options }: Paper): string {
	const given = options.show === 'answer' ? [] : (source.pictures ?? []);
	const shown = given.filter((picture): picture is Required<ReportPicture> => picture.address !== undefined);
	const figures = shown.map(({ name, address }) => `<p class="picture"><img class="chart" src="${escapeHtml(address)}" alt="${safe(name)}" width="640"></p>`);
	const left = given.filter(({ address }) => address === undefined).map(({ name }) => name);
	const note = left.length === 0 ? '' : `<p class="soft">${safe(words.picturesLeftOut(left.join(', ')))}</p>`;
	return given.length === 0 ? '' : `<h${depth}>${safe(words.pictures)}</h${depth}>\n${figures.join('\n')}${note}`;
}

/** True when the chart of steps belongs into the report; a page draws it itself, a mail gets it as a picture. */
export function wantsStepChart(run: RunReport, options: ReportOptions): boolean {
	return sectionsOf(options).includes('steps') && run.steps.length > 1;
}
