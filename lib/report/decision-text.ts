import type { Decision, StepCall } from '../core/run';
import { momentText } from './facts';
import { shorten } from './markdown';
import type { ReportOptions } from './report-source';
import type { ReportWords } from './words';

/** What a person decided about a call, as a report tells it. */

const LONGEST_NOTE = 300;

/** `Approved by Jean Dupont, 30 Nov 2026, 05:59`; without the time where none is known. */
export function decidedBy({ approved, by = '', at }: Decision, words: ReportWords, options: ReportOptions): string {
	const who = approved ? words.approved(by) : words.refused(by);
	return at ? `${who}, ${momentText(at, options)}` : who;
}

/** The same with what was changed and noted, as sentences; '' for a call that nobody decided about. */
export function decisionText({ decision }: Pick<StepCall, 'decision'>, words: ReportWords, options: ReportOptions): string {
	if (!decision) return '';
	const changed = decision.arguments ? `, ${words.changedArguments}` : '';
	const said = shorten(decision.note ?? '', LONGEST_NOTE);
	const note = said === '' ? '' : ` ${words.note}${words.colon}${said}${/[.!?…]$/.test(said) ? '' : '.'}`;
	return `${decidedBy(decision, words, options)}${changed}.${note}`;
}

/** What came of a call in one line: the decision, then the result or why it failed. A refusal is no failure. */
export function outcomeText(call: StepCall, said: string, { words, options }: { words: ReportWords; options: ReportOptions }): string {
	const isFailure = call.result.isError && call.decision?.approved !== false;
	const result = isFailure ? `${words.failed}${words.colon}${said}` : said;
	return [decisionText(call, words, options), result].filter(Boolean).join(' ');
}
