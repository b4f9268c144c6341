import type { IDataObject, IExecuteFunctions, INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';

import type { Embedder, FoundHits } from '../../lib/core/document';
import { CodedError } from '../../lib/core/errors';
import type { Tool } from '../../lib/core/tool';
import { readAskerOf } from '../../lib/n8n/asker';
import { connectedEmbedder } from '../../lib/n8n/connected';
import { readFilterOf } from '../../lib/n8n/filter-fields';
import { themePlace } from '../../lib/n8n/storage';
import { connectedReranker } from '../../lib/n8n/supply-reranker';
import { bothFilters } from '../../lib/rag/filter';
import type { Fusion } from '../../lib/rag/rank-candidates';
import { rerankedSearch, type Search } from '../../lib/rag/reranked-search';
import type { RetrieveResult } from '../../lib/rag/retrieve';
import { retrieveFrom } from '../../lib/rag/retrieve-from';
import { createSearchTool } from '../../lib/rag/search-tool';
import type { ThemePlace } from '../../lib/rag/open-theme';
import { readNames } from '../../lib/rag/rights';
import type { AllowedField } from '../../lib/rag/tool-filters';

type NodeContext = IExecuteFunctions | ISupplyDataFunctions;

/** How the search is used: what is believed about the user depends on it. */
type Use = 'step' | 'tool' | 'supplied';

/** One node's knowledge base, ready to be searched. */
export interface ConfiguredSearch {
	readonly theme: string;
	readonly others: readonly string[];
	readonly topK: number;
	readonly search: Search;
}

function alphaOf(ctx: NodeContext, itemIndex: number): number | 'auto' {
	if (ctx.getNodeParameter('options.balance', itemIndex, 'auto') === 'auto') return 'auto';
	return (ctx.getNodeParameter('options.meaningWeight', itemIndex, 50) as number) / 100;
}

/** In the log and beside the output of the run, whatever the mode. */
function warn(ctx: NodeContext, message: string): void {
	ctx.logger.warn(message, { node: ctx.getNode().name });
	ctx.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** Reads the parameters and ports that all modes share. Nothing is opened before the first search. */
export async function readSearch(ctx: NodeContext, itemIndex: number, use: Use): Promise<ConfiguredSearch> {
	const theme = ctx.getNodeParameter('knowledgeBase', itemIndex) as string;
	const others = readNames(ctx.getNodeParameter('options.moreKnowledgeBases', itemIndex, ''), 'other knowledge bases');
	const places: ThemePlace[] = [];
	for (const name of [theme, ...others]) places.push(await themePlace(ctx, itemIndex, name));
	const fusion = ctx.getNodeParameter('options.fusion', itemIndex, 'blend') as Fusion;
	const alpha = alphaOf(ctx, itemIndex);
	const onePerDocument = ctx.getNodeParameter('options.onePerDocument', itemIndex, false) as boolean;
	const neighbours = ctx.getNodeParameter('options.neighbours', itemIndex, 0) as number;
	const whenEmbedderFails = ctx.getNodeParameter('options.whenEmbeddingsFail', itemIndex, 'words') as 'words' | 'fail';
	const own = readFilterOf(ctx, itemIndex);
	const acl = readAskerOf(ctx, itemIndex, use);
	const embedder: Embedder | undefined = await connectedEmbedder(ctx, itemIndex);
	const search: Search = async (request) => {
		const filter = bothFilters(own, request.filter);
		const { query, topK, signal } = request;
		const choice = { alpha, fusion, acl, onePerDocument, neighbours, whenEmbedderFails, ...(filter && { filter }), ...(signal && { signal }) };
		const found = await retrieveFrom(places, { query, topK, ...choice }, embedder);
		for (const warning of found.warnings) warn(ctx, warning);
		return found;
	};
	const rerank = await connectedReranker(ctx, itemIndex);
	const candidates = ctx.getNodeParameter('options.candidates', itemIndex, 20) as number;
	return {
		theme,
		others,
		topK: ctx.getNodeParameter('topK', itemIndex) as number,
		search: rerank ? rerankedSearch(search, rerank, candidates) : search,
	};
}

/** Retriever mode: the passages, with what went wrong beside them. */
export function foundHits({ hits, warnings }: RetrieveResult): FoundHits {
	return Object.assign([...hits], warnings.length > 0 ? { warnings } : {});
}

/** The tool of the node, for the agent that it is connected to. */
export async function readSearchTool(ctx: NodeContext, itemIndex: number, use: Use): Promise<Tool> {
	const { theme, others, topK, search } = await readSearch(ctx, itemIndex, use);
	const intent = ctx.getNodeParameter('intent', itemIndex, '') as string;
	const filters = (ctx.getNodeParameter('options.agentFilters.field', itemIndex, []) as AllowedField[]).filter(({ field }) => field.trim() !== '');
	return createSearchTool({ theme, others, topK, search, intent, filters });
}

/** Main mode: the item with `documents` and `retrieval`, or one item for each passage. */
export async function addDocuments(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const query = ctx.getNodeParameter('query', itemIndex) as unknown;
	if (typeof query !== 'string' || query.trim() === '') {
		throw new CodedError('BAD_INPUT', 'There is no query to search for', {
			remedy: 'Let the field Query give a text, for example {{ $json.question }}; behind a Webhook {{ $json.body.query }}.',
		});
	}
	const { search, topK, theme, others } = await readSearch(ctx, itemIndex, 'step');
	const signal = ctx.getExecutionCancelSignal();
	const { hits, method, alpha, notes, warnings, reranked } = await search({ query, topK, ...(signal && { signal }) });
	for (const message of notes) ctx.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	const item = ctx.getInputData()[itemIndex];
	const retrieval: IDataObject = { knowledgeBase: [theme, ...others].join(', '), method, alpha, found: hits.length, ...(reranked && { reranked }), notes: [...notes], ...(warnings.length > 0 && { warnings: [...warnings] }) };
	const base = { ...item, pairedItem: { item: itemIndex } };
	if (ctx.getNodeParameter('options.output', itemIndex, 'field') === 'field') {
		return [{ ...base, json: { ...item?.json, documents: hits as unknown as IDataObject[], retrieval } }];
	}
	return hits.map((hit) => ({ ...base, json: { ...item?.json, document: hit as unknown as IDataObject, retrieval } }));
}
