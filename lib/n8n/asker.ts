import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { askerTokens, readAsker, readNames } from '../rag/rights';
import { asRecord } from './as-record';
import { trustedItems } from './trusted-items';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/** Gives the access tokens of who asks, or throws why they are not certain. Called only when a knowledge base has rights. */
export type ReadAsker = () => readonly string[] | 'all';

/** The value at a path of keys with dots between them; undefined when there is none. */
export function valueAt(json: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, key) => asRecord(value)[key.trim()], json);
}

function tokensFromItems(ctx: NodeContext, itemIndex: number, use: 'step' | 'tool' | 'supplied'): readonly string[] {
	const field = String(ctx.getNodeParameter('options.userField', itemIndex, 'user'));
	const askers = new Map(
		trustedItems(ctx, itemIndex, use).map((item) => {
			const tokens = askerTokens(readAsker(valueAt(item.json, field)));
			return [JSON.stringify(tokens), tokens] as const;
		}),
	);
	const [only] = askers.values();
	if (only && askers.size === 1) return only;
	throw new CodedError(
		'BAD_INPUT',
		askers.size === 0 ? 'It is not certain for whom this search is' : `This search may be for one of ${askers.size} different users`,
		{ remedy: 'Let the agent handle the items of one user at a time, for example in a sub-workflow that is called for each item.' },
	);
}

/**
 * Who asks, by the node's setting Access: the user of the item, a fixed one, or nobody's name (everything).
 *
 * In the flow the item itself says it. In a tool run or through a port only n8n's own record of the agent's items is believed, and
 * when that leaves a choice between different users the search is refused.
 */
export function readAskerOf(ctx: NodeContext, itemIndex: number, use: 'step' | 'tool' | 'supplied'): ReadAsker {
	return () => {
		switch (ctx.getNodeParameter('access', itemIndex, 'item')) {
			case 'everything':
				return 'all';
			case 'fixed': {
				const user = String(ctx.getNodeParameter('fixedUser', itemIndex, ''));
				const groups = readNames(ctx.getNodeParameter('fixedGroups', itemIndex, ''), 'groups');
				return askerTokens({ user, groups });
			}
			default:
				return tokensFromItems(ctx, itemIndex, use);
		}
	};
}
