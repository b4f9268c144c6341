import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Embedder } from '../../lib/core/document';
import { raise } from '../../lib/core/errors';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { failedItem } from '../../lib/n8n/each-item';
import { portsOf } from '../../lib/n8n/ports';
import { themePlace } from '../../lib/n8n/storage';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { type DocumentReport, type DocumentToIndex, indexDocuments, type IndexTools } from '../../lib/rag/index-documents';
import type { SplitOptions } from '../../lib/rag/split';
import { openOrCreateTheme, type ThemePlace } from '../../lib/rag/open-theme';
import { syncDocuments } from '../../lib/rag/sync';
import { type Listed, listDocumentsOf } from './read-document';

/** The first output holds what is indexed, the second what has no readable text. */
export type IndexOutputs = [indexed: INodeExecutionData[], unreadable: INodeExecutionData[]];

interface Pending {
	readonly itemIndex: number;
	readonly listed: Listed;
	/** Set when its turn came: what was found, without the text, or what went wrong. */
	outcome?: { readonly found: Unreadable | { readonly id: string; readonly notes: readonly string[] } } | { readonly error: unknown };
}

type Unreadable = { readonly documentId: string; readonly reason: string };

/** What is written together: documents of one knowledge base, split alike. */
interface Group {
	readonly place: ThemePlace;
	readonly split: SplitOptions;
	readonly members: Pending[];
}

type Result = { readonly itemIndex: number; readonly readable: boolean; readonly item: INodeExecutionData };

const isSync = (ctx: IExecuteFunctions): boolean => ctx.getNodeParameter('operation', 0) === 'sync';

function resultOf(ctx: IExecuteFunctions, itemIndex: number, index: IDataObject): Result {
	const item = ctx.getInputData()[itemIndex];
	const readable = index.outcome !== 'unreadable';
	return { itemIndex, readable, item: { ...item, json: { ...item?.json, index }, pairedItem: { item: itemIndex } } };
}

function failed(ctx: IExecuteFunctions, error: unknown, itemIndex: number): Result {
	if (!ctx.continueOnFail()) throw toNodeError(ctx.getNode(), error, itemIndex);
	return { itemIndex, readable: true, item: failedItem(error, itemIndex) };
}

async function readItem(ctx: IExecuteFunctions, itemIndex: number, groups: Map<string, Group>): Promise<void> {
	// What is synchronised is one list, whatever its items say: the first one decides where it goes.
	const settings = isSync(ctx) ? 0 : itemIndex;
	const place = await themePlace(ctx, settings, ctx.getNodeParameter('knowledgeBase', settings) as string);
	const split = {
		targetCharacters: ctx.getNodeParameter('options.chunkSize', settings, 900) as number,
		overlapCharacters: ctx.getNodeParameter('options.chunkOverlap', settings, 0) as number,
	};
	const listed = await listDocumentsOf(ctx, itemIndex);
	const key = JSON.stringify([place, split]);
	const group = groups.get(key) ?? { place, split, members: [] };
	groups.set(key, group);
	group.members.push(...listed.map((one) => ({ itemIndex, listed: one })));
}

/** Reads one document after the other, when the index asks for it: a large folder is never in memory as a whole. */
async function* documentsOf(ctx: IExecuteFunctions, members: readonly Pending[]): AsyncGenerator<DocumentToIndex> {
	for (const member of members) {
		try {
			const found = await member.listed.read();
			member.outcome = { found: 'document' in found ? { id: found.document.id, notes: found.notes } : found };
			if ('document' in found) yield found.document;
		} catch (error) {
			if (!ctx.continueOnFail() || member.outcome) raise(error);
			member.outcome = { error };
		}
	}
}

/** The documents; when rights of some are given and are nobody's, the builder is told at the end. */
async function* seenBySomebody(ctx: IExecuteFunctions, documents: AsyncIterable<DocumentToIndex>): AsyncGenerator<DocumentToIndex> {
	let nobodys = 0;
	for await (const document of documents) {
		if (document.acl?.length === 0) nobodys += 1;
		yield document;
	}
	if (nobodys === 0) return;
	const message = `${nobodys} document(s) have rights for nobody: no search finds them. Check what Users, Groups and Everyone give, or remove these options.`;
	ctx.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

async function write(ctx: IExecuteFunctions, group: Group, tools: IndexTools, isListRead: boolean): Promise<IDataObject> {
	const documents = seenBySomebody(ctx, documentsOf(ctx, group.members));
	if (!isSync(ctx)) return { reports: await indexDocuments(documents, tools) };
	const list = { ids: group.members.map(({ listed }) => listed.documentId), documents };
	const report = await syncDocuments(list, tools, {
		scope: ctx.getNodeParameter('scope', 0) as string,
		// An item that failed may stand for a document that is still there.
		isComplete: isListRead && (ctx.getNodeParameter('listComplete', 0) as boolean),
		dryRun: ctx.getNodeParameter('dryRun', 0) as boolean,
		mostRemoved: (ctx.getNodeParameter('mostRemoved', 0) as number) / 100,
	});
	if (report.note) ctx.addExecutionHints({ message: report.note, type: 'warning', location: 'outputPane' });
	return { ...report };
}

function memberResult(ctx: IExecuteFunctions, member: Pending, knowledgeBase: string, reports: ReadonlyMap<string, DocumentReport>): Result {
	const { itemIndex, outcome, listed } = member;
	if (outcome && 'error' in outcome) return failed(ctx, outcome.error, itemIndex);
	const { found } = outcome ?? { found: { id: listed.documentId, notes: [] } };
	if ('reason' in found) {
		const { documentId, reason } = found;
		return resultOf(ctx, itemIndex, { outcome: 'unreadable', documentId, knowledgeBase, reason });
	}
	const { outcome: done = 'unreadable', chunks = 0, reason } = reports.get(found.id) ?? {};
	const notes = found.notes.length > 0 && { notes: [...found.notes] };
	return resultOf(ctx, itemIndex, { outcome: done, documentId: found.id, knowledgeBase, chunks, ...(reason && { reason }), ...notes });
}

function resultsOf(ctx: IExecuteFunctions, group: Group, written: IDataObject): Result[] {
	const reports = new Map((written.reports as unknown as DocumentReport[]).map((report) => [report.id, report]));
	const knowledgeBase = group.place.theme;
	const results = group.members.map((member) => memberResult(ctx, member, knowledgeBase, reports));
	const removed = ((written.removed as string[] | undefined) ?? []).map((documentId): Result => {
		const json = { index: { outcome: 'removed', documentId, knowledgeBase } };
		return { itemIndex: Infinity, readable: true, item: { json, pairedItem: { item: 0 } } };
	});
	return [...results, ...removed];
}

async function indexGroup(
	ctx: IExecuteFunctions,
	group: Group,
	given: { readonly embedder: Embedder | undefined; readonly isListRead: boolean },
): Promise<Result[]> {
	const { place, split } = group;
	const { embedder, isListRead } = given;
	try {
		const store = await openOrCreateTheme(place, { createdBy: ctx.getWorkflow().name ?? 'a workflow' });
		const signal = ctx.getExecutionCancelSignal();
		try {
			const tools = { store, split, log: portsOf(ctx).log, ...(embedder && { embedder }), ...(signal && { signal }) };
			return resultsOf(ctx, group, await write(ctx, group, tools, isListRead));
		} finally {
			await store.close();
		}
	} catch (error) {
		return [...new Set(group.members.map(({ itemIndex }) => itemIndex))].map((itemIndex) => failed(ctx, error, itemIndex));
	}
}

/**
 * Adds or synchronises the documents of all items, those of one knowledge base together, so that the encoder works in batches.
 *
 * Each item keeps its fields and gets `index {outcome, documentId, knowledgeBase, chunks}`; a folder gives an item for each file.
 */
export async function addDocuments(ctx: IExecuteFunctions): Promise<IndexOutputs> {
	const embedder = await connectedEmbedder(ctx, 0);
	const results: Result[] = [];
	const groups = new Map<string, Group>();
	for (const itemIndex of ctx.getInputData().keys()) {
		try {
			await readItem(ctx, itemIndex, groups);
		} catch (error) {
			results.push(failed(ctx, error, itemIndex));
		}
	}
	const isListRead = results.length === 0;
	for (const group of groups.values()) results.push(...(await indexGroup(ctx, group, { embedder, isListRead })));
	results.sort((a, b) => a.itemIndex - b.itemIndex);
	const items = (readable: boolean) => results.filter((result) => result.readable === readable).map((result) => result.item);
	return [items(true), items(false)];
}
