import type { EngineRequest, EngineResponse, IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../core/errors';
import { openCalls, type AgentState } from '../../react/agent-state';
import { observe } from '../../react/observe';
import { runReport } from '../../react/report';
import { runAgent, type AgentEnd, type AgentOutcome } from '../../react/run-agent';
import { startRun } from '../../react/start-run';
import { asRecord } from '../as-record';
import { binaryResultStore } from '../binary-result-store';
import { connectedMemory } from '../connected';
import { returnedCalls, toAction, withFileNotes, type Action, type ReturnedCall } from '../engine-calls';
import { toNodeError } from '../to-node-error';
import { answeredItem, failedRunItem, type EndedItem } from './item-output';
import { setUpItem, type ItemSetup } from './item-setup';
import { readAgentParameters, type AgentParameters } from './parameters';
import { streamedRun } from './streamed-run';

/**
 * The ReAct Agent node over n8n's engine: each call of the node advances every item until its run has ended or waits for
 * tools; then the open calls of all items go out as one request, and n8n calls the node again with the results.
 *
 * Between the calls everything needed is in the request's metadata (plain JSON), so another worker can go on.
 */

/** Where an item stands between two calls of the node. */
type ItemProgress =
	| { readonly status: 'running'; readonly state: AgentState; readonly files: readonly IBinaryData[] }
	/** `ended` is a handle of the result store. */
	| { readonly status: 'ended'; readonly ended: string }
	| { readonly status: 'failed'; readonly message: string; readonly remedy?: string };

interface Metadata {
	readonly reactengine: 1;
	readonly items: ItemProgress[];
}

/** The calls an item waits for, with what is needed to run them. */
interface Advanced {
	readonly progress: ItemProgress;
	readonly setup?: ItemSetup;
}

/**
 * Runs or continues the node.
 *
 * @param response  what n8n hands back: no actions on the first call; undefined means a retry that lost the work begun
 * @throws a node error on the first failed item, unless the node goes on after errors
 */
export async function runAgentItems(
	ctx: IExecuteFunctions,
	response: EngineResponse | undefined,
): Promise<INodeExecutionData[][] | EngineRequest> {
	if (response === undefined) throw toNodeError(ctx.getNode(), lostState());
	const returned = returnedCalls(response);
	const before = progressOf(response);
	const advanced: Advanced[] = [];
	for (let itemIndex = 0; itemIndex < ctx.getInputData().length; itemIndex++) {
		const mine = returned.filter((call) => call.itemIndex === itemIndex);
		advanced.push(await advanceOrFail(ctx, { itemIndex, progress: before[itemIndex], returned: mine }));
	}
	const actions = nextActions(advanced);
	if (actions.length === 0) return [await outputItems(ctx, advanced)];
	const metadata: Metadata = { reactengine: 1, items: advanced.map(({ progress }) => progress) };
	return { actions, metadata: metadata as never };
}

function lostState(): CodedError {
	return new CodedError('INTERNAL', 'The node was started again and n8n did not hand back the work it had begun', {
		remedy: 'Nothing was run twice. Turn Retry On Fail off for this node: it retries model calls by itself; use On Error instead.',
	});
}

function progressOf(response: EngineResponse): ItemProgress[] {
	const { items } = asRecord(response.metadata) as Partial<Metadata>;
	return items ?? [];
}

interface Turn {
	readonly itemIndex: number;
	readonly progress: ItemProgress | undefined;
	readonly returned: readonly ReturnedCall[];
}

async function advanceOrFail(ctx: IExecuteFunctions, turn: Turn): Promise<Advanced> {
	if (turn.progress && turn.progress.status !== 'running') return { progress: turn.progress };
	try {
		return await advance(ctx, turn);
	} catch (error) {
		if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, turn.itemIndex);
		const { message, description } = toNodeError(ctx.getNode(), error, turn.itemIndex);
		return { progress: { status: 'failed', message, ...(description && { remedy: description }) } };
	}
}

async function advance(ctx: IExecuteFunctions, { itemIndex, progress, returned }: Turn): Promise<Advanced> {
	const parameters = readAgentParameters(ctx, itemIndex);
	const itemSetup = await setUpItem(ctx, itemIndex, parameters);
	const { setup } = itemSetup;
	const begun = progress?.status === 'running' ? progress : undefined;
	const files = [...(begun?.files ?? []), ...returned.flatMap((call) => call.files)];
	const state = begun
		? await observe(setup, begun.state, await withDirectResults(itemSetup, begun.state, returned))
		: await start(ctx, { itemIndex, parameters, itemSetup });
	const outcome = await streamedRun(ctx, { itemIndex, stream: parameters.stream }, runAgent(setup, state));
	if (outcome.kind === 'suspended') {
		return { progress: { status: 'running', state: outcome.state, files }, setup: itemSetup };
	}
	return { progress: await endItem(ctx, { itemIndex, parameters, itemSetup }, { outcome, files }) };
}

interface ItemRun {
	readonly itemIndex: number;
	readonly parameters: AgentParameters;
	readonly itemSetup: ItemSetup;
}

async function start(ctx: IExecuteFunctions, { itemIndex, parameters, itemSetup }: ItemRun): Promise<AgentState> {
	const memory = await connectedMemory(ctx, itemIndex);
	const remembered = (await memory?.load()) ?? [];
	const timezone = ctx.getTimezone();
	const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
	return await startRun(itemSetup.setup, {
		instructions: parameters.instructions,
		query: parameters.query,
		context: parameters.context,
		history: [...remembered, ...parameters.history],
		today: `${day.format(itemSetup.setup.ports.clock.now())} (${timezone})`,
	});
}

/** Tools whose node has no `execute` are run here, through what the node supplied. */
async function withDirectResults(
	{ toolNodes, setup }: ItemSetup,
	state: AgentState,
	returned: readonly ReturnedCall[],
): Promise<ReturnedCall['result'][]> {
	const open = openCalls(state);
	return await Promise.all(
		returned.map(async (back) => {
			const result = withFileNotes(back);
			const call = open.find(({ callId }) => callId === result.callId);
			const tool = call && toolNodes.get(call.name)?.tool;
			if (!back.notExecutable || !tool) return result;
			const output = await tool.run(call.input, { signal: setup.signal });
			return { ...result, ...output, isError: output.isError ?? false };
		}),
	);
}

async function endItem(
	ctx: IExecuteFunctions,
	{ itemIndex, parameters, itemSetup }: ItemRun,
	{ outcome, files }: { outcome: Extract<AgentOutcome, { kind: 'ended' }>; files: readonly IBinaryData[] },
): Promise<ItemProgress> {
	const { end, state } = outcome;
	if (end.error && !ctx.continueOnFail()) throw toNodeError(ctx.getNode(), end.error, itemIndex);
	const run = await runReport(itemSetup.setup, state, { end, detail: parameters.detail });
	if (end.answer !== '') await (await connectedMemory(ctx, itemIndex))?.save(parameters.query, end.answer);
	const ended: EndedItem = { end: withoutClass(end), run, files };
	return { status: 'ended', ended: await itemSetup.setup.results.put({ text: JSON.stringify(ended) }) };
}

function withoutClass({ error, ...end }: AgentEnd): EndedItem['end'] {
	return error ? { ...end, error: { message: error.message, ...(error.remedy && { remedy: error.remedy }) } } : end;
}

/**
 * The actions to send now: all open calls of all items that do not wait for a person; when only such are left, the first of
 * them alone, since n8n answers just one wait of a request.
 */
function nextActions(advanced: readonly Advanced[]): Action[] {
	const open = advanced.flatMap(({ progress, setup }, itemIndex) => {
		if (progress.status !== 'running' || !setup) return [];
		const turn = progress.state.turns.length;
		return openCalls(progress.state).flatMap((call, position) => {
			const connected = setup.toolNodes.get(call.name);
			if (!connected) return [];
			const action = toAction(connected, { ...call, itemIndex }, `${itemIndex}.${turn}.${position}.${call.callId}`);
			return [{ action, waits: connected.tool.waits === true }];
		});
	});
	const free = open.filter(({ waits }) => !waits);
	return (free.length > 0 ? free : open.slice(0, 1)).map(({ action }) => action);
}

async function outputItems(ctx: IExecuteFunctions, advanced: readonly Advanced[]): Promise<INodeExecutionData[]> {
	const results = binaryResultStore(ctx);
	const inputs = ctx.getInputData();
	return await Promise.all(
		advanced.map(async ({ progress }, itemIndex) => {
			const input = inputs[itemIndex] ?? { json: {} };
			const place = { input, itemIndex, isFirst: itemIndex === 0 };
			if (progress.status === 'failed') return failedRunItem(ctx, place, { error: toCoded(progress) });
			if (progress.status === 'running') throw toNodeError(ctx.getNode(), noActionLeft(), itemIndex);
			const ended = JSON.parse((await results.get(progress.ended)).text) as EndedItem;
			if (ended.end.error) return failedRunItem(ctx, place, { error: toCoded(ended.end.error), ended });
			return answeredItem(input, itemIndex, ended);
		}),
	);
}

function toCoded({ message, remedy }: { message: string; remedy?: string }): CodedError {
	return new CodedError('UPSTREAM', message, { ...(remedy && { remedy }) });
}

function noActionLeft(): CodedError {
	return new CodedError('INTERNAL', 'A call is open for a tool that is no longer connected', {
		remedy: 'Connect the tool again and run the workflow anew.',
	});
}
