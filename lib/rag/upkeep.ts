/**
 * Work on a whole knowledge base (verify, compact, backup…), done in steps: between two of them it can be cancelled, tells how far it
 * is, and lets other calls of the same thread or server in.
 */
import { CodedError } from '../core/errors';
import type { Log } from '../core/ports';

/** Who watches a long work. */
export interface Watch {
	readonly log?: Log;
	readonly signal?: AbortSignal;
}

/** What one step gave: what is wrong, one line each; `again` when the same step must be done once more. */
export type StepResult = readonly string[] | 'again';

/** Throws ABORTED when the signal says so. */
export function checkCancelled({ signal }: Watch, work: string, done: string): void {
	if (signal?.aborted) throw new CodedError('ABORTED', `${work} was cancelled after ${done}; nothing is lost`, { cause: signal.reason });
}

/**
 * Does steps one after the other; gives all that is wrong.
 *
 * @param work  for messages: `Verifying`
 * @throws CodedError ABORTED between two steps when the watch's signal aborts; what a step throws
 */
export async function inSteps(
	work: string,
	steps: readonly string[],
	step: (at: number) => Promise<StepResult>,
	watch: Watch = {},
): Promise<string[]> {
	const problems: string[] = [];
	for (const [at, name] of steps.entries()) {
		watch.log?.('info', `${work}: ${name} (${at + 1} of ${steps.length})`);
		let result: StepResult;
		do {
			checkCancelled(watch, work, `${at} of ${steps.length} steps`);
			result = await step(at);
		} while (result === 'again');
		problems.push(...result);
	}
	return problems;
}
