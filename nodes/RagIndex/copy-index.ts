import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import { linesInFile } from '../../lib/n8n/backup-file';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { readFilterOf } from '../../lib/n8n/filter-fields';
import { themePlace } from '../../lib/n8n/storage';
import { backUpTheme, restoreTheme } from '../../lib/n8n/theme-copies';
import { watchOf } from '../../lib/n8n/watch';
import { readHeader } from '../../lib/rag/backup';
import { openTheme, type ThemePlace } from '../../lib/rag/open-theme';
import { rebuildTheme } from '../../lib/rag/rebuild';

async function placeOf(ctx: IExecuteFunctions, itemIndex: number): Promise<ThemePlace> {
	return await themePlace(ctx, itemIndex, ctx.getNodeParameter('knowledgeBase', itemIndex) as string);
}

/** The item with its own fields, `index`, and a file of everything in the knowledge base: texts, vectors and rights. */
export async function backUpIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const place = await placeOf(ctx, itemIndex);
	const property = ctx.getNodeParameter('binaryPropertyName', itemIndex, 'data') as string;
	const data = await backUpTheme(ctx, place);
	const item = ctx.getInputData()[itemIndex];
	const index = { outcome: 'backed up', knowledgeBase: place.theme, file: data.fileName };
	return [{ json: { ...item?.json, index }, binary: { ...item?.binary, [property]: data }, pairedItem: { item: itemIndex } }];
}

/** Restores a backup: into a knowledge base that is new or empty, or in place of what one holds when the node says so. */
export async function restoreIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const lines = await linesInFile(ctx, itemIndex, ctx.getNodeParameter('binaryPropertyName', itemIndex, 'data') as string);
	const header = readHeader((await lines.next()).value as string | undefined);
	const place = await placeOf(ctx, itemIndex);
	const report = await restoreTheme(ctx, place, { header, lines, replace: ctx.getNodeParameter('replace', itemIndex, false) === true });
	return { ...ctx.getInputData()[itemIndex]?.json, index: { outcome: 'restored', knowledgeBase: place.theme, from: header.theme, ...report } };
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
	try {
		const report = await rebuildTheme({ store, embedder, ...watchOf(ctx) });
		return { ...ctx.getInputData()[itemIndex]?.json, index: { outcome: 'rebuilt', knowledgeBase: place.theme, ...report } };
	} finally {
		await store.close();
	}
}
