import type { RunReport } from '../core/run';
import { redactValue } from '../text/redact';

/**
 * A run as JSON lines for a log or a database: one `run`, then each `step` with its `call` lines, last the `answer`. Every line has
 * `type` and `startedAt`, by which the lines of one run belong together. Secrets that look like ones are masked.
 */
export function writeJsonLines({ steps, answer, figures, ...run }: RunReport): string {
	const { startedAt } = run;
	const lines: unknown[] = [{ type: 'run', ...run }];
	for (const { calls, ...step } of steps) {
		lines.push({ type: 'step', startedAt, ...step });
		for (const call of calls) lines.push({ type: 'call', startedAt, step: step.number, ...call });
	}
	lines.push({ type: 'answer', startedAt, answer, ...(figures && { figures }) });
	return `${lines.map((line) => JSON.stringify(redactValue(line))).join('\n')}\n`;
}
