import { textOf } from '../core/message';
import type { ReplyBlock, RunPlanReport, RunReport, RunSource, RunUsage, Step, StepCall } from '../core/run';
import type { AgentSetup } from './agent-setup';
import { usages, type AgentState, type Turn, type TurnCall } from './agent-state';
import { offeredTools, systemText } from './format-request';
import { costOf } from './price';
import { PROMPT_NAME, PROMPT_VERSION } from './prompts';
import type { AgentEnd } from './run-agent';
import { readBase } from './start-run';
import { ReActStreamParser } from './stream-parser';

/** How much of a run its report holds: `none` no steps, `summary` long texts and data cut, `full` everything. */
export type RunDetail = 'none' | 'summary' | 'full';

const SUMMARY_TEXT = 1_000;
/** Characters of JSON up to which a summary keeps a result's data whole: tables of a report are made from it. */
const SUMMARY_DATA = 20_000;

/** The report of a run that ended, or of one that stands still (`end` says why). */
export async function runReport(
	setup: AgentSetup,
	state: AgentState,
	{ end, detail }: { end: AgentEnd; detail: RunDetail },
): Promise<RunReport> {
	const base = await readBase(setup, state);
	const steps = await Promise.all(state.turns.map(async (_turn, at) => await toStep(setup, state, { at, detail })));
	const plan = planOf(state, end);
	const system = systemText(setup, state, { base, tools: offeredTools(setup, state) });
	return {
		usage: usageOf(setup, state),
		stoppedBy: end.stoppedBy,
		partial: end.partial,
		answer: end.answer,
		steps: detail === 'none' ? [] : steps,
		startedAt: new Date(state.startedAt).toISOString(),
		durationMs: state.spentMs,
		firstTokenMs: state.firstTokenMs,
		protocol: state.protocol,
		prompt: { name: PROMPT_NAME, version: PROMPT_VERSION, hash: state.promptHash, system, question: base.question },
		tools: setup.tools.map(({ name }) => name),
		sources: sourcesOf(steps),
		warnings: state.warnings,
		...(plan && { plan }),
	};
}

/** A plan of one step is done by the answer. */
function planOf({ plan }: AgentState, { answer, error }: AgentEnd): RunPlanReport | undefined {
	if (!plan) return undefined;
	const isOne = plan.steps.length === 1 && answer !== '' && !error;
	const steps = plan.steps.map(({ id, title, task, dependsOn, success, result }) => {
		const came = result ?? (isOne ? { output: answer } : undefined);
		return { id, title, task, dependsOn, success, ...(came && { result: came }) };
	});
	return { steps, notes: plan.notes, replanned: plan.replanned };
}

function usageOf(setup: AgentSetup, state: AgentState): RunUsage {
	const cached = state.turns.map(({ usage }) => usage.cached).filter((count) => count !== undefined);
	return {
		model: state.models.join(', ') || setup.model.id,
		in: sumOf(usages(state).map((usage) => usage.in)),
		out: sumOf(usages(state).map((usage) => usage.out)),
		...(cached.length > 0 && { cached: cached.reduce((sum, count) => sum + count, 0) }),
		cost: costOf(state, setup.prices),
	};
}

/** The sum of what is known; null when nothing is. */
function sumOf(counts: ReadonlyArray<number | null>): number | null {
	const known = counts.filter((count) => count !== null);
	return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

async function toStep(
	setup: AgentSetup,
	{ turns, protocol }: AgentState,
	{ at, detail }: { at: number; detail: RunDetail },
): Promise<Step> {
	const turn = turns[at] as Turn;
	const { thought, correction, injected, abandoned, plan, planStep, planResult } = turn;
	return {
		number: at + 1,
		parent: parentOf(turns, at),
		thought,
		...(protocol === 'text' && detail === 'full' && { blocks: blocksOf(turn) }),
		calls: await Promise.all(turn.calls.map(async (call) => await toStepCall(setup, call, detail))),
		...(correction !== undefined && { correction }),
		...(injected !== undefined && { injected }),
		...(abandoned && { abandoned: abandoned.reason }),
		...(plan && { plan }),
		...(planStep !== undefined && { planStep }),
		...(planResult && { planResult }),
		usage: turn.usage,
		durationMs: turn.durationMs,
	};
}

function blocksOf({ message }: Turn): ReplyBlock[] {
	const parser = new ReActStreamParser();
	parser.push(textOf(message));
	parser.flush();
	return parser.blocks();
}

/** Documents are recognised by shape: rows with a text and a title or a source, wherever a tool lists them. */
function sourcesOf(steps: readonly Step[]): RunSource[] {
	const found = new Map<string, RunSource>();
	const lists = steps.flatMap(({ calls }) => calls.flatMap(({ result }) => listsIn(result.data)));
	for (const { title, source, text } of lists.flat() as Array<Record<string, unknown>>) {
		const name = typeof title === 'string' ? title : source;
		if (typeof name !== 'string' || typeof text !== 'string') continue;
		found.set(`${name}\n${String(source)}`, { title: name, ...(typeof source === 'string' && { source }) });
	}
	return [...found.values()];
}

function listsIn(data: unknown): unknown[][] {
	const values = Array.isArray(data) ? [data] : Object.values((typeof data === 'object' && data) || {});
	return values.filter((value): value is unknown[] => Array.isArray(value)).map((list) => list.filter((row) => typeof row === 'object' && row !== null));
}

/** The number of the step before in what the model saw: the last one that was not given up by then, or of the same branch. */
function parentOf(turns: readonly Turn[], at: number): number | null {
	const branch = turns[at]?.abandoned?.branch ?? Infinity;
	const before = turns.slice(0, at).findLastIndex(({ abandoned }) => !abandoned || abandoned.branch >= branch);
	return before < 0 ? null : before + 1;
}

async function toStepCall(setup: AgentSetup, call: TurnCall, detail: RunDetail): Promise<StepCall> {
	const { callId, name, input, result, decision } = call;
	const whole = result?.handle ? await setup.results.get(result.handle) : { text: result?.text ?? '', data: result?.data };
	const full = detail === 'full';
	const keepsData = whole.data !== undefined && (full || JSON.stringify(whole.data).length <= SUMMARY_DATA);
	return {
		callId,
		name,
		...(input && { input }),
		...(decision && { decision }),
		result: {
			callId,
			name,
			text: full ? whole.text : shortened(whole.text),
			isError: result?.isError ?? false,
			...(keepsData && { data: whole.data }),
			durationMs: result?.durationMs ?? null,
		},
	};
}

function shortened(text: string): string {
	return text.length <= SUMMARY_TEXT ? text : `${text.slice(0, SUMMARY_TEXT)}… (${text.length} characters)`;
}
