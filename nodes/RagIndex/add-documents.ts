import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Embedder } from '../../lib/core/document';
import { isCodedError } from '../../lib/core/errors';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { failedItem } from '../../lib/n8n/each-item';
import { portsOf } from '../../lib/n8n/ports';
import { themePlace } from '../../lib/n8n/storage';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { type DocumentReport, type DocumentToIndex, indexDocuments } from '../../lib/rag/index-documents';
import type { SplitOptions } from '../../lib/rag/split';
import { openOrCreateStore, type StorePlace } from '../../lib/rag/sqlite-store';
import { readDocument } from './read-document';

/** The first output holds what is indexed, the second what has no readable text. */
export type IndexOutputs = [indexed: INodeExecutionData[], unreadable: INodeExecutionData[]];

interface Pending {
	readonly itemIndex: number;
	readonly place: StorePlace;
	readonly split: SplitOptions;
	readonly document: DocumentToIndex;
}

type Result = { readonly itemIndex: number; readonly readable: boolean; readonly item: INodeExecutionData };

function resultOf(ctx: IExecuteFunctions, itemIndex: number, index: IDataObject): Result {
	const item = ctx.getInputData()[itemIndex];
	return {
		itemIndex,
		readable: index.outcome !== 'unreadable',
		item: { ...item, json: { ...item?.json, index }, pairedItem: { item: itemIndex } },
	};
}

function failed(ctx: IExecuteFunctions, error: unknown, itemIndex: number): Result {
	if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
	return { itemIndex, readable: true, item: failedItem(error, itemIndex) };
}

async function readPending(ctx: IExecuteFunctions, itemIndex: number): Promise<Pending | Result> {
	const theme = ctx.getNodeParameter('knowledgeBase', itemIndex) as string;
	try {
		const place = await themePlace(ctx, itemIndex, theme);
		const split = {
			targetCharacters: ctx.getNodeParameter('options.chunkSize', itemIndex, 900) as number,
			overlapCharacters: ctx.getNodeParameter('options.chunkOverlap', itemIndex, 0) as number,
		};
		return { itemIndex, place, split, document: await readDocument(ctx, itemIndex) };
	} catch (error) {
		const isFile = ctx.getNodeParameter('from', itemIndex) === 'file';
		if (!isFile || !isCodedError(error) || !/is not a text file/.test(error.message)) return failed(ctx, error, itemIndex);
		return resultOf(ctx, itemIndex, { outcome: 'unreadable', knowledgeBase: theme, reason: error.message });
	}
}

function groupsOf(pending: readonly Pending[]): Pending[][] {
	const groups = new Map<string, Pending[]>();
	for (const one of pending) {
		const key = JSON.stringify([one.place, one.split]);
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return [...groups.values()];
}

async function indexGroup(ctx: IExecuteFunctions, group: readonly Pending[], embedder: Embedder | undefined): Promise<Result[]> {
	const { place, split } = group[0] as Pending;
	const reports = new Map<string, DocumentReport>();
	try {
		const store = openOrCreateStore(place, { createdBy: ctx.getWorkflow().name ?? 'a workflow' });
		const signal = ctx.getExecutionCancelSignal();
		try {
			const documents = group.map((one) => one.document);
			const tools = { store, split, log: portsOf(ctx).log, ...(embedder && { embedder }), ...(signal && { signal }) };
			for (const report of await indexDocuments(documents, tools)) reports.set(report.id, report);
		} finally {
			await store.close();
		}
	} catch (error) {
		return group.map(({ itemIndex }) => failed(ctx, error, itemIndex));
	}
	return group.map(({ itemIndex, document }) => {
		const { outcome = 'unreadable', chunks = 0, reason } = reports.get(document.id) ?? {};
		const index = { outcome, documentId: document.id, knowledgeBase: place.theme, chunks, ...(reason && { reason }) };
		return resultOf(ctx, itemIndex, index);
	});
}

/**
 * Adds the documents of all items, those of one knowledge base together, so that the encoder works in batches.
 *
 * Each item keeps its fields and gets `index {outcome, documentId, knowledgeBase, chunks}`.
 */
export async function addDocuments(ctx: IExecuteFunctions): Promise<IndexOutputs> {
	const embedder = await connectedEmbedder(ctx, 0);
	const results: Result[] = [];
	const pending: Pending[] = [];
	for (const itemIndex of ctx.getInputData().keys()) {
		const read = await readPending(ctx, itemIndex);
		if ('document' in read) pending.push(read);
		else results.push(read);
	}
	for (const group of groupsOf(pending)) results.push(...(await indexGroup(ctx, group, embedder)));
	results.sort((a, b) => a.itemIndex - b.itemIndex);
	return [
		results.filter((result) => result.readable).map((result) => result.item),
		results.filter((result) => !result.readable).map((result) => result.item),
	];
}
