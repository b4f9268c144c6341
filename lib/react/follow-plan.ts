/**
 * Plan first: a run whose first turn writes a plan, whose next turns do one step of it after the other, and whose last turn answers
 * from their results. When a step fails the open steps are written anew, once.
 *
 * All of it is turns of the one loop: they count for its limits and stand in its report, and a run can be suspended in between.
 */
import { isCodedError, raise } from '../core/errors';
import type { Message } from '../core/message';
import type { ChatModel, ModelReply } from '../core/model';
import type { RunEvent, RunPlanResult } from '../core/run';
import type { AgentSetup } from './agent-setup';
import { stepAtWork, type AgentState, type Turn } from './agent-state';
import type { Fault } from './finalizer';
import { readySteps, type Plan, type PlanStep, type RunPlan } from './plan';
import { makePlan, replan, type PlannerSetup } from './planner';
import { plannerPromptsIn } from './planner-prompts';
import { promptsIn } from './prompts';
import { readBase, type RunBase } from './start-run';
import { speakerOf } from './take-step';

const MOST_STEPS = 8;
/** Characters of a step's result that are kept beside the turn that gave it. */
const RESULT_KEPT = 2_000;

/** True when the next turn writes the plan, for the first time or anew. */
export function isPlanning({ plan, ending }: AgentState): boolean {
	return !ending && plan !== undefined && plan.todo !== 'follow';
}

/** The turn that writes the plan and tells the model where to begin. Throws what the model's API did. */
export async function* planTurn(setup: AgentSetup, given: AgentState): AsyncGenerator<RunEvent, AgentState> {
	const step = given.turns.length + 1;
	yield { type: 'step-start', step, protocol: given.protocol };
	const began = setup.ports.clock.now();
	const base = await readBase(setup, given);
	const { state, plan, speaker } = await askForPlan(setup, given, base);
	const again = given.plan?.todo === 'replan';
	const [first] = readySteps(plan);
	const current = plan.steps.length > 1 && first ? first.id : null;
	const followed: RunPlan = { todo: 'follow', replanned: again, steps: plan.steps, notes: plan.notes, current };
	const words = plannerPromptsIn(setup.language);
	const shown = words.thePlan(planLines(plan.steps), again);
	const turn: Turn = {
		message: { role: 'assistant', parts: [] },
		thought: '',
		calls: [],
		plan: plan.steps.map(({ id, title, task, dependsOn, success, result }) => ({ id, title, task, dependsOn, success, ...(result && { result }) })),
		next: `${shown}\n\n${plan.steps.length > 1 ? nextWords(setup, followed, base) : words.doAll}`,
		usage: plan.usage,
		model: speaker,
		durationMs: setup.ports.clock.now() - began,
	};
	yield { type: 'plan', step, text: shown };
	const models = [...new Set([...state.models, speaker])];
	return { ...state, models, turns: [...state.turns, turn], plan: followed };
}

interface Asked {
	readonly state: AgentState;
	readonly plan: Plan;
	readonly speaker: string;
}

/** Asks the model; on an outage the fallback model. */
async function askForPlan(setup: AgentSetup, state: AgentState, base: RunBase): Promise<Asked> {
	try {
		return await askModel(setup, state, { base, model: setup.model });
	} catch (error) {
		const isPassing = isCodedError(error) && error.retryable;
		if (!isPassing || !setup.fallbackModel) return raise(error);
		const warning = `${setup.model.id} failed (${error.message}); ${setup.fallbackModel.id} wrote the plan.`;
		return await askModel(setup, { ...state, warnings: [...state.warnings, warning] }, { base, model: setup.fallbackModel });
	}
}

async function askModel(setup: AgentSetup, state: AgentState, { base, model }: { base: RunBase; model: ChatModel }): Promise<Asked> {
	const { query, context } = base.task ?? { query: base.question, context: '' };
	const heard = hearing(model);
	const planner: PlannerSetup = {
		model: heard.model,
		tools: setup.tools,
		language: setup.language,
		maxSteps: mostSteps(setup, state),
		instructions: `${plannerPromptsIn(setup.language).rules}\n${base.instructions}\n\n${promptsIn(setup.language).today(base.today)}`,
		context,
		history: base.history.flatMap(spokenOnly),
		mark: state.mark,
		signal: setup.signal,
	};
	const { plan } = state;
	const before: Plan | undefined = plan?.todo === 'replan' ? { id: state.mark, goal: query, steps: plan.steps, notes: plan.notes, usage: { in: null, out: null } } : undefined;
	return { state, plan: before ? await replan(planner, before) : await makePlan(planner, query), speaker: heard.speaker() ?? model.id };
}

/** A plan that can be done within what is left: two turns a step and one for the answer. */
function mostSteps({ limits }: AgentSetup, { turns }: AgentState): number {
	return Math.max(1, Math.min(MOST_STEPS, Math.floor((limits.maxSteps - turns.length - 2) / 2)));
}

/** The model, and who spoke for it: behind a policy that may be another one each time. */
function hearing(model: ChatModel): { readonly model: ChatModel; speaker(): string | undefined } {
	let notes: ModelReply['notes'];
	const heard: ChatModel = {
		id: model.id,
		capabilities: model.capabilities,
		async *stream(request, signal) {
			for await (const event of model.stream(request, signal)) {
				if (event.type === 'finish') notes = event.notes;
				yield event;
			}
		},
	};
	return { model: heard, speaker: () => speakerOf({ ...(notes && { notes }) }) };
}

/** What was said before, without calls and their results: the planner has no tools. */
function spokenOnly({ role, parts }: Message): Message[] {
	const texts = parts.filter(({ type }) => type === 'text');
	return texts.length > 0 && (role === 'user' || role === 'assistant') ? [{ role, parts: texts }] : [];
}

/** Takes the model's answer as the result of the step at work and goes on with the plan. */
export async function endStep(setup: AgentSetup, state: AgentState, answer: string): Promise<AgentState> {
	const failure = /^[\s*_"«]*(?:failed|échec|echec)\s*[»"*_]*\s*:[\s*_»"]*/iu.exec(answer);
	const output = failure ? answer.slice(failure[0].length) : answer;
	return await closeStep(setup, state, { result: { output: shortened(output), ...(failure && { failed: true }) }, note: '' });
}

/** The step at work goes in circles: it failed. */
export async function giveUpStep(setup: AgentSetup, state: AgentState, fault: Fault): Promise<AgentState> {
	const reason = promptsIn(setup.language).faults[fault];
	const note = plannerPromptsIn(setup.language).stepGivenUp(stepAtWork(state) ?? '', reason);
	const warned = { ...state, warnings: [...state.warnings, note] };
	return await closeStep(setup, warned, { result: { output: reason, failed: true }, note: `${note}\n` });
}

interface Closing {
	readonly result: RunPlanResult;
	/** What the model is told of it; '' for nothing. */
	readonly note: string;
}

async function closeStep(setup: AgentSetup, state: AgentState, { result, note }: Closing): Promise<AgentState> {
	const plan = state.plan as RunPlan;
	const last = state.turns.at(-1);
	if (!last) return state;
	const steps = plan.steps.map((step) => (step.id === plan.current ? { ...step, result } : step));
	const isReplanned = result.failed === true && !plan.replanned;
	const after: RunPlan = { ...plan, steps, todo: isReplanned ? 'replan' : 'follow', current: isReplanned ? null : nextOf(steps) };
	const next = isReplanned ? {} : { next: note + nextWords(setup, after, await readBase(setup, state)) };
	return { ...state, plan: after, turns: [...state.turns.slice(0, -1), { ...last, planResult: result, ...next }] };
}

function nextOf(steps: readonly PlanStep[]): string | null {
	return readySteps({ steps })[0]?.id ?? null;
}

function nextWords({ language }: AgentSetup, { steps, current }: RunPlan, { task, question }: RunBase): string {
	const words = plannerPromptsIn(language);
	const step = steps.find(({ id }) => id === current);
	return step ? words.doStep(step) : words.answerNow(shortened(task?.query ?? question));
}

function planLines(steps: readonly PlanStep[]): string {
	return steps.map(({ id, title, result }) => `${result ? (result.failed ? '✗' : '✓') : '-'} ${id}: ${title}`).join('\n');
}

function shortened(text: string): string {
	return text.length <= RESULT_KEPT ? text : `${text.slice(0, RESULT_KEPT)}…`;
}
