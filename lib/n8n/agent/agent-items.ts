/**
 * The ReAct Agent node over n8n's engine: each call of the node advances every item until its run has ended or waits for
 * tools; then the open calls of all items go out as one request, and n8n calls the node again with the results.
 *
 * Between the calls everything needed is in the request's metadata (plain JSON), so another worker can go on.
 */
import type { EngineRequest, EngineResponse, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../core/errors';
import { binaryResultStore } from '../binary-result-store';
import { connectedMemory } from '../connected';
import { returnedCalls, type ReturnedCall } from '../engine-calls';
import { toNodeError } from '../to-node-error';
import { advanceItem } from './advance-item';
import { answeredItem, failedRunItem, type EndedItem } from './item-output';
import { nextActions } from './next-actions';
import { readRootParameters, type AgentParameters, type Task } from './parameters';
import { progressOf, type AdvancedItem, type AgentMetadata, type ItemProgress } from './progress';

/** What differs between the nodes that run an agent over n8n's engine. */
export interface AgentHost {
	/**
	 * @param begun  given when the run goes on
	 * @throws BAD_INPUT naming the field, when one cannot be used
	 */
	readParameters(ctx: IExecuteFunctions, itemIndex: number, begun?: Task): AgentParameters;
	/** A root agent may end its run with a question and streams its answer; an agent that is a tool does neither. */
	readonly isRoot: boolean;
	/** The output item of an ended run. */
	toItem(input: INodeExecutionData, itemIndex: number, ended: EndedItem): INodeExecutionData;
}

const agentNode: AgentHost = { readParameters: readRootParameters, isRoot: true, toItem: answeredItem };

/**
 * Runs or continues the node.
 *
 * @param response  what n8n hands back: no actions on the first call; undefined means a retry that lost the work begun
 * @throws a node error on the first failed item, unless the node goes on after errors
 */
export async function runAgentItems(
	ctx: IExecuteFunctions,
	response: EngineResponse | undefined,
	host: AgentHost = agentNode,
): Promise<INodeExecutionData[][] | EngineRequest> {
	if (response === undefined) throw toNodeError(ctx.getNode(), lostState());
	if (ctx.getWorkflowSettings().executionOrder !== 'v1') throw toNodeError(ctx.getNode(), legacyOrder());
	const returned = returnedCalls(response);
	const before = progressOf(response);
	const advanced = await inBatches(ctx.getInputData().length, itemsAtOnce(ctx), async (itemIndex) => {
		const mine = returned.filter((call) => call.itemIndex === itemIndex);
		return await advanceOrFail(ctx, host, { itemIndex, progress: before[itemIndex], returned: mine });
	});
	const actions = nextActions(advanced, ctx.getNode().name);
	if (actions.length === 0) return [await outputItems(ctx, host, advanced)];
	const metadata: AgentMetadata = { reactengine: 1, items: advanced.map(({ progress }) => progress) };
	return { actions, metadata: metadata as never };
}

function itemsAtOnce(ctx: IExecuteFunctions): number {
	const { itemsAtOnce: wanted } = ctx.getNodeParameter('options', 0, {}) as { itemsAtOnce?: unknown };
	return typeof wanted === 'number' && wanted >= 1 ? Math.floor(wanted) : 1;
}

/** Runs `fn` for 0 … count − 1, at most `atOnce` at a time; results in order. The first error ends it after its batch. */
async function inBatches<T>(count: number, atOnce: number, fn: (index: number) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	for (let start = 0; start < count; start += atOnce) {
		const size = Math.min(atOnce, count - start);
		results.push(...(await Promise.all(Array.from({ length: size }, async (_item, at) => await fn(start + at)))));
	}
	return results;
}

/** In n8n's legacy execution order the engine never starts the tools that are asked for, and says nothing. */
function legacyOrder(): CodedError {
	return new CodedError('BAD_INPUT', "This workflow uses n8n's legacy execution order, in which an agent's tools do not run", {
		remedy: 'Open the workflow settings and set Execution Order to v1 (recommended).',
	});
}

function lostState(): CodedError {
	return new CodedError('INTERNAL', 'The node was started again and n8n did not hand back the work it had begun', {
		remedy: 'Nothing was run twice. Turn Retry On Fail off for this node: it retries model calls by itself; use On Error instead.',
	});
}

async function advanceOrFail(
	ctx: IExecuteFunctions,
	host: AgentHost,
	turn: { itemIndex: number; progress: ItemProgress | undefined; returned: readonly ReturnedCall[] },
): Promise<AdvancedItem> {
	const { progress, itemIndex } = turn;
	if (progress && progress.status !== 'running') return { progress };
	try {
		const begun = progress && { query: progress.query, context: '', hasBegun: true };
		return await advanceItem(ctx, { ...turn, isRoot: host.isRoot, parameters: host.readParameters(ctx, itemIndex, begun) });
	} catch (error) {
		if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, turn.itemIndex);
		const { message, description } = toNodeError(ctx.getNode(), error, turn.itemIndex);
		return { progress: { status: 'failed', message, ...(description && { remedy: description }) } };
	}
}

async function outputItems(
	ctx: IExecuteFunctions,
	host: AgentHost,
	advanced: readonly AdvancedItem[],
): Promise<INodeExecutionData[]> {
	const results = binaryResultStore(ctx);
	const inputs = ctx.getInputData().map((item) => withoutOldFields(ctx, item));
	return await Promise.all(
		advanced.map(async ({ progress }, itemIndex) => {
			const input = inputs[itemIndex] ?? { json: {} };
			const place = { input, itemIndex, isFirst: itemIndex === 0 };
			if (progress.status === 'failed') return failedRunItem(ctx, place, { error: toCoded(progress) });
			if (progress.status === 'running') throw toNodeError(ctx.getNode(), noActionLeft(), itemIndex);
			const ended = JSON.parse((await results.get(progress.ended)).text) as EndedItem;
			if (ended.end.error && host.isRoot) return failedRunItem(ctx, place, { error: toCoded(ended.end.error), ended });
			if (host.isRoot && ended.end.answer !== '') await (await connectedMemory(ctx, itemIndex))?.save(ended.turn, ended.startsFresh);
			return host.toItem(input, itemIndex, ended);
		}),
	);
}

/**
 * The input item without what would be taken for this run's: the question of an earlier run, and with Retry On Fail an `error`
 * field, for which n8n would start the finished node again. That one is kept as `inputError`.
 */
function withoutOldFields(ctx: IExecuteFunctions, item: INodeExecutionData): INodeExecutionData {
	const { question, error, ...json } = item.json;
	const isOurs = typeof question === 'object' && question !== null && 'token' in question;
	const kept = question === undefined || isOurs ? {} : { question };
	const failed = error === undefined ? {} : ctx.getNode().retryOnFail ? { inputError: error } : { error };
	return { ...item, json: { ...json, ...kept, ...failed } };
}

function toCoded({ message, remedy }: { message: string; remedy?: string }): CodedError {
	return new CodedError('UPSTREAM', message, { ...(remedy && { remedy }) });
}

function noActionLeft(): CodedError {
	return new CodedError('INTERNAL', 'A call is open for a tool that is no longer connected', {
		remedy: 'Connect the tool again and run the workflow anew.',
	});
}
