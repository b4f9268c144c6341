import { PassThrough, pipeline, Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { createGunzip, createGzip } from 'node:zlib';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { readFilterOf } from '../../lib/n8n/filter-fields';
import { portsOf } from '../../lib/n8n/ports';
import { themePlace } from '../../lib/n8n/storage';
import { backupLines, readHeader, restoreLines } from '../../lib/rag/backup';
import { openOrCreateTheme, openTheme, type ThemePlace } from '../../lib/rag/open-theme';
import { rebuildTheme } from '../../lib/rag/rebuild';
import { safeFileName } from '../../lib/storage/paths';

async function placeOf(ctx: IExecuteFunctions, itemIndex: number): Promise<ThemePlace> {
	return await themePlace(ctx, itemIndex, ctx.getNodeParameter('knowledgeBase', itemIndex) as string);
}

/** The item with its own fields, `index`, and a file of everything in the knowledge base: texts, vectors and rights. */
export async function backUpIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const place = await placeOf(ctx, itemIndex);
	const store = await openTheme(place);
	try {
		const file = new PassThrough();
		// Ends `file` with the error, which whoever reads it then throws.
		pipeline(Readable.from(backupLines(store)), createGzip(), file, () => undefined);
		const name = `${safeFileName(place.theme, 'knowledge base')}.jsonl.gz`;
		const property = ctx.getNodeParameter('binaryPropertyName', itemIndex, 'data') as string;
		const data = await ctx.helpers.prepareBinaryData(file, name, 'application/gzip');
		const item = ctx.getInputData()[itemIndex];
		const index = { outcome: 'backed up', knowledgeBase: place.theme, file: name };
		return [{ json: { ...item?.json, index }, binary: { ...item?.binary, [property]: data }, pairedItem: { item: itemIndex } }];
	} finally {
		await store.close();
	}
}

/** Restores a backup: into a knowledge base that is new or empty, or in place of what one holds when the node says so. */
export async function restoreIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const property = ctx.getNodeParameter('binaryPropertyName', itemIndex, 'data') as string;
	ctx.helpers.assertBinaryData(itemIndex, property);
	const bytes = await ctx.helpers.getBinaryDataBuffer(itemIndex, property);
	const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
	const text = new PassThrough();
	pipeline([Readable.from([bytes]), ...(isPacked ? [createGunzip()] : []), text], () => undefined);
	const lines = linesOf(text);
	const header = readHeader((await lines.next()).value as string | undefined);
	const place = await placeOf(ctx, itemIndex);
	const store = await openOrCreateTheme(place, { createdBy: ctx.getWorkflow().name ?? 'a workflow' });
	try {
		const { documents } = await store.describe();
		if (documents > 0 && ctx.getNodeParameter('replace', itemIndex, false) !== true) {
			throw new CodedError('BAD_INPUT', `The knowledge base "${place.theme}" holds ${documents} documents`, {
				remedy: 'Restore into another name, or turn on Replace What Is There.',
			});
		}
		const report = await restoreLines(store, header, lines);
		return { ...ctx.getInputData()[itemIndex]?.json, index: { outcome: 'restored', knowledgeBase: place.theme, from: header.theme, ...report } };
	} finally {
		await store.close();
	}
}

/** Lines of a stream; an error of the stream is thrown, where readline would wait for ever. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
	const reader = createInterface({ input: stream, crlfDelay: Infinity });
	let fault: Error | undefined;
	stream.on('error', (error) => {
		fault = error;
		reader.close();
	});
	yield* reader;
	if (fault) throw new CodedError('BAD_INPUT', `The backup cannot be unpacked: ${fault.message}`, { remedy: 'Give the file as it was made.', cause: fault });
}

/** One item for each document that fits the filter, with its passages. */
export async function exportIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const filter = readFilterOf(ctx, itemIndex);
	const store = await openTheme(await placeOf(ctx, itemIndex));
	try {
		const items: INodeExecutionData[] = [];
		for (const { id } of await store.documents(filter ? { filter } : {})) {
			ctx.getExecutionCancelSignal()?.throwIfAborted();
			const whole = await store.whole(id);
			if (!whole) continue;
			const passages = whole.chunks.map(({ text, start, end, titlePath, page }) => ({ text, start, end, titlePath: [...titlePath], ...(page !== undefined && { page }) }));
			items.push({ json: { document: { ...whole.stored, passages } as unknown as IDataObject }, pairedItem: { item: itemIndex } });
		}
		return items;
	} finally {
		await store.close();
	}
}

/** Embeds what is stored with the connected embeddings; searches go on with the old vectors until all are there. */
export async function rebuildIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const embedder = await connectedEmbedder(ctx, itemIndex);
	if (!embedder) throw new CodedError('BAD_INPUT', 'No embeddings are connected', { remedy: 'Connect those that the knowledge base shall be built with.' });
	const place = await placeOf(ctx, itemIndex);
	const store = await openTheme(place);
	const signal = ctx.getExecutionCancelSignal();
	try {
		const report = await rebuildTheme({ store, embedder, log: portsOf(ctx).log, ...(signal && { signal }) });
		return { ...ctx.getInputData()[itemIndex]?.json, index: { outcome: 'rebuilt', knowledgeBase: place.theme, ...report } };
	} finally {
		await store.close();
	}
}
