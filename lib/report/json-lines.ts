import type { RunReport, Step } from '../core/run';
import { redactValue } from '../text/redact';
import type { ReportShow } from './report-source';

/**
 * A run as JSON lines for a log or a database: one `run`, then each `step` with its `call` lines, last the `answer`. Every line has
 * `type` and `startedAt`, by which the lines of one run belong together. Secrets that look like ones are masked.
 *
 * @param show  what of the steps is kept; `answer` leaves them out
 */
export function writeJsonLines({ steps, answer, figures, ...run }: RunReport, show: ReportShow = 'everything'): string {
	const { startedAt } = run;
	const lines: unknown[] = [{ type: 'run', ...run }];
	for (const { calls, ...step } of show === 'answer' ? [] : steps.map((one) => filtered(one, show))) {
		lines.push({ type: 'step', startedAt, ...step });
		for (const call of calls) lines.push({ type: 'call', startedAt, step: step.number, ...call });
	}
	lines.push({ type: 'answer', startedAt, answer, ...(figures && { figures }) });
	return `${lines.map((line) => JSON.stringify(redactValue(line))).join('\n')}\n`;
}

function filtered(step: Step, show: ReportShow): Step {
	if (show === 'everything') return step;
	const dropped = new Set(show === 'calls' ? [...THOUGHTS, 'correction', 'abandoned'] : THOUGHTS);
	const kept = Object.entries(step).filter(([name]) => !dropped.has(name));
	return { ...(Object.fromEntries(kept) as unknown as Step), thought: '' };
}

const THOUGHTS = ['thought', 'injected', 'blocks'];
