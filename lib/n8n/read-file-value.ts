import type { IBinaryData, IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { asRecord } from './as-record';

/**
 * The bytes of a file that an expression gave, such as `{{ $('Read file').first().binary.data }}`: n8n's binary value, in memory
 * or in its store. The same in supplyData and in execute, where the item's own binary data is not at hand.
 *
 * @throws BAD_INPUT when the value is no file
 */
export async function readFileValue(ctx: IExecuteFunctions | ISupplyDataFunctions, value: unknown): Promise<Uint8Array> {
	const { id, data, mimeType } = asRecord(value) as Partial<IBinaryData>;
	if (typeof id === 'string' && id !== '') {
		return await ctx.helpers.binaryToBuffer(await ctx.helpers.getBinaryStream(id));
	}
	if (typeof data === 'string' && data !== '' && typeof mimeType === 'string') return Buffer.from(data, 'base64');
	throw new CodedError('BAD_INPUT', `The file is not binary data but ${value === null ? 'null' : typeof value}`, {
		remedy: "Give the file of a node that runs before the agent, for example {{ $('Read file').first().binary.data }}.",
	});
}
