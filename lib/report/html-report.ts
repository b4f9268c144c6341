/**
 * A run as an HTML page that stands alone (no request to anywhere, opens offline, prints on A4, light and dark) or as HTML for an
 * e-mail (styles in the elements, no folding). Same content as the Markdown report, with a timeline to unfold.
 */
import type { FiguresCheck, RunReport, Step, StepCall } from '../core/run';
import { redact } from '../text/redact';
import { markFigures } from './check-figures';
import { describeInput, figuresOf } from './figures';
import { escapeHtml, htmlTable, inlineStyles, markdownToHtml } from './html';
import { cellText, shorten } from './markdown';
import { MAIL_STYLE, PAGE_STYLE } from './page-style';
import { wordsOf, type ReportWords } from './words';
import { answerOf, checkOf, isReplayed, maskedSource, passagesOf, seconds, type ReportOptions, type ReportSource, type SourceDocument } from './write-report';

export interface HtmlOptions extends ReportOptions {
	readonly form: 'page' | 'mail';
	/** What of the steps is shown. */
	readonly show: 'everything' | 'no-thoughts' | 'calls';
	/** A picture as a data address, or undefined. */
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
}

/** Characters of all results and arguments together, before HTML escapes any. */
const TIMELINE_CHARACTERS = 800_000;
const MOST_BYTES = 1_900_000;
const LONGEST_ANSWER = 300_000;
const LONGEST_CELL = 2_000;
const MOST_TABLES = 200;
/** What is shown of long things; the first under which the document is small enough. */
const SCALES = [1, 0.5, 0.25, 0.1, 0.03];

/** Writes the whole document, of under 2 MB without its logo. Secrets that look like ones are masked. Never throws for a run made by the agent. */
export async function writeHtml(given: ReportSource, options: HtmlOptions): Promise<string> {
	const words = wordsOf(options.language);
	const check = options.sections.includes('check') ? checkOf(given) : undefined;
	const source = maskedSource(given);
	const calls = source.run.steps.reduce((sum, step) => sum + 2 * step.calls.length + 1, 1);
	const { logo, ...others } = options;
	let html = '';
	for (const scale of SCALES) {
		const longest = Math.max(60, Math.floor(Math.max(200, Math.min(8_000, TIMELINE_CHARACTERS / calls)) * scale));
		html = await writeBody({ source, options: others, words, check, longest, scale });
		if (Buffer.byteLength(html) <= MOST_BYTES) break;
	}
	return logo ? html.replace('<h1', () => `${inMail(`<img class="logo" src="${escapeHtml(logo)}" alt="">`, options)}\n<h1`) : html;
}

async function writeBody(paper: Paper): Promise<string> {
	const { options, words } = paper;
	const title = options.title || words.title;
	const body = [head(paper, title), ...(await sections(paper))].join('\n');
	return inMail(document(body, { ...options, title }), options);
}

function inMail(html: string, { form }: Pick<HtmlOptions, 'form'>): string {
	return form === 'mail' ? inlineStyles(html, MAIL_STYLE) : html;
}

/** Text as HTML shows it, without what looks like a secret. */
function safe(text: string): string {
	return escapeHtml(redact(text));
}

function document(body: string, { title, language, form }: Pick<HtmlOptions, 'title' | 'language' | 'form'>): string {
	const style = form === 'page' ? `<style>${PAGE_STYLE}</style>` : '';
	const inner = form === 'mail' ? `<div class="mail">\n${body}\n</div>` : body;
	return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(title)}</title>${style}</head>
<body>
${inner}
</body>
</html>
`;
}

function head({ source: { run, question }, options, words }: Paper, title: string): string {
	const asked = question?.trim() ? `<p><b>${words.question}</b>${words.colon}${safe(question)}</p>` : '';
	const notices = [...(isReplayed(run) ? [words.replayed] : []), ...(run.partial ? [words.partial] : []), ...run.warnings.map((text) => `${words.warning}${words.colon}${text}`)];
	return `<h1>${safe(title)}</h1>\n${options.form === 'page' ? facts(run, words) : ''}\n${notices.map((text) => `<p class="notice">${safe(text)}</p>`).join('\n')}\n${asked}`;
}

function facts(run: RunReport, words: ReportWords): string {
	const { usage } = run;
	const count = (tokens: number | null): string => (tokens === null ? words.unknown : String(tokens));
	const state = run.stoppedBy === 'answer' ? 'ok' : run.stoppedBy === 'question' || run.stoppedBy === 'approval' ? 'warn' : 'bad';
	const lines: Array<[string, string?]> = [
		[`${words.stoppedBy}${words.colon}${run.stoppedBy}`, state],
		[`${words.model}${words.colon}${usage.model}`],
		[isReplayed(run) ? words.noTokens : words.tokens(count(usage.in), count(usage.out))],
		...(usage.cost === null ? [] : [[`${words.cost}${words.colon}${usage.cost}`] as [string]]),
		[`${words.started}${words.colon}${run.startedAt}`],
		[`${words.duration}${words.colon}${seconds(run.durationMs)}`],
		...(run.firstTokenMs === null ? [] : [[`${words.firstToken}${words.colon}${seconds(run.firstTokenMs)}`] as [string]]),
	];
	return `<ul class="facts">${lines.map(([text, kind]) => `<li${kind ? ` class="${kind}"` : ''}>${safe(text)}</li>`).join('')}</ul>`;
}

async function sections(paper: Paper): Promise<string[]> {
	const { options, words } = paper;
	const writers: ReadonlyArray<[ReportOptions['sections'][number], string, () => Promise<string> | string]> = [
		['answer', words.answer, async () => await answer(paper)],
		['check', words.check, () => checked(paper)],
		['figures', words.figures, () => figures(paper)],
		['sources', words.sources, () => sources(paper)],
		['steps', words.steps, () => (options.form === 'page' ? timeline(paper) : stepTable(paper))],
		// Who reads a mail wants the answer first.
		['run', words.run, () => (options.form === 'mail' ? facts(paper.source.run, words) : '')],
	];
	const written = await Promise.all(
		writers.map(async ([section, heading, write]) => {
			const html = options.sections.includes(section) ? await write() : '';
			return html === '' ? '' : `<h2>${safe(heading)}</h2>\n${html}`;
		}),
	);
	return written.filter(Boolean);
}

async function answer({ source, check, words }: Paper): Promise<string> {
	const text = answerOf(source);
	if (text === '') return `<p class="bad">${safe(words.noAnswer)}</p>`;
	return await markdownToHtml(shorten(redact(markFigures(text, check?.unsupported ?? [], ' ⚠')), LONGEST_ANSWER));
}

const MOST_UNSUPPORTED = 500;

function checked({ source, check, words }: Paper): string {
	if (answerOf(source) === '') return '';
	if (!check) return `<p class="soft">${safe(words.notChecked)}</p>`;
	const { checked: count, unsupported } = check;
	if (unsupported.length === 0) return `<p class="ok">${safe(words.allSupported(count))}</p>`;
	const lines = unsupported.slice(0, MOST_UNSUPPORTED).map(({ text, line }) => `<li><b>${safe(text)}</b>: ${safe(line)}</li>`);
	return `<p class="warn">${safe(words.someUnsupported(unsupported.length, count))}</p>\n<ul>${lines.join('')}</ul>`;
}

function figures({ source: { run }, options, words, scale }: Paper): string {
	const found = figuresOf(run.steps.flatMap(({ calls }) => calls), Math.ceil(options.maxRows * scale));
	if (found.length === 0) return '';
	const shown = found.slice(0, Math.ceil(MOST_TABLES * scale));
	const more = (rows: number): string => (rows > 0 ? `<p class="soft">${safe(words.moreRows(rows))}</p>` : '');
	const cell = (text: string): string => shorten(text, Math.ceil(LONGEST_CELL * scale));
	const tables = shown.map(({ title, facts: said, columns, rows, hiddenRows }, index) => {
		const table = htmlTable(columns.slice(0, MOST_COLUMNS).map(cell), rows.map((row) => row.slice(0, MOST_COLUMNS).map(cell)));
		return `<h3>${index + 1}. ${safe(title)}</h3>${said === '' ? '' : `<p class="soft">${safe(cell(said))}</p>`}${table}${more(hiddenRows)}`;
	});
	const rest = found.slice(shown.length).reduce((sum, { rows, hiddenRows }) => sum + rows.length + hiddenRows, 0);
	return `<p class="soft">${safe(words.figuresNote)}</p>\n${tables.join('\n')}${more(rest)}`;
}

const MOST_COLUMNS = 60;
const MOST_SOURCES = 500;

function sources({ source, scale }: Paper): string {
	const passages = passagesOf(source.documents ?? []).slice(0, MOST_SOURCES * scale);
	const quote = (text: string): string => `<blockquote>${safe(text)}</blockquote>`;
	const item = ({ title, file, texts }: SourceDocument): string => `<li><b>${safe(title)}</b>${file === '' ? '' : ` (${safe(file)})`}${texts.slice(0, MOST_SOURCES * scale).map(quote).join('')}</li>`;
	return passages.length === 0 ? '' : `<ul>${passages.map(item).join('')}</ul>`;
}

function timeline(paper: Paper): string {
	return paper.source.run.steps.map((step) => stepBlock(step, paper)).join('\n');
}

function stepBlock(step: Step, paper: Paper): string {
	const { words, options, longest } = paper;
	const names = step.calls.map(({ name, result }) => `${safe(name)}${result.isError ? ` <span class="bad">${words.failed}</span>` : ''}`);
	const usage = step.usage.in === null ? '' : ` · ${step.usage.in} + ${step.usage.out ?? '?'} ${words.tokensShort}`;
	const line = `<b>${step.number}</b> ${names.join(', ') || words.reply} <span class="soft">· ${seconds(step.durationMs)}${usage}</span>`;
	const note = (label: string, text: string | undefined): string => (text ? `<p><b>${label}</b>${words.colon}${safe(shorten(text, longest))}</p>` : '');
	const thoughts = options.show === 'everything' ? note(words.thought, step.thought) + note(words.injected, step.injected) : '';
	const trouble = options.show === 'calls' ? '' : note(words.correction, step.correction) + note(words.givenUp, step.abandoned);
	const inner = thoughts + step.calls.map((call) => callBlock(call, paper)).join('') + trouble;
	return `<details${step.abandoned ? ' class="given-up"' : ''}><summary>${line}</summary><div>${inner}</div></details>`;
}

function callBlock({ name, input, result, decision }: StepCall, { words, longest }: Paper): string {
	const time = result.durationMs === null ? '' : ` <span class="soft">· ${seconds(result.durationMs)}</span>`;
	const decided = decision ? `<p><b>${words.decision}</b>${words.colon}${decision.approved ? words.approved : words.refused}${decision.by ? ` (${safe(decision.by)})` : ''}</p>` : '';
	const given = input === undefined ? '' : `<pre>${safe(shorten(JSON.stringify(input, undefined, 1), longest))}</pre>`;
	const got = `<pre${result.isError ? ' class="bad"' : ''}>${safe(shorten(result.text || cellText(result.data), longest))}</pre>`;
	return `<details><summary>${safe(name)}${time}</summary><div>${decided}<b>${words.stepColumns[2]}</b>${given}<b>${words.stepColumns[3]}</b>${got}</div></details>`;
}

const MAIL_CELL = 160;

function stepTable({ source: { run }, words }: Paper): string {
	const rows = run.steps.flatMap(({ number, calls }) =>
		calls.map(({ name, input, result }) => [
			String(number), name, shorten(describeInput(input), MAIL_CELL), `${result.isError ? `${words.failed}: ` : ''}${shorten(result.text, MAIL_CELL)}`,
			result.durationMs === null ? '' : seconds(result.durationMs),
		]),
	);
	return htmlTable(words.stepColumns, rows);
}
