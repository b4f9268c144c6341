import type { AINodeConnectionType, IDataObject, ISupplyDataFunctions } from 'n8n-workflow';

import { raise } from '../core/errors';
import { toNodeError } from './to-node-error';

/**
 * Shows one use of a sub-node as a run of that node on the canvas: its input, then its output or its error.
 *
 * Only for supplyData contexts; calls that n8n's engine runs are shown by n8n itself. Throws what `fn` throws.
 */
export async function logged<T>(
	ctx: ISupplyDataFunctions,
	entry: { type: AINodeConnectionType; input: IDataObject; show: (result: T) => IDataObject },
	fn: () => Promise<T>,
): Promise<T> {
	const { index } = ctx.addInputData(entry.type, [[{ json: entry.input }]]);
	try {
		const result = await fn();
		ctx.addOutputData(entry.type, index, [[{ json: entry.show(result) }]]);
		return result;
	} catch (error) {
		ctx.addOutputData(entry.type, index, toNodeError(ctx.getNode(), error));
		return raise(error);
	}
}
