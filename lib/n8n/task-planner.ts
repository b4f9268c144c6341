import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { contextOf, mergeReturned, readySteps, type Plan, type PlanStep, type ReturnedStep, type StepResult } from '../react/plan';
import { makePlan, replan, synthesise, type PlannerSetup } from '../react/planner';
import type { RunPart } from '../report/join-runs';
import { isRun } from '../report/read-run';
import { detectLanguage } from '../text/language';
import { asRecord } from './as-record';
import { connectedModel } from './connected';
import { connectedTools } from './connected-tools';
import { failedItem } from './each-item';
import { runOfPlan, runsOfSteps } from './planned-runs';
import { portsOf } from './ports';
import { toNodeError } from './to-node-error';

/** What came of a step must not stand in the items of the next ones. */
const OF_ONE_STEP = new Set(['output', 'run', 'step', 'context', 'intermediateSteps', 'error', 'message']);

/**
 * Task Planner over its items. `plan` gives the steps of each item's task; `next` takes steps back, done or not, and gives those that
 * can be done now (first output) or the finished plan (second); `replan` and `synthesise` work on what came back, plan by plan.
 */
export async function runTaskPlanner(ctx: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = ctx.getNodeParameter('operation', 0) as string;
	const outputs: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	const groups = operation === 'plan' ? ctx.getInputData().map((_item, itemIndex) => [itemIndex]) : groupsOf(ctx);
	for (const group of groups) {
		try {
			await runGroup(ctx, { operation, group, outputs });
		} catch (error) {
			if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, group[0]);
			outputs[0].push(failedItem(error, group[0] ?? 0));
		}
	}
	return operation === 'next' ? outputs : [outputs[0]];
}

interface Group {
	readonly operation: string;
	readonly group: readonly number[];
	readonly outputs: [INodeExecutionData[], INodeExecutionData[]];
}

async function runGroup(ctx: IExecuteFunctions, { operation, group, outputs: [first, second] }: Group): Promise<void> {
	const itemIndex = group[0] ?? 0;
	const base = baseOf(ctx, itemIndex);
	if (operation === 'plan') {
		const goal = text(ctx.getNodeParameter('query', itemIndex, ''));
		if (goal === '') throw new CodedError('BAD_INPUT', 'The task is empty', { remedy: 'Fill in Task, or let the previous node give query or chatInput. Behind a Webhook set Task to {{ $json.body.query }}.' });
		const plan = await makePlan(await setupOf(ctx, itemIndex, goal), goal);
		first.push(...stepItems(ctx, { plan, steps: plan.steps, base: { ...base, goal }, itemIndex }));
		return;
	}
	const plan = mergeReturned(group.map((index) => returnedStep(ctx, index))) as Plan;
	const runs = runsOfSteps(group.map((index) => ctx.getInputData()[index]?.json ?? {}));
	if (operation === 'synthesise') {
		first.push({ json: await synthesised(ctx, itemIndex, { plan, runs }), pairedItem: group.map((item) => ({ item })) });
		return;
	}
	const carried = { ...base, ...(runs.length > 0 && { runs: runs as unknown as IDataObject[] }), ...(operation === 'replan' && { replanned: true }) };
	const now = operation === 'replan' ? await replan(await setupOf(ctx, itemIndex, plan.goal), plan) : plan;
	const steps = readySteps(now);
	if (operation === 'next' && steps.length === 0) second.push({ json: { ...carried, query: now.goal, plan: asJson(now) }, pairedItem: group.map((item) => ({ item })) });
	else first.push(...stepItems(ctx, { plan: now, steps: operation === 'replan' ? now.steps.filter(({ result }) => !result) : steps, base: carried, itemIndex }));
}

/** The item with the answer, and with one run out of those of the steps, for Run Report. */
async function synthesised(ctx: IExecuteFunctions, itemIndex: number, { plan, runs }: { plan: Plan; runs: readonly RunPart[] }): Promise<IDataObject> {
	const { replanned, ...base } = baseOf(ctx, itemIndex);
	delete base.runs;
	const { answer, plan: done } = await synthesise(await setupOf(ctx, itemIndex, plan.goal), plan);
	const run = runOfPlan(runs, { plan: done, answer, replanned: replanned === true });
	return { ...base, query: plan.goal, output: answer, plan: asJson(done), ...(run && { run: run as unknown as IDataObject }) };
}

/** Indexes of the items of each plan, in the order in which the plans appear. */
function groupsOf(ctx: IExecuteFunctions): number[][] {
	const groups = new Map<string, number[]>();
	for (const itemIndex of ctx.getInputData().keys()) {
		const { id } = planAt(ctx, itemIndex);
		groups.set(id, [...(groups.get(id) ?? []), itemIndex]);
	}
	return [...groups.values()];
}

function planAt(ctx: IExecuteFunctions, itemIndex: number): Plan {
	const plan = asRecord(ctx.getNodeParameter('plan', itemIndex, undefined)) as Partial<Plan>;
	if (typeof plan.id === 'string' && Array.isArray(plan.steps)) return { ...(plan as Plan), goal: text(plan.goal), steps: plan.steps.map(wholeStep), notes: Array.isArray(plan.notes) ? plan.notes : [], usage: plan.usage ?? { in: null, out: null } };
	throw new CodedError('BAD_INPUT', `Item ${itemIndex} has no plan`, { remedy: 'Connect the items of a Task Planner, with their field `plan`; a node between may have dropped it.' });
}

function returnedStep(ctx: IExecuteFunctions, itemIndex: number): ReturnedStep {
	const plan = planAt(ctx, itemIndex);
	const step = wholeStep(ctx.getNodeParameter('step', itemIndex, undefined));
	const result = step.id === '' ? undefined : resultAt(ctx, itemIndex);
	return { plan, step, ...(result && { result }) };
}

/** A step as a person or another node left it: what is missing is empty. */
function wholeStep(given: unknown): PlanStep {
	const step = asRecord(given) as Partial<PlanStep>;
	const names = (list: unknown): string[] => (Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : []);
	const task = text(step.task) || text(step.title);
	return { ...step, id: text(step.id), title: text(step.title) || task.slice(0, 80), task, success: text(step.success), dependsOn: names(step.dependsOn), tools: names(step.tools) };
}

/** The output of the step's agent, or its error; undefined for a step that was not done. */
function resultAt(ctx: IExecuteFunctions, itemIndex: number): StepResult | undefined {
	const failed = ctx.getInputData()[itemIndex]?.json.error;
	const output = ctx.getNodeParameter('result', itemIndex, undefined) as unknown;
	if (output !== undefined && output !== null && output !== '') return { output: typeof output === 'string' ? output : JSON.stringify(output) };
	// An agent that said nothing: the step was tried, and would come back for ever if it counted as not done.
	if (failed === undefined || failed === null) return wasTried(ctx, itemIndex) ? { output: 'The agent gave no answer.', failed: true } : undefined;
	return { output: typeof failed === 'string' ? failed : JSON.stringify(failed), failed: true };
}

function wasTried(ctx: IExecuteFunctions, itemIndex: number): boolean {
	const { output, run } = ctx.getInputData()[itemIndex]?.json ?? {};
	return output === '' || output === null || isRun(run);
}

interface Steps {
	readonly plan: Plan;
	readonly steps: readonly PlanStep[];
	readonly base: IDataObject;
	readonly itemIndex: number;
}

function stepItems(ctx: IExecuteFunctions, { plan, steps, base, itemIndex }: Steps): INodeExecutionData[] {
	const tokens = Number(ctx.getNodeParameter('options.maxTokens', itemIndex, 0));
	const share = tokens > 0 ? { maxTokens: Math.floor(tokens / Math.max(1, plan.steps.length)) } : {};
	return steps.map((step) => ({
		json: {
			...base,
			query: step.success === '' ? step.task : `${step.task}\n\n(${step.success})`,
			context: contextOf(plan, step),
			step: { ...step, number: plan.steps.indexOf(step) + 1, of: plan.steps.length, ...share } as unknown as IDataObject,
			plan: asJson(plan),
		},
		pairedItem: { item: itemIndex },
	}));
}

function baseOf(ctx: IExecuteFunctions, itemIndex: number): IDataObject {
	const { json } = ctx.getInputData()[itemIndex] as INodeExecutionData;
	return Object.fromEntries(Object.entries(json).filter(([key]) => !OF_ONE_STEP.has(key)));
}

async function setupOf(ctx: IExecuteFunctions, itemIndex: number, goal: string): Promise<PlannerSetup> {
	const get = (name: string, fallback: unknown): unknown => ctx.getNodeParameter(name, itemIndex, fallback as never) as unknown;
	const chosen = get('options.language', 'auto');
	// Joining results takes no tools, and the node then has no such input.
	const connected = get('operation', 'plan') === 'synthesise' ? [] : await connectedTools(ctx, itemIndex);
	const shown = connected.filter(({ hidden }) => !hidden);
	return {
		model: await connectedModel(ctx, itemIndex),
		tools: shown.map(({ tool }) => tool),
		language: chosen === 'fr' || chosen === 'en' ? chosen : (detectLanguage(goal) ?? 'en'),
		maxSteps: Math.max(1, Math.floor(Number(get('maxSteps', 8))) || 8),
		instructions: text(get('instructions', '')),
		context: text(get('context', '')),
		mark: portsOf(ctx).ids().slice(0, 8),
		signal: ctx.getExecutionCancelSignal() ?? new AbortController().signal,
	};
}

function asJson(plan: Plan): IDataObject {
	return plan as unknown as IDataObject;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
