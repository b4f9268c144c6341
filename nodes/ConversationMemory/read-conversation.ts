import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { conversation, DEFAULT_WINDOW, type OpenConversation, type WindowLimits } from '../../lib/chat/conversation';
import type { ConversationKey, MemoryStore } from '../../lib/chat/memory-store';
import { openMemory } from '../../lib/chat/open-memory';
import { connectedModels } from '../../lib/n8n/connected';
import { memoryKey } from '../../lib/n8n/memory-key';
import { portsOf } from '../../lib/n8n/ports';
import { memoryPlace } from '../../lib/n8n/storage';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

function readLimits(ctx: NodeContext, itemIndex: number): WindowLimits {
	const read = (name: string, fallback: number): number => ctx.getNodeParameter(name, itemIndex, fallback) as number;
	return {
		turns: Math.max(1, Math.floor(read('turns', DEFAULT_WINDOW.turns))),
		maxTokens: Math.max(1, read('maxTokens', DEFAULT_WINDOW.maxTokens)),
		maxSummaryTokens: Math.max(20, read('options.maxSummaryTokens', DEFAULT_WINDOW.maxSummaryTokens)),
	};
}

/**
 * The conversation of an item, with the node's limits; nothing is opened before its first use.
 *
 * The function that it gives throws BAD_INPUT when it is not certain whose conversation it is; a key may be given instead.
 */
export async function readConversation(ctx: NodeContext, itemIndex: number): Promise<(key?: ConversationKey) => OpenConversation> {
	const isSupplied = ctx.getNodeParameter('mode', itemIndex, 'memory') === 'memory';
	const [model] = isSupplied ? await connectedModels(ctx, itemIndex) : [];
	const limits = readLimits(ctx, itemIndex);
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	// The place is looked up at the first use: n8n would hide what is wrong with it behind a general message.
	const open = async (): Promise<MemoryStore> => await openMemory(await memoryPlace(ctx, itemIndex));
	return (key = memoryKey(ctx, itemIndex)) => conversation({ key, limits, open, ports: portsOf(ctx), signal, ...(model && { model }) });
}
