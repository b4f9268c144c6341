import type { RunPlanReport, RunPlanStep, Step, StepCall } from '../core/run';
import { decidedBy, decisionText, outcomeText } from './decision-text';
import { duration, thoughtText } from './facts';
import { describeInput } from './figures';
import { escapeHtml, htmlTable } from './html';
import { redact } from '../text/redact';
import { cellText, shorten } from './markdown';
import type { ReportWords } from './words';
import type { ReportOptions, ReportShow, ReportSource } from './report-source';

/** The steps of a run as HTML: a timeline to unfold for a page, a table for a mail. */

export interface StepsPaper {
	readonly source: ReportSource;
	readonly words: ReportWords;
	readonly language: ReportOptions['language'];
	readonly options: ReportOptions;
	readonly show: ReportShow;
	/** Characters that one text of the timeline may have. */
	readonly longest: number;
}

/** Text as HTML shows it, without what looks like a secret. */
export function safe(text: string): string {
	return escapeHtml(redact(text));
}

const RESULT_SHOWN = 300;

/** The plan that the run followed, with what came of each step; '' without one. */
export function planList(plan: RunPlanReport | undefined, words: ReportWords): string {
	if (!plan) return '';
	const lines = plan.steps.map((step) => {
		const { kind, label } = stateOf(step, words);
		const came = step.result ? `<br><span class="soft">${safe(shorten(step.result.output, RESULT_SHOWN))}</span>` : '';
		return `<li><b>${safe(step.id)}</b> ${safe(step.title)} <span class="${kind}">${safe(label)}</span>${came}</li>`;
	});
	const notes = plan.notes.map((note) => `<p class="soft">${safe(note)}</p>`).join('');
	return `<p><b>${safe(words.plan)}</b></p><ul class="plan">${lines.join('')}</ul>${notes}`;
}

function stateOf({ result }: RunPlanStep, { planStates }: ReportWords): { kind: string; label: string } {
	if (!result) return { kind: 'soft', label: planStates.open };
	return result.failed ? { kind: 'bad', label: planStates.failed } : { kind: 'ok', label: planStates.done };
}

/** Each step to unfold. */
export function timeline(paper: StepsPaper): string {
	const { source: { run }, words } = paper;
	return [planList(run.plan, words), ...run.steps.map((step) => stepBlock(step, paper))].filter(Boolean).join('\n');
}

function stepBlock(step: Step, paper: StepsPaper): string {
	const { words, show, longest, language } = paper;
	const usage = step.usage.in === null ? '' : ` · ${step.usage.in} + ${step.usage.out ?? '?'} ${words.tokensShort}`;
	const planned = step.planStep === undefined ? '' : ` <span class="tag">${safe(step.planStep)}</span>`;
	const line = `<b>${step.number}</b>${planned} ${titleOf(step, words)}${decisionTags(step, paper)} <span class="soft">· ${duration(step.durationMs, language)}${usage}</span>`;
	const note = (label: string, text: string | undefined): string => (text ? `<p><b>${label}</b>${words.colon}${safe(shorten(text, longest))}</p>` : '');
	const thoughts = show === 'everything' ? note(words.thought, step.thought) : '';
	const afterwards = show === 'everything' ? note(words.injected, thoughtText(step.injected)) : '';
	const trouble = show === 'calls' ? '' : note(words.correction, step.correction) + note(words.givenUp, step.abandoned);
	const came = note(`${words.planStep} ${step.planStep ?? ''}`, step.planResult?.output);
	const inner = thoughts + (step.plan ? planTitles(step.plan) : '') + step.calls.map((call) => callBlock(call, paper)).join('') + came + trouble + afterwards;
	if (inner === '') return `<p class="step">${line}</p>`;
	return `<details${step.abandoned ? ' class="given-up"' : ''}><summary>${line}</summary><div>${inner}</div></details>`;
}

function titleOf({ calls, plan }: Step, words: ReportWords): string {
	const names = calls.map(({ name, result, decision }) => `${safe(name)}${result.isError && decision?.approved !== false ? ` <span class="bad">${words.failed}</span>` : ''}`);
	if (plan) return plan.some(({ result }) => result) ? words.planWrittenAnew : words.planWritten;
	return names.join(', ') || words.reply;
}

/** So that who approved shows, and prints, without unfolding. */
function decisionTags({ calls }: Step, { words, options }: StepsPaper): string {
	return calls.map(({ decision }) => (decision ? ` <span class="tag">${safe(decidedBy(decision, words, options))}</span>` : '')).join('');
}

function planTitles(steps: readonly RunPlanStep[]): string {
	return `<ul>${steps.map(({ id, title }) => `<li><b>${safe(id)}</b> ${safe(title)}</li>`).join('')}</ul>`;
}

function callBlock(call: StepCall, { words, longest, language, options }: StepsPaper): string {
	const { name, input, result, decision } = call;
	const time = result.durationMs === null ? '' : ` <span class="soft">· ${duration(result.durationMs, language)}</span>`;
	const decided = decision ? `<p><b>${safe(shorten(decisionText(call, words, options), longest))}</b></p>` : '';
	const given = input === undefined ? '' : `<b>${words.stepColumns[2]}</b><pre>${safe(shorten(JSON.stringify(input, undefined, 1), longest))}</pre>`;
	const got = `<pre${result.isError ? ' class="bad"' : ''}>${safe(shorten(result.text || cellText(result.data), longest))}</pre>`;
	return `<details><summary>${safe(name)}${time}</summary><div>${decided}${given}<b>${words.stepColumns[3]}</b>${got}</div></details>`;
}

const MAIL_CELL = 160;

/** The same for a mail, which cannot fold: one row a call, then what was said besides. */
export function stepTable({ source: { run }, words, show, language, options }: StepsPaper): string {
	const rows = run.steps.flatMap(({ number, calls }) =>
		calls.map((call) => [
			String(number), call.name, redact(shorten(describeInput(call.input), MAIL_CELL)), redact(outcomeText(call, shorten(call.result.text, MAIL_CELL), { words, options })),
			call.result.durationMs === null ? '' : duration(call.result.durationMs, language).replace(' ', '\u00a0'),
		]),
	);
	const said = run.steps.flatMap(({ number, thought, injected, correction, abandoned }) => {
		const thoughts: Array<[string, string | undefined]> = show === 'everything' ? [[words.thought, thought], [words.injected, thoughtText(injected)]] : [];
		const trouble: Array<[string, string | undefined]> = show === 'calls' ? [] : [[words.correction, correction], [words.givenUp, abandoned]];
		return [...thoughts, ...trouble].flatMap(([label, text]) => (text ? [`<li><b>${number}</b> ${label}${words.colon}${safe(shorten(text, RESULT_SHOWN))}</li>`] : []));
	});
	return [planList(run.plan, words), htmlTable(words.stepColumns, rows), said.length > 0 ? `<ul class="said">${said.join('')}</ul>` : ''].filter(Boolean).join('\n');
}
