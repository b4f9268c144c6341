import type { IExecuteFunctions } from 'n8n-workflow';

import { raise } from '../../core/errors';
import type { ConversationMemory } from '../../core/memory';
import type { RunReport } from '../../core/run';
import type { ToolFile, ToolOutput } from '../../core/tool';
import { callableTools } from '../../react/admit-tools';
import { decide } from '../../react/approval';
import { openCalls, withResults, type AgentState, type OpenCall } from '../../react/agent-state';
import { observe } from '../../react/observe';
import { READ_RESULT } from '../../react/read-result';
import { promptsIn } from '../../react/prompts';
import { runReport } from '../../react/report';
import { runAgent, type AgentEnd } from '../../react/run-agent';
import { rememberedTurn } from '../../react/remembered-turn';
import { startRun } from '../../react/start-run';
import { connectedMemory } from '../connected';
import { withFileNotes, type ReturnedCall } from '../engine-calls';
import { pendingPlace } from '../storage';
import { toNodeError } from '../to-node-error';
import { checkedReport } from './checked-report';
import { decisionOf, endsWith, isSetToEnd, keepQuestion, takeQuestion } from './ask-person';
import type { EndedItem } from './item-output';
import { narrowed, setUpItem, unknownNames, type ItemSetup } from './item-setup';
import type { AgentParameters, ResumeParameters } from './parameters';
import type { AdvancedItem, BegunItem, ItemProgress, RunningItem } from './progress';
import { streamedRun } from './streamed-run';

/** One item's part in one call of the node. */
export interface ItemTurn {
	readonly itemIndex: number;
	readonly parameters: AgentParameters;
	readonly isRoot: boolean;
	readonly progress: ItemProgress | undefined;
	readonly returned: readonly ReturnedCall[];
}

/** Takes the results in and runs on, until the run ends, or waits for calls. Throws CodedError for what ends the item. */
export async function advanceItem(ctx: IExecuteFunctions, turn: ItemTurn): Promise<AdvancedItem> {
	const { itemIndex, parameters, progress, returned } = turn;
	const spentMs = progress?.status === 'running' ? progress.state.spentMs : 0;
	const itemSetup = await setUpItem(ctx, { itemIndex, parameters, spentMs });
	const given: Item = { ctx, itemIndex, parameters, itemSetup, isRoot: turn.isRoot };
	const { giveBack, ...running }: BegunItem = progress?.status === 'running' ? progress : await beginItem(given);
	const item: Item = { ...given, itemSetup: narrowed(itemSetup, running.state.allowed) };
	try {
		const state = withoutForbidden(item.itemSetup, await takeIn(item, running.state, returned));
		const files = [...running.files, ...returned.flatMap((call) => call.files)];
		const advanced = await runOn(item, { ...running, state, files });
		if (advanced.hasFailed) await giveBack?.();
		return advanced;
	} catch (error) {
		await giveBack?.();
		return raise(error);
	}
}

/** An open call of a tool that this item may not use, or not any more, is answered here and never sent. */
function withoutForbidden({ setup }: ItemSetup, state: AgentState): AgentState {
	const allowed = new Set([...callableTools(setup).map(({ name }) => name), READ_RESULT]);
	const text = 'This tool is not allowed here. The call was not made.';
	const refused = openCalls(state).filter(({ name }) => !allowed.has(name));
	return withResults(state, new Map(refused.map(({ callId }) => [callId, { isError: true, durationMs: null, text }])));
}

async function runOn(item: Item, from: RunningItem): Promise<AdvancedItem> {
	const { ctx, itemIndex, parameters, itemSetup, isRoot } = item;
	const streams = isRoot && ctx.isStreaming();
	const outcome = await streamedRun(ctx, { itemIndex, streams, ...parameters.stream }, runAgent(itemSetup.setup, from.state));
	const after: RunningItem = { ...from, state: outcome.state };
	if (outcome.kind === 'ended') return { progress: await endItem(item, after, outcome.end), hasFailed: outcome.end.error !== undefined };
	const asks = outcome.calls.filter((call) => endsWith(itemSetup, call));
	const [ask] = asks;
	if (!ask) return { progress: after, setup: itemSetup };
	if (!isRoot) return await runOn(item, { ...after, state: await withoutPerson(itemSetup, after.state, asks) });
	return asks.length < outcome.calls.length ? { progress: after, setup: itemSetup } : { progress: await endWithQuestion(item, after, ask) };
}

/** An agent that is a tool cannot end its run with a question: the model is told so. */
async function withoutPerson({ setup }: ItemSetup, state: AgentState, asks: readonly OpenCall[]): Promise<AgentState> {
	const text = promptsIn(setup.language).cannotAsk;
	const results = asks.map(({ callId, name }) => ({ callId, name, text, isError: true, durationMs: null }));
	return await observe(setup, state, results);
}

interface Item {
	readonly ctx: IExecuteFunctions;
	readonly itemIndex: number;
	readonly parameters: AgentParameters;
	readonly itemSetup: ItemSetup;
	readonly isRoot: boolean;
}

async function beginItem(item: Item): Promise<BegunItem> {
	const { resume } = item.parameters;
	return resume ? await resumeItem(item, resume) : await startItem(item);
}

/** Only a root agent has a memory. */
async function memoryOf({ ctx, itemIndex, isRoot }: Item): Promise<ConversationMemory | undefined> {
	return isRoot ? await connectedMemory(ctx, itemIndex) : undefined;
}

async function startItem(item: Item): Promise<RunningItem> {
	const { ctx, itemIndex, parameters, itemSetup, isRoot } = item;
	// A storage that cannot be used is told before the work, not after it.
	if (isRoot && isSetToEnd(itemSetup)) await pendingPlace(ctx, itemIndex);
	const remembered = parameters.startsFresh ? [] : ((await (await memoryOf(item))?.load()) ?? []);
	const timezone = ctx.getTimezone();
	const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
	const state = await startRun(itemSetup.setup, {
		instructions: parameters.instructions,
		query: parameters.query,
		context: parameters.context,
		history: [...remembered, ...parameters.history],
		today: `${day.format(itemSetup.setup.ports.clock.now())} (${timezone})`,
		plansFirst: parameters.plansFirst,
	});
	const warnings = [...state.warnings, ...unknownNames(itemSetup, parameters)];
	return { status: 'running', query: parameters.query, state: { ...state, warnings, ...(parameters.allowedTools && { allowed: parameters.allowedTools }) }, files: [] };
}

async function resumeItem({ ctx, itemIndex, itemSetup }: Item, resume: ResumeParameters): Promise<BegunItem> {
	const { setup } = itemSetup;
	const { state, query, callId, kind, giveBack } = await takeQuestion(itemSetup, await pendingPlace(ctx, itemIndex), resume);
	const at = new Date(setup.ports.clock.now()).toISOString();
	const note = resume.answer;
	const by = resume.by === '' ? {} : { by: resume.by };
	const edited = resume.arguments ? { arguments: resume.arguments } : {};
	const taken =
		kind === 'approval'
			? decide(setup, state, callId, { approved: resume.approved, at, ...by, ...edited, ...(note !== '' && { note }) })
			: await observe(setup, state, [{ callId, name: 'ask_user', text: resume.answer, isError: false, durationMs: null }]);
	return { status: 'running', query, state: taken, files: [], giveBack };
}

/** Results become observations, answers of approvals decisions. */
async function takeIn(item: Item, given: AgentState, returned: readonly ReturnedCall[]): Promise<AgentState> {
	const { setup } = item.itemSetup;
	let state = given;
	for (const answer of returned) {
		if (answer.asksAbout) state = decide(setup, state, answer.asksAbout, decisionOf(answer, setup.ports.clock.now()));
	}
	const results = returned.filter(({ asksAbout }) => !asksAbout);
	state = { ...state, spentMs: state.spentMs + toolTime(item, results) };
	return await observe(setup, state, await withDirectResults(item, state, results));
}

/** Milliseconds that the tools took while the node stood still; waits for a person do not count. */
function toolTime({ itemSetup }: Item, returned: readonly ReturnedCall[]): number {
	const waiting = new Set([...itemSetup.toolNodes.values()].filter(({ tool }) => tool.waits).map(({ tool }) => tool.name));
	const counted = returned.filter(({ result }) => !waiting.has(result.name));
	return counted.reduce((sum, { result }) => sum + (result.durationMs ?? 0), 0);
}

const ranDirectly = new Map<string, Promise<ToolOutput>>();
const MOST_REMEMBERED = 500;

/**
 * Retry On Fail calls the node again at once, in this process, with the same results: what ran here must not run a second time. The
 * run's mark tells the rounds of a loop apart, whose calls may have the same ids.
 */
async function onceARun(ctx: IExecuteFunctions, [mark, actionId]: readonly string[], run: () => Promise<ToolOutput>): Promise<ToolOutput> {
	const key = JSON.stringify([ctx.getExecutionId(), ctx.getNode().name, mark, actionId]);
	const known = ranDirectly.get(key);
	if (known) return await known;
	if (ranDirectly.size >= MOST_REMEMBERED) ranDirectly.clear();
	const running = run();
	ranDirectly.set(key, running);
	return await running;
}

/** Tools whose node has no `execute` are run here, through what the node supplied. */
async function withDirectResults(
	item: Item,
	state: AgentState,
	returned: readonly ReturnedCall[],
): Promise<ReturnedCall['result'][]> {
	const { ctx } = item;
	const { toolNodes, setup } = item.itemSetup;
	const open = openCalls(state);
	return await Promise.all(
		returned.map(async (back) => {
			const result = { ...withFileNotes(back), ...(await picturesOf(item, back)) };
			const call = open.find(({ callId }) => callId === result.callId);
			const tool = call && toolNodes.get(call.name)?.tool;
			if (!back.notExecutable || !tool) return result;
			const output = await onceARun(ctx, [state.mark, back.actionId], async () => await tool.run(call.input, { signal: setup.signal }));
			return { ...result, ...output, isError: output.isError ?? false };
		}),
	);
}

const MOST_PICTURE_BYTES = 5_000_000;

/** Pictures of a result as the model gets them; only for a model that sees, since they are large. */
async function picturesOf({ ctx, itemSetup }: Item, { files }: ReturnedCall): Promise<{ files?: ToolFile[] }> {
	if (itemSetup.setup.model.capabilities.images !== 'yes') return {};
	const pictures = files.filter(({ mimeType }) => mimeType.startsWith('image/'));
	const read = await Promise.all(
		pictures.map(async ({ id, data, mimeType, fileName }) => {
			const bytes = id ? await ctx.helpers.binaryToBuffer(await ctx.helpers.getBinaryStream(id)) : Buffer.from(data, 'base64');
			return { name: fileName ?? 'picture', mediaType: mimeType, data: bytes.toString('base64') };
		}),
	);
	return { files: read.filter(({ data }) => data.length <= MOST_PICTURE_BYTES) };
}

async function endItem(item: Item, { state, files, query }: RunningItem, end: AgentEnd): Promise<ItemProgress> {
	const { ctx, itemIndex, parameters, itemSetup, isRoot } = item;
	// An agent that is a tool hands its failure to its caller, with the tokens that it took.
	const run = await checkedReport(item, state, end);
	if (end.error && isRoot && !ctx.continueOnFail()) throw withRun(toNodeError(ctx.getNode(), end.error, itemIndex), run);
	const turn = rememberedTurn(state, { query, answer: end.answer });
	return await store(itemSetup, { end: withoutClass(end), run, files, turn, startsFresh: parameters.startsFresh });
}

/** The work so far travels with the error, so that an error workflow can report it. */
function withRun(error: ReturnType<typeof toNodeError>, run: RunReport): typeof error {
	error.context.run = run;
	return error;
}

async function endWithQuestion(item: Item, { state, files, query }: RunningItem, call: OpenCall): Promise<ItemProgress> {
	const { ctx, itemIndex, parameters, itemSetup } = item;
	const question = await keepQuestion({ itemSetup, query, place: await pendingPlace(ctx, itemIndex) }, { state, call });
	const end: AgentEnd = { stoppedBy: question.kind, partial: true, answer: '' };
	const run = await runReport(itemSetup.setup, state, { end, detail: parameters.detail });
	if (ctx.isStreaming()) await streamQuestion(ctx, itemIndex, question.question);
	return await store(itemSetup, { end, run, files, turn: [], startsFresh: false, question });
}

async function streamQuestion(ctx: IExecuteFunctions, itemIndex: number, question: string): Promise<void> {
	await ctx.sendChunk('begin', itemIndex);
	await ctx.sendChunk('item', itemIndex, question);
	await ctx.sendChunk('end', itemIndex);
}

async function store({ setup }: ItemSetup, ended: EndedItem): Promise<ItemProgress> {
	return { status: 'ended', ended: await setup.results.put({ text: JSON.stringify(ended) }) };
}

function withoutClass({ error, ...end }: AgentEnd): EndedItem['end'] {
	return error ? { ...end, error: { message: error.message, ...(error.remedy && { remedy: error.remedy }) } } : end;
}

