import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CodedError } from '../../lib/core/errors';
import { readFilterOf } from '../../lib/n8n/filter-fields';
import { themePlace } from '../../lib/n8n/storage';
import { watchOf } from '../../lib/n8n/watch';
import { openTheme, removeTheme, type ThemePlace } from '../../lib/rag/open-theme';
import { readNames, rightsTokens } from '../../lib/rag/rights';
import type { ThemeStore } from '../../lib/rag/store';
import { readDocumentId } from './read-document';

async function placeOf(ctx: IExecuteFunctions, itemIndex: number): Promise<ThemePlace> {
	return await themePlace(ctx, itemIndex, ctx.getNodeParameter('knowledgeBase', itemIndex) as string);
}

async function withStore<Result>(place: ThemePlace, work: (store: ThemeStore) => Promise<Result>): Promise<Result> {
	const store = await openTheme(place);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

const added = (ctx: IExecuteFunctions, itemIndex: number, index: object): IDataObject => ({
	...ctx.getInputData()[itemIndex]?.json,
	index: index as IDataObject,
});

/** The ids that the item means: one, or all that fit its filter. No filter is an error here: it would mean every document. */
async function chosenIds(ctx: IExecuteFunctions, itemIndex: number, store: ThemeStore): Promise<string[]> {
	if (ctx.getNodeParameter('which', itemIndex, 'document') === 'document') return [readDocumentId(ctx, itemIndex)];
	const filter = readFilterOf(ctx, itemIndex);
	if (filter) return (await store.documents({ filter })).map(({ id }) => id);
	throw new CodedError('BAD_INPUT', 'There is no filter to choose documents by', { remedy: 'Add a condition, or choose one document by its ID.' });
}

/** Removes documents or the whole knowledge base; a document that is not there is reported, not an error. */
export async function deleteFromIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const place = await placeOf(ctx, itemIndex);
	const knowledgeBase = place.theme;
	if (ctx.getNodeParameter('which', itemIndex, 'document') === 'knowledgeBase') {
		await removeTheme(place);
		return added(ctx, itemIndex, { outcome: 'deleted', knowledgeBase });
	}
	return await withStore(place, async (store) => {
		const { removed, unknown } = await store.remove(await chosenIds(ctx, itemIndex, store));
		const isOne = removed.length + unknown.length === 1;
		const facts = isOne ? { documentId: removed[0] ?? unknown[0] } : { documentIds: removed };
		return added(ctx, itemIndex, { outcome: removed.length > 0 ? 'deleted' : 'unknown', ...facts, knowledgeBase });
	});
}

/** Sets who may see documents; takes effect with the next search, nothing is embedded again. */
export async function setRights(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const acl = rightsTokens({
		users: readNames(ctx.getNodeParameter('rightsUsers', itemIndex, ''), 'users'),
		groups: readNames(ctx.getNodeParameter('rightsGroups', itemIndex, ''), 'groups'),
		everyone: ctx.getNodeParameter('rightsEveryone', itemIndex, false) === true,
	});
	const place = await placeOf(ctx, itemIndex);
	return await withStore(place, async (store) => {
		const ids = await chosenIds(ctx, itemIndex, store);
		const { changed, unknown } = await store.change(ids.map((id) => ({ id, acl })));
		return added(ctx, itemIndex, { outcome: 'rights set', knowledgeBase: place.theme, changed: changed.length, unknown });
	});
}

/** What a knowledge base holds and what it was built with. */
export async function describeIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	return await withStore(await placeOf(ctx, itemIndex), async (store) => {
		const { theme, ...summary } = await store.describe();
		return added(ctx, itemIndex, { knowledgeBase: theme, ...summary });
	});
}

/** One item for each document that fits the filter, without its text. */
export async function listDocuments(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const filter = readFilterOf(ctx, itemIndex);
	return await withStore(await placeOf(ctx, itemIndex), async (store) => {
		const documents = await store.documents(filter ? { filter } : {});
		return documents.map((document) => ({ json: { document: document as unknown as IDataObject }, pairedItem: { item: itemIndex } }));
	});
}

/** Proves that indexes and documents fit together; a fault is reported, not thrown. */
export async function verifyIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const place = await placeOf(ctx, itemIndex);
	return added(ctx, itemIndex, { knowledgeBase: place.theme, ...(await withStore(place, async (store) => await store.verify(watchOf(ctx)))) });
}

/** Gives back the space that removed documents left. */
export async function compactIndex(ctx: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
	const place = await placeOf(ctx, itemIndex);
	return await withStore(place, async (store) => {
		const before = (await store.describe()).bytes;
		await store.compact(watchOf(ctx));
		return added(ctx, itemIndex, { outcome: 'compacted', knowledgeBase: place.theme, bytesBefore: before, bytes: (await store.describe()).bytes });
	});
}
