import type { RunPlanReport, RunReport, RunUsage, Step } from '../core/run';

/** A run of a longer piece of work. */
export interface RunPart {
	readonly run: RunReport;
	/** Id of the plan's step that it did. */
	readonly planStep?: string;
}

/** What the parts came to together. */
export interface JoinedWork {
	/** The whole task. */
	readonly question: string;
	readonly answer: string;
	readonly plan: RunPlanReport;
	/** Tokens besides those of the parts: of planning and of joining. */
	readonly usage: { readonly in: number | null; readonly out: number | null };
}

/**
 * One run out of the runs of a plan's steps, in their order, for one report: steps are numbered through, tokens, cost and time added
 * up (unknown ones count as none, and the sum is unknown only when all are). It ended as the first part that did not answer, if any,
 * and is partial then.
 *
 * @returns undefined for no parts
 */
export function joinRuns(parts: readonly RunPart[], { question, answer, plan, usage }: JoinedWork): RunReport | undefined {
	const [first] = parts;
	if (!first) return undefined;
	const runs = parts.map(({ run }) => run);
	const failed = runs.find(({ stoppedBy }) => stoppedBy !== 'answer');
	return {
		...first.run,
		prompt: { ...first.run.prompt, question },
		answer,
		plan,
		usage: joinedUsage(runs, usage),
		stoppedBy: failed?.stoppedBy ?? 'answer',
		partial: runs.some(({ partial }) => partial),
		steps: parts.reduce<Step[]>((steps, part) => [...steps, ...stepsOf(part, steps.length)], []),
		durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
		tools: [...new Set(runs.flatMap(({ tools }) => tools ?? []))],
		sources: [...new Map(runs.flatMap(({ sources }) => sources ?? []).map((source) => [JSON.stringify(source), source])).values()],
		warnings: [...new Set(runs.flatMap(({ warnings }) => warnings))],
	};
}

function joinedUsage(runs: readonly RunReport[], more: JoinedWork['usage']): RunUsage {
	const usages = runs.map(({ usage }) => usage);
	return {
		model: [...new Set(usages.map(({ model }) => model))].join(', '),
		in: sum([...usages.map((usage) => usage.in), more.in]),
		out: sum([...usages.map((usage) => usage.out), more.out]),
		cost: sum(usages.map(({ cost }) => cost)),
	};
}

function sum(values: ReadonlyArray<number | null | undefined>): number | null {
	const known = values.filter((value) => typeof value === 'number');
	return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
}

/** The steps of a part, numbered on from those before it. */
function stepsOf({ run, planStep }: RunPart, before: number): Step[] {
	return run.steps.map((step) => ({
		...step,
		number: step.number + before,
		parent: step.parent === null ? null : step.parent + before,
		...(planStep !== undefined && { planStep }),
	}));
}
