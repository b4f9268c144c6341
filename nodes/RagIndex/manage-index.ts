import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { themePlace } from '../../lib/n8n/storage';
import { deleteTheme, openStore, type StorePlace } from '../../lib/rag/sqlite-store';
import { readDocumentId } from './read-document';

async function placeOf(ctx: IExecuteFunctions, itemIndex: number): Promise<StorePlace> {
	return await themePlace(ctx, itemIndex, ctx.getNodeParameter('knowledgeBase', itemIndex) as string);
}

const added = (ctx: IExecuteFunctions, itemIndex: number, index: object): IDataObject => ({
	...ctx.getInputData()[itemIndex]?.json,
	index: index as IDataObject,
});

/** Removes one document or the whole knowledge base; a document that is not there is reported, not an error. */
export async function deleteFromIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const place = await placeOf(ctx, itemIndex);
	if (ctx.getNodeParameter('deleteWhat', itemIndex) === 'knowledgeBase') {
		deleteTheme(place);
		return added(ctx, itemIndex, { outcome: 'deleted', knowledgeBase: place.theme });
	}
	const store = openStore(place);
	try {
		const documentId = readDocumentId(ctx, itemIndex);
		const { removed } = await store.remove([documentId]);
		return added(ctx, itemIndex, { outcome: removed.length > 0 ? 'deleted' : 'unknown', documentId, knowledgeBase: place.theme });
	} finally {
		await store.close();
	}
}

/** What a knowledge base holds and what it was built with. */
export async function describeIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const store = openStore(await placeOf(ctx, itemIndex));
	try {
		const { theme, ...summary } = await store.describe();
		return added(ctx, itemIndex, { knowledgeBase: theme, ...summary });
	} finally {
		await store.close();
	}
}
