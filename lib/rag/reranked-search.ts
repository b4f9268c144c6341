import type { Reranker } from '../core/document';
import type { Filter } from './filter';
import type { RetrieveResult } from './retrieve';

export interface SearchRequest {
	readonly query: string;
	readonly topK: number;
	/** Must hold beside the search's own. */
	readonly filter?: Filter;
	readonly signal?: AbortSignal;
}

export interface RerankedResult extends RetrieveResult {
	/** How many passages of the search the reranker was given; absent without one. */
	readonly reranked?: number;
}

export type Search = (request: SearchRequest) => Promise<RerankedResult>;

/**
 * A search whose passages a reranker puts in order: more are looked at than are wanted, and the best of them are given.
 *
 * A search that finds nothing asks no reranker. Throws what search and reranker throw.
 *
 * @param candidates  passages that the reranker is given at least; more when more are wanted
 */
export function rerankedSearch(search: Search, rerank: Reranker, candidates: number): Search {
	return async (request) => {
		const found = await search({ ...request, topK: Math.max(request.topK, candidates) });
		if (found.hits.length === 0) return found;
		const { query, topK, signal } = request;
		const hits = await rerank({ query, hits: found.hits, topK, ...(signal && { signal }) });
		return { ...found, hits: hits.slice(0, topK), reranked: found.hits.length };
	};
}
