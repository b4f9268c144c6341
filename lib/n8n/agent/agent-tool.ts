import { nodeNameToToolName, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../../core/errors';
import type { SharedBudget, Tool, ToolContext, ToolOutput } from '../../core/tool';
import { callableTools } from '../../react/admit-tools';
import { usages } from '../../react/agent-state';
import { budgetLeft } from '../../react/budget-left';
import { costOf } from '../../react/price';
import { memoryResultStore } from '../../react/result-store';
import { runAgent, type AgentOutcome } from '../../react/run-agent';
import { runToolCalls } from '../../react/run-tool-calls';
import { startRun } from '../../react/start-run';
import { readToolItem, responseOf } from '../tool-item';
import type { AgentHost } from './agent-items';
import type { EndedItem } from './item-output';
import { setUpItem } from './item-setup';
import { readAgentParameters, type AgentParameters, type Task } from './parameters';

/**
 * An agent as a tool of another agent. Over n8n's engine its own calls are visible runs (`agentToolHost`); where only
 * `supplyData` is used, it runs in one go, its tools in parallel (`agentTool(...).run`).
 */

/** Time for one tool in direct mode; over the engine our own tools keep their own limits. */
const TOOL_TIMEOUT_MS = 60_000;

/** The tool that a ReAct Agent Tool node supplies, named after the node. */
export function agentTool(ctx: ISupplyDataFunctions, itemIndex: number): Tool {
	return { ...definition(ctx, itemIndex), run: async (input, context) => await runDirect(ctx, itemIndex, { input, context }) };
}

/** How the node runs over n8n's engine. */
export const agentToolHost: AgentHost = {
	isRoot: false,
	readParameters: readTask,
	toItem: (_input, itemIndex, ended) => toToolItem(itemIndex, ended),
};

function definition(ctx: ISupplyDataFunctions | IExecuteFunctions, itemIndex: number): Omit<Tool, 'run'> {
	const intent = String(ctx.getNodeParameter('intent', itemIndex, '')).trim();
	if (intent === '') {
		throw new CodedError('BAD_INPUT', 'This agent has no intent', {
			remedy: 'Say in "What It Is For" when another agent should call it.',
		});
	}
	return {
		name: nodeNameToToolName(ctx.getNode()),
		intent,
		description: `${intent} It is an agent with tools of its own: give it one complete task.`,
		inputSchema: {
			type: 'object',
			properties: {
				task: { type: 'string', minLength: 1, description: 'The task, with all that is needed to do it.' },
				context: { type: 'string', description: 'Text that helps with the task, for example what was found so far.' },
			},
			required: ['task'],
			additionalProperties: false,
		},
		tags: ['agent'],
		isAgent: true,
	};
}

function readTask(ctx: IExecuteFunctions, itemIndex: number, begun?: Task): AgentParameters {
	const { json } = ctx.getInputData()[itemIndex] ?? { json: {} };
	const tool: Tool = { ...definition(ctx, itemIndex), run: async () => ({ text: '' }) };
	const { input, budget } = readToolItem(json, [tool]);
	return withBudget(ctx, begun ? readAgentParameters(ctx, itemIndex, begun) : parametersFor(ctx, itemIndex, input), budget);
}

function parametersFor(
	ctx: IExecuteFunctions | ISupplyDataFunctions,
	itemIndex: number,
	input: Record<string, unknown>,
): AgentParameters {
	const text = (value: unknown): string => (typeof value === 'string' ? value : '');
	return readAgentParameters(ctx, itemIndex, { query: text(input.task), context: text(input.context) });
}

/** An agent never has more than what its caller has left, and never calls one that is waiting for it. */
function withBudget(
	ctx: IExecuteFunctions | ISupplyDataFunctions,
	parameters: AgentParameters,
	budget: SharedBudget | undefined,
): AgentParameters {
	if (!budget) return parameters;
	const { name } = ctx.getNode();
	if (budget.path.includes(name)) {
		throw new CodedError('BAD_INPUT', `${name} is already at work on this: ${[...budget.path, name].join(' → ')}`, {
			remedy: 'Let each agent do its own part, or give the task to another one.',
		});
	}
	const { limits } = parameters;
	return {
		...parameters,
		path: budget.path,
		limits: {
			...limits,
			maxTokens: Math.min(limits.maxTokens, budget.maxTokens ?? Infinity),
			maxSeconds: Math.min(limits.maxSeconds, budget.maxSeconds ?? Infinity),
			maxCost: Math.min(limits.maxCost, budget.maxCost ?? Infinity),
		},
	};
}

function toToolItem(itemIndex: number, { end, run }: EndedItem): INodeExecutionData {
	const usage = { in: run.usage.in, out: run.usage.out, cost: run.usage.cost };
	const output: ToolOutput = end.error
		? { text: end.error.message, isError: true, usage }
		: { text: end.answer, ...(end.value !== undefined && { data: end.value }), usage };
	return { json: { ...responseOf(output), run: run as unknown as IDataObject }, pairedItem: { item: itemIndex } };
}

async function runDirect(
	ctx: ISupplyDataFunctions,
	itemIndex: number,
	{ input, context }: { input: Record<string, unknown>; context: ToolContext },
): Promise<ToolOutput> {
	const parameters = withBudget(ctx, parametersFor(ctx, itemIndex, input), context.budget);
	const { setup } = await setUpItem(ctx, { itemIndex, parameters, spentMs: 0 });
	const direct = { ...setup, results: memoryResultStore(), signal: AbortSignal.any([setup.signal, context.signal]) };
	const today = `${new Date(setup.ports.clock.now()).toISOString().slice(0, 10)} (${ctx.getTimezone()})`;
	const { instructions, query, context: documents, history, plansFirst } = parameters;
	const state = await startRun(direct, { instructions, query, context: documents, history, today, plansFirst });
	const tools = callableTools(direct);
	const callers = [...parameters.path, ctx.getNode().name];
	const run = runAgent(direct, state, async (calls, now) => {
		const agents = calls.filter(({ name }) => tools.find((tool) => tool.name === name)?.isAgent).length;
		const budget = budgetLeft(direct, now, callers, Math.max(1, agents));
		return await runToolCalls(tools, calls, { ports: direct.ports, signal: direct.signal, timeoutMs: TOOL_TIMEOUT_MS, budget });
	});
	return outputOf(await drain(run), parameters);
}

async function drain(run: ReturnType<typeof runAgent>): Promise<AgentOutcome> {
	for (;;) {
		const next = await run.next();
		if (next.done) return next.value;
	}
}

function outputOf(outcome: AgentOutcome, { prices }: Pick<AgentParameters, 'prices'>): ToolOutput {
	if (outcome.kind === 'suspended') throw new CodedError('INTERNAL', 'The agent stopped with calls open');
	const { end, state } = outcome;
	const sum = (key: 'in' | 'out'): number => usages(state).reduce((total, usage) => total + (usage[key] ?? 0), 0);
	const usage = { in: sum('in'), out: sum('out'), cost: costOf(state, prices) };
	if (end.error) return { text: end.error.message, isError: true, usage };
	return { text: end.answer, ...(end.value !== undefined && { data: end.value }), usage };
}
