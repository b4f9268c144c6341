import { createInterface } from 'node:readline';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';
import { safeFileName } from '../storage/paths';

/** The packed file of a backup, written as its lines come: none is ever whole in memory. */
export async function packedFile(ctx: IExecuteFunctions, name: string, lines: AsyncIterable<string>): Promise<IBinaryData> {
	const file = new PassThrough();
	// Ends `file` with the error, which whoever reads it then throws.
	pipeline(Readable.from(lines), createGzip(), file, () => undefined);
	return await ctx.helpers.prepareBinaryData(file, `${safeFileName(name, 'backup')}.jsonl.gz`, 'application/gzip');
}

/** The lines of a backup in a binary field of an item, packed or not. Throws BAD_INPUT while reading one that is damaged. */
export async function linesInFile(ctx: IExecuteFunctions, itemIndex: number, property: string): Promise<AsyncGenerator<string>> {
	ctx.helpers.assertBinaryData(itemIndex, property);
	const bytes = await ctx.helpers.getBinaryDataBuffer(itemIndex, property);
	const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
	const text = new PassThrough();
	pipeline([Readable.from([bytes]), ...(isPacked ? [createGunzip()] : []), text], () => undefined);
	return linesOf(text);
}

/** Lines of a stream; an error of the stream is thrown, where readline would wait for ever. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
	const reader = createInterface({ input: stream, crlfDelay: Infinity });
	let fault: Error | undefined;
	stream.on('error', (error) => {
		fault = error;
		reader.close();
	});
	try {
		yield* reader;
	} catch (error) {
		fault ??= error as Error;
	}
	if (fault) throw new CodedError('BAD_INPUT', `The backup cannot be unpacked: ${fault.message}`, { remedy: 'Give the file as it was made.', cause: fault });
}
