/**
 * Plans: a task as steps that people can see, edit, drop and approve before an agent does them. This file holds what a plan is and
 * how it goes on; `planner.ts` asks a model.
 */

/** A plan inside a run that plans first: plain JSON, a part of the run's state. */
export interface RunPlan {
	/** What comes next: the plan is written, its open steps are written anew, or it is followed. */
	readonly todo: 'plan' | 'replan' | 'follow';
	readonly replanned: boolean;
	readonly steps: readonly PlanStep[];
	readonly notes: readonly string[];
	/** The step at work; null while planning, in a plan of one step, and when only the answer is left. */
	readonly current: string | null;
}

/** One step of a plan. Plain JSON; n8n items carry it. */
export interface PlanStep {
	/** `s1`, `s2`, …; never used twice in a plan. */
	readonly id: string;
	readonly title: string;
	/** What the agent is asked, complete by itself. */
	readonly task: string;
	/** Ids of steps whose results this one needs. */
	readonly dependsOn: readonly string[];
	/** Names of tools that the step needs; [] for any. */
	readonly tools: readonly string[];
	/** How to see that the step is done. */
	readonly success: string;
	/** Set when the step was done. */
	readonly result?: StepResult;
}

export interface StepResult {
	readonly output: string;
	/** The step failed: `output` says why. */
	readonly failed?: boolean;
}

export interface Plan {
	/** Tells plans apart that travel together. */
	readonly id: string;
	/** The whole task. */
	readonly goal: string;
	readonly steps: readonly PlanStep[];
	/** What was odd about the plan and how it was put right. */
	readonly notes: readonly string[];
	/** Tokens that planning took; null when unknown. */
	readonly usage: { readonly in: number | null; readonly out: number | null };
}

/** A step as it came back: the plan that travelled with it, the step as a person left it, its result if it was done. */
export interface ReturnedStep {
	readonly plan: Plan;
	readonly step: PlanStep;
	readonly result?: StepResult;
}

/**
 * One plan out of what came back. Before any step is done, the steps that came are the plan, in their order: what a person edited
 * counts, what was left out is dropped. Later, results are put into the plan.
 */
export function mergeReturned(returned: readonly ReturnedStep[]): Plan | undefined {
	const [first] = returned;
	if (!first) return undefined;
	const { plan } = first;
	// Steps that were done side by side may each know of their own results only.
	const known = returned.flatMap((one) => one.plan.steps.flatMap(({ id, result }) => (result ? [[id, result] as const] : [])));
	const results = new Map([...known, ...returned.flatMap(({ step, result }) => (result ? [[step.id, result] as const] : []))]);
	const edited = unique(returned.map(({ step }) => step).filter(({ id }) => id !== ''));
	if (results.size === 0) return edited.length > 0 ? { ...plan, steps: withoutLostNeeds(edited) } : plan;
	return { ...plan, steps: plan.steps.map((step) => (results.has(step.id) ? { ...step, result: results.get(step.id) as StepResult } : step)) };
}

function unique(steps: readonly PlanStep[]): PlanStep[] {
	return [...new Map(steps.map((step) => [step.id, step])).values()];
}

/** Steps whose needs were dropped go without them. */
function withoutLostNeeds(steps: readonly PlanStep[]): PlanStep[] {
	const there = new Set(steps.map(({ id }) => id));
	return steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter((id) => there.has(id)) }));
}

/**
 * Steps that can be done now: open, with all that they need done. Where steps wait for each other in a circle the first open one
 * goes, so a plan always ends. [] when all are done.
 */
export function readySteps({ steps }: Pick<Plan, 'steps'>): PlanStep[] {
	const open = steps.filter(({ result }) => !result);
	const done = new Set(steps.flatMap(({ id, result }) => (result ? [id] : [])));
	const ready = open.filter(({ dependsOn }) => dependsOn.every((id) => done.has(id)));
	return ready.length > 0 ? ready : open.slice(0, 1);
}

/** What the steps that this one needs came to, as text for its agent; of all done steps when it names none. '' for none. */
export function contextOf({ steps }: Plan, step: PlanStep): string {
	const done = steps.filter(({ id, result }) => result && (step.dependsOn.length === 0 ? id !== step.id : step.dependsOn.includes(id)));
	return done.map(resultText).join('\n\n');
}

/** `Step s1, title: …` with its result. */
export function resultText({ id, title, result }: PlanStep): string {
	return `${id} – ${title}:\n${result === undefined ? 'NOT DONE' : result.failed ? `FAILED: ${result.output}` : result.output}`;
}

/** True when the steps' needs lead in a circle. */
export function hasCircle(steps: readonly PlanStep[]): boolean {
	const left = new Map(steps.map(({ id, dependsOn }) => [id, dependsOn]));
	for (let before = -1; left.size !== before; ) {
		before = left.size;
		for (const [id, needs] of left) if (needs.every((need) => !left.has(need))) left.delete(id);
	}
	return left.size > 0;
}
