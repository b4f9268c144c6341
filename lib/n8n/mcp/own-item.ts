import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../../core/errors';
import { CALL_ID_PREFIX } from '../tool-item';
import { trustedItems } from '../trusted-items';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/** Parameters that decide where a secret goes and whose it is. */
const SENSITIVE = ['url', 'token', 'authentication', 'transport'];

/**
 * Refuses a call in which an argument of the model stands where an expression reads a field of the item.
 *
 * n8n's own agents spread a call's arguments over the item, so a model could choose the address or the tenant. Our agents keep
 * them apart.
 *
 * @throws CodedError BAD_INPUT that names the field
 */
export function assertOwnItem(ctx: NodeContext, itemIndex: number): void {
	const { parameters } = ctx.getNode();
	const expressions = SENSITIVE.map((name) => parameters[name]).filter((value) => typeof value === 'string' && value.startsWith('=')).join('\n');
	const item = (ctx.getInputData(0, 'main') as Array<{ json: Record<string, unknown> }>)[itemIndex]?.json ?? {};
	const callId = typeof item.toolCallId === 'string' ? item.toolCallId : '';
	if (expressions === '' || callId === '' || callId.startsWith(CALL_ID_PREFIX)) return;
	const read = Object.keys(item).filter((key) => expressions.includes(key));
	const trusted = trustedItems(ctx, itemIndex, 'tool').map(({ json }) => json as Record<string, unknown>);
	const isOwn = trusted.some((json) => read.every((key) => JSON.stringify(json[key]) === JSON.stringify(item[key])));
	if (read.length === 0 || isOwn) return;
	throw new CodedError('BAD_INPUT', `The fields ${read.join(', ')} of this call's item may come from the model, and address or token are read from them.`, {
		remedy: 'Use ReAct Agent, which keeps arguments apart from the item, or enter address and token without expressions.',
	});
}
