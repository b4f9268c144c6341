import { CodedError } from '../core/errors';
import type { Decision, RunReport, Step, StepCall } from '../core/run';

/**
 * Reads the `run` of an item, as it came through other nodes: what they left out or changed is empty.
 *
 * @throws BAD_INPUT when it is not a run
 */
export function readRun(value: unknown): RunReport {
	if (!isRun(value)) {
		throw new CodedError('BAD_INPUT', `This item has no run: found ${kindOf(value)}.`, {
			remedy: 'Connect this node after a ReAct Agent, and keep the agent’s Run Detail at summary or full.',
		});
	}
	const { figures, ...run } = value as unknown as Loose;
	const usage = recordOf(run.usage);
	return {
		...(run as unknown as RunReport),
		usage: { ...usage, model: text(usage.model), in: numberOr(usage.in, null), out: numberOr(usage.out, null), cost: numberOr(usage.cost, null) },
		answer: text(run.answer),
		partial: run.partial === true,
		steps: listOf(run.steps).map(readStep),
		startedAt: text(run.startedAt),
		durationMs: numberOr(run.durationMs, 0),
		firstTokenMs: numberOr(run.firstTokenMs, null),
		prompt: { ...(recordOf(run.prompt) as unknown as RunReport['prompt']), system: text(recordOf(run.prompt).system), question: text(recordOf(run.prompt).question) },
		warnings: (Array.isArray(run.warnings) ? (run.warnings as unknown[]) : []).map(text),
		...(Array.isArray(recordOf(figures).unsupported) && { figures: figures as NonNullable<RunReport['figures']> }),
	};
}

type Loose = Readonly<Record<string, unknown>>;

function readStep(step: Loose, at: number): Step {
	const usage = recordOf(step.usage);
	return {
		...(step as unknown as Step),
		number: numberOr(step.number, at + 1),
		thought: text(step.thought),
		calls: listOf(step.calls).map(readCall),
		usage: { ...usage, in: numberOr(usage.in, null), out: numberOr(usage.out, null) },
		durationMs: numberOr(step.durationMs, 0),
	};
}

function readCall({ decision, ...call }: Loose): StepCall {
	const result = recordOf(call.result);
	const name = text(call.name);
	const read = { ...result, callId: text(result.callId), name: text(result.name) || name, text: text(result.text), isError: result.isError === true };
	return { ...(call as unknown as StepCall), name, ...readDecision(decision), result: { ...(read as unknown as StepCall['result']), durationMs: numberOr(result.durationMs, null) } };
}

/** What only looks like a decision is none. */
function readDecision(given: unknown): { readonly decision?: Decision } {
	const { approved, at, by, note, ...more } = recordOf(given);
	if (typeof approved !== 'boolean') return {};
	const known = { ...(text(by) !== '' && { by: text(by) }), ...(text(note) !== '' && { note: text(note) }) };
	return { decision: { ...more, approved, at: text(at), ...known } };
}

function recordOf(value: unknown): Loose {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

function listOf(value: unknown): Loose[] {
	return Array.isArray(value) ? value.map(recordOf) : [];
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}

function numberOr<Other>(value: unknown, other: Other): number | Other {
	return typeof value === 'number' ? value : other;
}

/** True for the run of an agent; one whose detail was left out may lack its steps. */
export function isRun(value: unknown): value is RunReport {
	const run = typeof value === 'object' && value !== null ? (value as Partial<RunReport>) : undefined;
	return typeof run?.usage?.model === 'string' && typeof run.stoppedBy === 'string';
}

function kindOf(value: unknown): string {
	if (value === undefined || value === null) return 'nothing';
	return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object without usage and stoppedBy' : JSON.stringify(value).slice(0, 100);
}
