import type { Hit, Reranker } from '../core/document';
import type { ChatModel } from '../core/model';
import type { Question, RelevanceTools } from './question';

/** One thing that is done to the passages. `quotes` and `summary` ask a model. */
export type CompressionStep = 'filter' | 'extract' | 'quotes' | 'summary';

/**
 * `recommended` takes the best passages (of a reranker when there is one, or as many as `keepPassages` says), then the best
 * sentences. `extract` keeps sentences, `filter` whole passages, `both` first drops passages, then keeps sentences of the rest.
 * `quotes` and `summary` ask a model. `chain` does the steps of `chain`.
 */
export type CompressionMethod = 'recommended' | 'extract' | 'filter' | 'both' | 'quotes' | 'summary' | 'chain';

export interface CompressRequest extends Question {
	readonly documents: readonly Hit[];
	readonly method: CompressionMethod;
	/** For method `chain`: what is done, in order. */
	readonly chain?: readonly CompressionStep[];
	/** Share of the characters that may stay, above 0 to 1. */
	readonly keepShare: number;
	/** Most tokens of `context`, as estimated; counts beside `keepShare`, the stricter one wins. */
	readonly maxTokens: number;
	/** For `filter` and `both`: passages below this share (0..1) of the best one's relevance are dropped. */
	readonly minRelevance: number;
	/** Passages that a reranker or `recommended` lets pass at most. Default: 8 of a reranker, else all. */
	readonly keepPassages?: number;
	/** Whether a sentence too long for the room is cut at its clauses. Default true. */
	readonly cutLongSentences?: boolean;
	/** When nothing would be kept: the first passages as they are (default), or none. Either is told in a warning. */
	readonly ifNothing?: 'keep' | 'none';
	/** Model calls at a time. Default 4. */
	readonly maxParallel?: number;
}

export interface CompressTools extends RelevanceTools {
	/** Goes before all else: its best passages are compressed. */
	readonly reranker?: Reranker;
	/** For `quotes` and `summary`. */
	readonly model?: ChatModel;
	/** New ids; one makes the fence around passages that a model reads. Default random. */
	readonly ids?: () => string;
}

const STEPS: Readonly<Record<Exclude<CompressionMethod, 'chain'>, readonly CompressionStep[]>> = {
	recommended: ['extract'],
	extract: ['extract'],
	filter: ['filter'],
	both: ['filter', 'extract'],
	quotes: ['quotes'],
	summary: ['summary'],
};

/** What a request does, in order; an empty chain keeps sentences. */
export function stepsOf(request: CompressRequest): readonly CompressionStep[] {
	if (request.method !== 'chain') return STEPS[request.method];
	return request.chain && request.chain.length > 0 ? request.chain : STEPS.extract;
}

/** True when a model is asked. */
export function asksModel(request: CompressRequest): boolean {
	return stepsOf(request).some((step) => step === 'quotes' || step === 'summary');
}
