import { NodeConnectionTypes } from 'n8n-workflow';

import { messageOf } from '../core/errors';
import type { OutputReader } from '../react/structured-output';
import { asRecord } from './as-record';
import { asList, type ConnectedContext } from './connected';

interface ForeignParser {
	parse(text: string): Promise<unknown>;
	getFormatInstructions(): string;
}

/** One of n8n's output parsers by shape, or undefined when none is connected (or the node has no such input). */
export async function connectedOutputReader(ctx: ConnectedContext, itemIndex: number): Promise<OutputReader | undefined> {
	if (ctx.getNodeParameter('hasOutputParser', itemIndex, false) !== true) return undefined;
	const [parser] = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiOutputParser, itemIndex));
	if (!isParser(parser)) return undefined;
	return {
		instructions: parser.getFormatInstructions(),
		read: async (answer) => {
			try {
				return { ok: true, value: unwrapped(await parser.parse(answer)) };
			} catch (error) {
				return { ok: false, problem: `The final answer could not be read: ${messageOf(error)}` };
			}
		},
	};
}

/** n8n's structured parser wraps what it read in `output`. */
function unwrapped(value: unknown): unknown {
	const { output, ...others } = asRecord(value);
	return output !== undefined && Object.keys(others).length === 0 ? output : value;
}

function isParser(supplied: unknown): supplied is ForeignParser {
	return typeof supplied === 'object' && supplied !== null && 'parse' in supplied && 'getFormatInstructions' in supplied;
}
