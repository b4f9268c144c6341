import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCodedError, messageOf } from '../core/errors';
import { toNodeError } from './to-node-error';

/**
 * Runs `fn` for each input item in order and pairs what it gives with that item.
 *
 * `fn` may give one json object or whole items; items keep a pairedItem of their own. When it throws and the node is set to
 * continue, the item carries `error` (what happened) and `message` (what to change), and the other items go on; otherwise
 * the first error ends the node, naming its item. No input items give [].
 */
export async function eachItem(
	ctx: IExecuteFunctions,
	fn: (itemIndex: number) => Promise<IDataObject | INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < ctx.getInputData().length; itemIndex++) {
		try {
			output.push(...paired(await fn(itemIndex), itemIndex));
		} catch (error) {
			if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
			output.push(failedItem(error, itemIndex));
		}
	}
	return output;
}

/** The item that stands for a failed one: n8n sends it to the error output when the node has one. */
export function failedItem(error: unknown, itemIndex: number): INodeExecutionData {
	const remedy = isCodedError(error) ? error.remedy : undefined;
	return { json: { error: messageOf(error), ...(remedy && { message: remedy }) }, pairedItem: { item: itemIndex } };
}

function paired(given: IDataObject | INodeExecutionData[], itemIndex: number): INodeExecutionData[] {
	const items = Array.isArray(given) ? given : [{ json: given }];
	return items.map((item) => ({ ...item, pairedItem: item.pairedItem ?? { item: itemIndex } }));
}
