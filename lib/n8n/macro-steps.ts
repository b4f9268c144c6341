import type { EngineRequest, EngineResponse, IDataObject, IExecuteFunctions, INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import type { Tool, ToolOutput } from '../core/tool';
import { validateInput } from '../shape/validate-input';
import { parseTolerant } from '../text/tolerant-json';
import { macroTool, nextTurn, stepFailed, valueOf, type MacroDefinition, type MacroStep } from '../toolkits/macro-tool';
import { asRecord } from './as-record';
import { toolsByName, type ConnectedTool } from './connected-tools';
import { returnedCalls, toAction, type Action } from './engine-calls';
import { toNodeError } from './to-node-error';
import { CALL_ID_PREFIX, readToolItem, toToolItems } from './tool-item';

/** The Macro Tool over n8n's engine: each step is an action, so a visible run of the tool's own node; one step at a time. */

/** Where an item's macro stands between two calls of the node; plain JSON. */
interface Progress {
	readonly input: Record<string, unknown>;
	readonly results: Record<string, unknown>;
	readonly callId: string;
	readonly output?: ToolOutput;
}

interface Macro {
	readonly definition: MacroDefinition;
	readonly tool: Tool;
	readonly members: ReadonlyMap<string, ConnectedTool>;
	readonly tools: readonly Tool[];
}

/** The macro of a node's fields over its connected tools. @throws BAD_INPUT for what cannot run */
export async function readMacro(ctx: ISupplyDataFunctions | IExecuteFunctions, itemIndex: number): Promise<Macro> {
	const rows = asRecord(ctx.getNodeParameter('steps', itemIndex, {})).rows;
	const steps = (Array.isArray(rows) ? rows : []).map((row, at) => readStep(asRecord(row), at));
	const definition = {
		name: String(ctx.getNodeParameter('toolName', itemIndex, '') ?? '').trim(),
		intent: String(ctx.getNodeParameter('intent', itemIndex, '') ?? '').trim(),
		steps,
	};
	const members = await toolsByName(ctx, itemIndex);
	const tools = [...members].map(([name, { tool }]) => ({ ...tool, name }));
	return { definition, members, tools, tool: macroTool(definition, tools) };
}

function readStep(row: Record<string, unknown>, at: number): MacroStep {
	const tool = String(row.tool ?? '').trim();
	const written = row.arguments ?? '{}';
	const read = typeof written === 'string' ? (written.trim() === '' ? {} : parseTolerant(written)) : written;
	if (typeof read !== 'object' || read === null || Array.isArray(read)) {
		throw new CodedError('BAD_INPUT', `The arguments of step ${at + 1} are not a JSON object: ${String(written).slice(0, 80)}`);
	}
	return { id: String(row.name ?? '').trim() || tool, tool, arguments: read as Record<string, unknown> };
}

/** Runs or goes on: takes in the results of the last round, then sends the next step of each item, until all have ended. */
export async function runMacroItems(ctx: IExecuteFunctions, response: EngineResponse | undefined): Promise<INodeExecutionData[][] | EngineRequest> {
	const kept = asRecord(response?.metadata).items as Progress[] | undefined;
	const returned = response ? returnedCalls(response) : [];
	const items: Progress[] = [];
	const actions: Action[] = [];
	for (const [itemIndex, item] of ctx.getInputData().entries()) {
		try {
			const macro = await readMacro(ctx, itemIndex);
			const before = kept?.[itemIndex] ?? begin(macro, item);
			const answered = returned.find((call) => call.itemIndex === itemIndex)?.result;
			const after = answered ? take(macro, before, answered) : before;
			const next = goOn(macro, after, itemIndex);
			items.push(next.progress);
			if (next.action) actions.push(next.action);
			if (next.progress.output?.isError) throw new CodedError('UPSTREAM', next.progress.output.text);
		} catch (error) {
			throw toNodeError(ctx.getNode(), error, itemIndex);
		}
	}
	if (actions.length > 0) return { actions, metadata: { items } as unknown as IDataObject as never };
	return [items.flatMap(({ output }, itemIndex) => toToolItems(output ?? { text: '' }, itemIndex))];
}

function begin({ tool }: Macro, { json }: INodeExecutionData): Progress {
	const call = readToolItem(json, [tool]);
	const checked = validateInput(tool.inputSchema, call.input);
	if (!checked.ok) throw new CodedError('BAD_INPUT', checked.message);
	return { input: checked.value, results: {}, callId: call.callId };
}

/** The result of the step that was open. */
function take({ definition }: Macro, progress: Progress, result: ToolOutput): Progress {
	const step = definition.steps.find(({ id }) => !Object.hasOwn(progress.results, id));
	if (!step || progress.output) return progress;
	if (result.isError) return { ...progress, output: stepFailed(definition.steps, step, result.text) };
	return { ...progress, results: { ...progress.results, [step.id]: valueOf(result) } };
}

function goOn({ definition, members, tools }: Macro, progress: Progress, itemIndex: number): { progress: Progress; action?: Action } {
	if (progress.output) return { progress };
	const turn = nextTurn(definition.steps, tools, { input: progress.input, steps: progress.results });
	if (turn.done) return { progress: { ...progress, output: turn.output } };
	const connected = members.get(turn.step.tool);
	if (!connected) return { progress: { ...progress, output: stepFailed(definition.steps, turn.step, 'its tool is no longer connected.') } };
	const key = `${progress.callId.replace(CALL_ID_PREFIX, '')}/${itemIndex}.${turn.step.id}`;
	return { progress, action: toAction(connected, { callId: key, input: turn.input, itemIndex }, key) };
}
