import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type ISupplyDataFunctions, type SupplyData } from 'n8n-workflow';

import type { Hit, Reranker } from '../core/document';
import { CodedError } from '../core/errors';
import { PORT_MARK, portValueOf, type PortValue } from '../core/ports';
import { asRecord } from './as-record';
import { asList } from './connected';
import { logged } from './logged';

/** A document as n8n's vector stores and retrievers hand it over. */
interface Page {
	readonly pageContent: string;
	readonly metadata?: Record<string, unknown>;
}

interface ForeignReranker {
	compressDocuments(documents: Page[], query: string): Promise<Page[]>;
}

/**
 * A reranker for the ai_reranker port. n8n's vector stores call `compressDocuments` and read `metadata.relevanceScore`; our own nodes get
 * the core type. Each use is shown as a run of the node.
 *
 * @param topK  documents that n8n's nodes get at most
 */
export function supplyReranker(ctx: ISupplyDataFunctions, reranker: Reranker, topK: number): SupplyData {
	const shown: Reranker = async (request) =>
		await logged(
			ctx,
			{
				type: NodeConnectionTypes.AiReranker,
				input: { query: request.query, documents: request.hits.length },
				show: (hits: Hit[]) => ({ documents: hits as unknown as IDataObject[] }),
			},
			async () => await reranker(request),
		);
	const compressDocuments = async (documents: Page[], query: string): Promise<Page[]> => {
		const hits = await shown({ query, topK, hits: documents.map(toHit), signal: ctx.getExecutionCancelSignal() });
		return hits.map((hit) => {
			const page = documents[Number(hit.id)]!;
			return { ...page, metadata: { ...page.metadata, relevanceScore: hit.score } };
		});
	};
	const response = { compressDocuments };
	const value: PortValue = { version: 1, kind: 'reranker', value: shown };
	Object.defineProperty(response, PORT_MARK, { value, enumerable: false });
	return { response };
}

/**
 * The connected reranker, or undefined when none is: ours by its mark, n8n's by its shape.
 *
 * @throws CodedError BAD_INPUT when something else is connected
 */
export async function connectedReranker(ctx: IExecuteFunctions | ISupplyDataFunctions, itemIndex: number): Promise<Reranker | undefined> {
	const [supplied] = asList(await ctx.getInputConnectionData(NodeConnectionTypes.AiReranker, itemIndex));
	if (supplied === undefined) return undefined;
	const marked = portValueOf(supplied);
	if (marked?.kind === 'reranker') return marked.value;
	if (typeof asRecord(supplied).compressDocuments === 'function') return fromForeign(supplied as ForeignReranker);
	throw new CodedError('BAD_INPUT', 'What is connected to the Reranker input is not a reranker', {
		remedy: 'Connect the Reranker node or one of n8n\'s rerankers.',
	});
}

/** Documents stand in the order of the first search, so the place tells the first score; their own id is not known. */
function toHit(page: Page, at: number, all: readonly Page[]): Hit {
	const score = all.length < 2 ? 1 : 1 - at / (all.length - 1);
	return { id: String(at), documentId: String(at), text: page.pageContent, meta: {}, score };
}

function fromForeign(foreign: ForeignReranker): Reranker {
	return async ({ query, hits, topK }) => {
		if (hits.length === 0) return [];
		const pages = hits.map((hit, at) => ({ pageContent: hit.text, metadata: { ...hit.meta, reactengineHit: at } }));
		const ranked = await foreign.compressDocuments(pages, query);
		return ranked.slice(0, topK).flatMap(({ metadata = {} }) => {
			const hit = hits[Number(metadata.reactengineHit)];
			const score = Number(metadata.relevanceScore ?? 0);
			return hit ? [{ ...hit, score, scores: { ...hit.scores, first: hit.score, rerank: score } }] : [];
		});
	};
}
