import type { IDataObject } from 'n8n-workflow';

import type { RunReport } from '../core/run';
import type { Plan } from '../react/plan';
import { joinRuns, type RunPart } from '../report/join-runs';
import { isRun, readRun } from '../report/read-run';
import { asRecord } from './as-record';

/**
 * The runs of a plan's steps, as its items carry them (`runs`), with those that items of this round brought (`run`), in their order.
 * Items of one plan carry the same list, so the first one's is taken.
 */
export function runsOfSteps(items: readonly IDataObject[]): RunPart[] {
	const before = Array.isArray(items[0]?.runs) ? (items[0].runs as unknown[]).map(asRecord) : [];
	const earlier = before.flatMap(({ run, planStep }) => partOf(run, planStep));
	return [...earlier, ...items.flatMap((item) => partOf(item.run, asRecord(item.step).id))];
}

function partOf(run: unknown, planStep: unknown): RunPart[] {
	return isRun(run) ? [{ run: readRun(run), ...(typeof planStep === 'string' && { planStep }) }] : [];
}

/** One run for the report of the whole plan; undefined when no step brought a run. */
export function runOfPlan(parts: readonly RunPart[], { plan, answer, replanned }: { plan: Plan; answer: string; replanned: boolean }): RunReport | undefined {
	const steps = plan.steps.map(({ id, title, task, dependsOn, success, result }) => ({ id, title, task, dependsOn, success, ...(result && { result }) }));
	return joinRuns(parts, { question: plan.goal, answer, plan: { steps, notes: plan.notes, replanned }, usage: plan.usage });
}
