/**
 * Whose items a tool works for: the agent's own input items.
 *
 * A tool's item cannot say it. n8n builds it as `{...item of the agent, ...arguments of the model}`, so a model can write any field,
 * also `user`; and `$('Node').item` gives the first item for every call. What cannot be forged is n8n's own record: the agent that
 * waits for this call, with its items and the number of the item that each call belongs to; failing that, the node and run that fed
 * the agent.
 */
import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData, ISourceData, ISupplyDataFunctions } from 'n8n-workflow';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/** n8n's record of an agent that waits for its tools, as far as it is read here. */
interface WaitingAgent {
	readonly data: { readonly main?: ReadonlyArray<readonly INodeExecutionData[] | null> };
	readonly metadata?: {
		readonly preserveSourceOverwrite?: boolean;
		readonly subNodeExecutionData?: {
			readonly actions: ReadonlyArray<{
				readonly nodeName: string;
				readonly action: { readonly id: string; readonly metadata?: { readonly itemIndex?: number } };
			}>;
		};
	};
}

/** Where the items of a tool run come from, as n8n notes it; undefined for other runs. */
function sourceOf(item: INodeExecutionData | undefined): ISourceData | undefined {
	const paired = Array.isArray(item?.pairedItem) ? item.pairedItem[0] : item?.pairedItem;
	return typeof paired === 'object' ? paired.sourceOverwrite : undefined;
}

function waitingAgents(ctx: NodeContext): readonly WaitingAgent[] {
	// Not part of the interface of nodes, but of the object since n8n 1.
	const { runExecutionData } = ctx as { runExecutionData?: IRunExecutionData };
	return (runExecutionData?.executionData?.nodeExecutionStack ?? []) as unknown as WaitingAgent[];
}

/** The items for which an agent of the flow has made this call; an agent that is itself a tool has an item that was forged with. */
function itemsOfCaller(ctx: NodeContext, callId: unknown): INodeExecutionData[] {
	return waitingAgents(ctx).flatMap(({ data, metadata }) => {
		if (metadata?.preserveSourceOverwrite) return [];
		const calls = (metadata?.subNodeExecutionData?.actions ?? []).filter(
			({ nodeName, action }) => nodeName === ctx.getNode().name && action.id === callId,
		);
		return calls.flatMap(({ action }) => data.main?.[0]?.[action.metadata?.itemIndex ?? 0] ?? []);
	});
}

/** All items that fed the agent; [] when the record names the agent itself, as n8n does from its second run on. */
function itemsOfSource(ctx: NodeContext, source: ISourceData, itemIndex: number): INodeExecutionData[] {
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	const isOurAgent = ctx
		.getParentNodes(previousNode, { connectionType: 'ai_tool', depth: -1 })
		.some(({ name }) => name === ctx.getNode().name);
	if (isOurAgent) return [];
	return ctx.getWorkflowDataProxy(itemIndex).$items(previousNode, previousNodeOutput, previousNodeRun) as INodeExecutionData[];
}

/**
 * The items of the flow that a run of this node may be for, as far as n8n itself vouches for it: one when it is certain, several
 * when it is one of them, [] when nothing is known.
 *
 * @param use  `step` in the main flow, `tool` for `execute` as a tool, `supplied` for what `supplyData` gives away: its callers may
 *             use it for any of their items
 */
export function trustedItems(ctx: NodeContext, itemIndex: number, use: 'step' | 'tool' | 'supplied'): INodeExecutionData[] {
	const items = ctx.getInputData(0, 'main') as INodeExecutionData[];
	const item = items[itemIndex] ?? items[0];
	const source = sourceOf(item);
	if (source) {
		const callers = itemsOfCaller(ctx, item?.json.toolCallId);
		return callers.length > 0 ? callers : itemsOfSource(ctx, source, itemIndex);
	}
	if (use === 'tool') return [];
	return use === 'step' && item ? [item] : items;
}
