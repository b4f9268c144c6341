import { CodedError } from '../core/errors';
import type { RunReport } from '../core/run';

/**
 * Reads the `run` of an item, as it came through other nodes.
 *
 * @throws BAD_INPUT when it is not a run, or one whose steps were left out
 */
export function readRun(value: unknown): RunReport {
	if (!isRun(value)) {
		throw new CodedError('BAD_INPUT', `This item has no run: found ${kindOf(value)}.`, {
			remedy: 'Connect this node after a ReAct Agent, and keep the agent’s Run Detail at summary or full.',
		});
	}
	const run: Partial<RunReport> = value;
	return {
		...value,
		answer: run.answer ?? '',
		partial: run.partial ?? false,
		steps: run.steps ?? [],
		warnings: run.warnings ?? [],
	};
}

/** True for the run of an agent; one whose detail was left out may lack its steps. */
export function isRun(value: unknown): value is RunReport {
	const run = typeof value === 'object' && value !== null ? (value as Partial<RunReport>) : undefined;
	return typeof run?.usage?.model === 'string' && typeof run.stoppedBy === 'string';
}

function kindOf(value: unknown): string {
	if (value === undefined || value === null) return 'nothing';
	return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object without usage and stoppedBy' : JSON.stringify(value);
}
