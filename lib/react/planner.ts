/**
 * The planner: a model writes a plan, re-plans from the results so far, and joins results into one answer. A plan that cannot be used
 * is sent back once; then the task itself becomes the only step. It never loops.
 */
import { textMessage, type Message } from '../core/message';
import { collectReply, type ChatModel, type JsonSchema } from '../core/model';
import type { Tool } from '../core/tool';
import { fenced } from '../text/fence';
import type { Language } from '../text/language';
import { resultText, type Plan, type PlanStep } from './plan';
import { plannerPromptsIn } from './planner-prompts';
import { readPlan, tamePlan, type PlanLimits } from './read-plan';

export interface PlannerSetup {
	readonly model: ChatModel;
	/** What agents will be able to use; [] says nothing of tools. */
	readonly tools: readonly Tool[];
	readonly language: Language;
	/** From 1. */
	readonly maxSteps: number;
	/** Rules of the builder for the plan or the answer; '' for none. */
	readonly instructions: string;
	/** Documents for the task; '' for none. */
	readonly context: string;
	/** The conversation before the task, oldest first; absent for none. */
	readonly history?: readonly Message[];
	/** A fence's mark and the plan's id, new for each call. */
	readonly mark: string;
	readonly signal: AbortSignal;
}

type Usage = Plan['usage'];

/** A plan for a task. Throws CodedError for what the model's API did; never for what the model wrote. */
export async function makePlan(setup: PlannerSetup, goal: string): Promise<Plan> {
	const words = plannerPromptsIn(setup.language);
	const question = words.plan(goal, setup.maxSteps) + documentsOf(setup);
	return await planFor(setup, { id: setup.mark, goal, question, taken: new Set() });
}

/** The plan with its open steps written anew from what the done ones came to. The done ones stay. */
export async function replan(setup: PlannerSetup, plan: Plan): Promise<Plan> {
	const done = plan.steps.filter(({ result }) => result);
	const open = plan.steps.filter(({ result }) => !result);
	const words = plannerPromptsIn(setup.language);
	const results = fenced(setup.mark, done.map(resultText).join('\n\n'));
	const question = words.replan({ goal: plan.goal, results, open: open.map(({ title }) => `- ${title}`).join('\n'), maxSteps: setup.maxSteps });
	const next = await planFor(setup, { id: plan.id, goal: plan.goal, question, taken: new Set(done.map(({ id }) => id)) });
	return { ...next, steps: [...done, ...next.steps], notes: [...plan.notes, ...next.notes], usage: added(plan.usage, next.usage) };
}

/** One answer to the task from the results of its steps; the plan with the tokens that it took. */
export async function synthesise(setup: PlannerSetup, plan: Plan): Promise<{ readonly answer: string; readonly plan: Plan }> {
	const words = plannerPromptsIn(setup.language);
	const results = fenced(setup.mark, plan.steps.map(resultText).join('\n\n'));
	const reply = await ask(setup, [textMessage('system', systemText(setup, words.synthesiser)), textMessage('user', words.synthesise(plan.goal, results))]);
	return { answer: reply.text.trim(), plan: { ...plan, usage: added(plan.usage, reply.usage) } };
}

interface Wanted {
	readonly id: string;
	readonly goal: string;
	readonly question: string;
	readonly taken: ReadonlySet<string>;
}

async function planFor(setup: PlannerSetup, { id, goal, question, taken }: Wanted): Promise<Plan> {
	const words = plannerPromptsIn(setup.language);
	const limits: PlanLimits = { maxSteps: setup.maxSteps, tools: new Set(setup.tools.map(({ name }) => name)), taken };
	const system = textMessage('system', systemText(setup, words.planner) + toolLines(setup, words.tools));
	const messages = [system, ...(setup.history ?? []), textMessage('user', question)];
	const first = await ask(setup, messages, SCHEMA);
	const read = readPlan(first.text, limits);
	if (!read.problem) return { id, goal, steps: read.steps, notes: [], usage: first.usage };
	const again = await ask(setup, [...messages, textMessage('assistant', first.text || '…'), textMessage('user', words.repair(read.problem[setup.language]))], SCHEMA);
	const second = readPlan(again.text, limits);
	const usage = added(first.usage, again.usage);
	if (!second.problem) return { id, goal, steps: second.steps, notes: [words.rewritten(read.problem[setup.language])], usage };
	const usable = second.steps.length > 0 ? second : read;
	if (usable.steps.length === 0) return { id, goal, steps: [wholeTask(goal, taken)], notes: [words.oneStep], usage };
	return { id, goal, steps: tamePlan(usable.steps, setup.maxSteps), notes: [words.tamed((usable.problem ?? read.problem)[setup.language])], usage };
}

function wholeTask(goal: string, taken: ReadonlySet<string>): PlanStep {
	let number = 1;
	while (taken.has(`s${number}`)) number += 1;
	return { id: `s${number}`, title: goal.slice(0, 80), task: goal, dependsOn: [], tools: [], success: '' };
}

async function ask({ model, signal }: PlannerSetup, messages: readonly Message[], schema?: JsonSchema): Promise<{ text: string; usage: Usage }> {
	const responseSchema = schema && model.capabilities.responseSchema === 'yes' ? { responseSchema: schema } : {};
	const { text, usage } = await collectReply(model, { messages, temperature: 0, ...responseSchema }, signal);
	return { text, usage: { in: usage.inputTokens, out: usage.outputTokens } };
}

function added(a: Usage, b: Usage): Usage {
	const sum = (x: number | null, y: number | null): number | null => (x === null && y === null ? null : (x ?? 0) + (y ?? 0));
	return { in: sum(a.in, b.in), out: sum(a.out, b.out) };
}

function systemText({ instructions }: PlannerSetup, words: string): string {
	return instructions.trim() === '' ? words : `${words}\n\n${instructions.trim()}`;
}

function toolLines({ tools }: PlannerSetup, heading: string): string {
	if (tools.length === 0) return '';
	return `\n\n${heading}\n${tools.map(({ name, intent, description }) => `- ${name}: ${intent || description.slice(0, 200)}`).join('\n')}`;
}

function documentsOf({ context, mark, language }: PlannerSetup): string {
	return context.trim() === '' ? '' : `\n\n${plannerPromptsIn(language).documents}\n${fenced(mark, context)}`;
}

const strings = { type: 'array', items: { type: 'string' } };

const SCHEMA: JsonSchema = {
	type: 'object',
	properties: {
		steps: {
			type: 'array',
			items: {
				type: 'object',
				properties: { id: { type: 'string' }, title: { type: 'string' }, task: { type: 'string' }, depends_on: strings, tools: strings, success: { type: 'string' } },
				required: ['id', 'title', 'task', 'depends_on', 'tools', 'success'],
				additionalProperties: false,
			},
		},
	},
	required: ['steps'],
	additionalProperties: false,
};
