/**
 * Contextual compression: of the passages that were found, only what this question in this conversation needs.
 *
 * Comes in: query, history, passages, limits, an embedder when there is one. Goes out: fewer and shorter passages with their
 * metadata, the same as one numbered text for a prompt, and counts. No model is called. It finds nothing new and invents nothing:
 * every kept character stood in a passage.
 */
import type { Embedder, Hit } from '../core/document';
import { estimateTokens } from '../text/estimate-tokens';
import { type ExtractedHit, extractSentences } from './extract-sentences';
import { filterPassages, titleOf, withoutDuplicates } from './semantic-filter';

/** `extract` keeps sentences, `filter` whole passages, `both` first drops passages, then keeps sentences of the rest. */
export type CompressionMethod = 'extract' | 'filter' | 'both';

export interface CompressRequest {
	readonly query: string;
	/** Earlier turns, oldest first; [] for a first question. */
	readonly history: readonly string[];
	readonly documents: readonly Hit[];
	readonly method: CompressionMethod;
	/** Share of the characters that may stay, above 0 to 1. */
	readonly keepShare: number;
	/** Most tokens kept, as estimated; counts beside `keepShare`, the stricter one wins. */
	readonly maxTokens: number;
	/** For `filter` and `both`: passages below this share (0..1) of the best one's relevance are dropped. */
	readonly minRelevance: number;
}

export interface CompressTools {
	readonly embedder?: Embedder;
	readonly signal?: AbortSignal;
}

/** What compression did, as plain JSON. Tokens are estimates. */
export interface CompressionCounts {
	readonly documentsIn: number;
	readonly documentsOut: number;
	readonly charactersIn: number;
	readonly charactersOut: number;
	readonly tokensIn: number;
	readonly tokensOut: number;
	readonly method: CompressionMethod | 'none';
	readonly warnings: readonly string[];
}

export interface CompressResult {
	readonly documents: readonly (Hit | ExtractedHit)[];
	/** The passages as one text, each under its number, title and source; '' without passages. */
	readonly context: string;
	readonly compression: CompressionCounts;
}

const CHARACTERS_PER_TOKEN = 3.5;
/** What `both` leaves to the sentences after dropping passages, as a multiple of the final room. */
const ROOM_FOR_SENTENCES = 3;

const charactersOf = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + hit.text.length, 0);
const tokensOf = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + estimateTokens(hit.text), 0);

/** The passages as one text for a prompt: `[1] title › section (source)`, then the text, a blank line between. */
export function contextText(hits: readonly Hit[]): string {
	return hits
		.map((hit, position) => {
			const heading = [`[${position + 1}]`, titleOf(hit), hit.source ? `(${hit.source})` : ''].filter(Boolean).join(' ');
			return `${heading}\n${hit.text}`;
		})
		.join('\n\n');
}

async function shortened(request: CompressRequest, hits: readonly Hit[], room: number, tools: CompressTools): Promise<Hit[]> {
	const { method, minRelevance } = request;
	if (method === 'filter') return await filterPassages(request, hits, { maxCharacters: room, minRelevance }, tools);
	const wide = { maxCharacters: ROOM_FOR_SENTENCES * room, minRelevance };
	const passages = method === 'both' ? await filterPassages(request, hits, wide, tools) : hits;
	return await extractSentences(request, passages, room, tools);
}

function result(request: CompressRequest, documents: readonly Hit[], method: CompressionCounts['method'], warnings: string[]): CompressResult {
	return {
		documents,
		context: contextText(documents),
		compression: {
			documentsIn: request.documents.length,
			documentsOut: documents.length,
			charactersIn: charactersOf(request.documents),
			charactersOut: charactersOf(documents),
			tokensIn: tokensOf(request.documents),
			tokensOut: tokensOf(documents),
			method,
			warnings,
		},
	};
}

function firstThatFit(hits: readonly Hit[], room: number): Hit[] {
	const kept: Hit[] = [];
	let left = room;
	for (const hit of hits) {
		if (kept.length > 0 && hit.text.length > left) break;
		kept.push(hit);
		left -= hit.text.length;
	}
	return kept;
}

/**
 * Compresses passages for a question.
 *
 * Order and metadata are kept, blank and repeated passages dropped. When nothing can be kept, or there is no question, the first
 * passages that fit stay as they are, with a warning: passages never become nothing without a word. No passages ask the
 * embedder nothing. Throws what the embedder throws.
 */
export async function compress(request: CompressRequest, tools: CompressTools): Promise<CompressResult> {
	const hits = withoutDuplicates(request.documents.filter((hit) => hit.text.trim() !== ''));
	if (hits.length === 0) return result(request, [], 'none', []);
	const room = Math.floor(Math.min(request.keepShare * charactersOf(hits), request.maxTokens * CHARACTERS_PER_TOKEN));
	if (request.query.trim() === '') {
		return result(request, firstThatFit(hits, room), 'none', ['There is no question, so the first passages were kept as they are.']);
	}
	if (room >= charactersOf(hits) && request.minRelevance <= 0) return result(request, hits, 'none', []);
	const warnings = tools.embedder ? [] : ['Only words were compared: no embeddings are connected.'];
	const kept = await shortened(request, hits, room, tools);
	if (kept.length > 0) return result(request, kept, request.method, warnings);
	warnings.push('The limits leave room for no sentence, so the first passage was kept whole.');
	return result(request, firstThatFit(hits, room), 'none', warnings);
}
