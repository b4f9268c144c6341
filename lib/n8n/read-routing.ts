import type { IDataObject, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { readIntentMap, type IntentMap } from '../routing/intent-map';
import type { RouteOptions } from '../routing/tool-router';
import { areaFolder } from '../storage/paths';
import { asRecord } from './as-record';
import { connectedEmbedder } from './connected';
import { portsOf } from './ports';

type NodeContext = ISupplyDataFunctions | IExecuteFunctions;

/** What the Tool Router's fields say, with the connected encoder. */
export async function readRouting(ctx: NodeContext, itemIndex: number): Promise<RouteOptions> {
	const options = ctx.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const embedder = await connectedEmbedder(ctx, itemIndex);
	const signal = ctx.getExecutionCancelSignal();
	return {
		topK: ctx.getNodeParameter('topK', itemIndex, 8) as number,
		passthroughUpTo: numberOr(options.passthroughUpTo, 12),
		...(typeof options.minRelevance === 'number' && { minRelevance: options.minRelevance }),
		alwaysOn: listOf(options.alwaysOn),
		tags: listOf(options.tags),
		history: historyText(options.history),
		intents: readIntents(ctx, itemIndex),
		vectorsFolder: areaFolder('tool-vectors'),
		log: portsOf(ctx).log,
		...(embedder && { embedder }),
		...(signal && { signal }),
	};
}

/** The IntentMap of a node: its table, or JSON. */
export function readIntents(ctx: NodeContext, itemIndex: number): IntentMap {
	const from = ctx.getNodeParameter('intentsFrom', itemIndex, 'tools') as string;
	if (from === 'json') return readIntentMap(ctx.getNodeParameter('intentsJson', itemIndex, ''));
	if (from !== 'table') return new Map();
	return readIntentMap(asRecord(ctx.getNodeParameter('intents', itemIndex, {})).rows ?? []);
}

function numberOr(value: unknown, otherwise: number): number {
	return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function listOf(value: unknown): string[] {
	if (Array.isArray(value)) return value.map(String);
	return String(value ?? '').split(/[,\n]/).map((entry) => entry.trim()).filter(Boolean);
}

/** The last turns as one text; lists of messages in the usual forms are read. */
function historyText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	if (!Array.isArray(value)) {
		throw new CodedError('BAD_INPUT', `The history is neither text nor a list of messages but ${typeof value}`, {
			remedy: 'Give the text of the last turns, or a list of {role, content}.',
		});
	}
	const texts = value.map((entry) => {
		const { content, text, message } = asRecord(entry);
		return typeof entry === 'string' ? entry : String(content ?? text ?? message ?? '');
	});
	return texts.slice(-4).join('\n');
}
