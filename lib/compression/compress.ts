/**
 * Contextual compression: of the passages that were found, only what this question in this conversation needs.
 *
 * Comes in: query, history, passages, limits; an embedder, a reranker and a model when there are some. Goes out: fewer and shorter
 * passages with their metadata, the same as one numbered text for a prompt, and counts. `run-steps` does the families in order:
 * semantic filter, sentences (word for word), a model's quotes (checked) or summaries (with the ids of their passages). It finds
 * nothing new; without a model every kept character stood in a passage. Passages are data: nothing in them is obeyed.
 */
import type { Hit } from '../core/document';
import { estimateTokens } from '../text/estimate-tokens';
import type { Tokens } from './ask-passages';
import { createBreather } from './breather';
import type { ExtractedHit } from './excerpt';
import { asksModel, type CompressionMethod, type CompressRequest, type CompressTools } from './request';
import { headingOf, type Limits } from './room';
import { NOTHING_DONE, type Progress, runSteps, type StepCount } from './run-steps';
import { withoutDuplicates } from './same-text';
import { firstThatFit } from './semantic-filter';
import { citationOf, type SummarisedHit } from './summarise-passages';

export type { CompressionMethod, CompressionStep, CompressRequest, CompressTools } from './request';

/** What compression did, as plain JSON. Tokens are estimates, those of `model` what the model reported. */
export interface CompressionCounts {
	readonly documentsIn: number;
	readonly documentsOut: number;
	readonly charactersIn: number;
	readonly charactersOut: number;
	readonly tokensIn: number;
	readonly tokensOut: number;
	/** `none` when passages were left as they are. */
	readonly method: CompressionMethod | 'none';
	/** What each step left. */
	readonly steps: readonly StepCount[];
	readonly warnings: readonly string[];
	/** Quotes of the model that do not stand in their passage. */
	readonly rejected?: readonly string[];
	readonly model?: Tokens;
}

export interface CompressResult {
	readonly documents: readonly (Hit | ExtractedHit | SummarisedHit)[];
	/** The passages as one text, each under its number, title and source; '' without passages. */
	readonly context: string;
	readonly compression: CompressionCounts;
}

const CHARACTERS_PER_TOKEN = 3.5;

const charactersOf = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + hit.text.length, 0);
const tokensOf = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + estimateTokens(hit.text), 0);

/** The passages as one text for a prompt: `[1] title › section (source)`, then the text, a blank line between. */
export function contextText(hits: readonly Hit[]): string {
	return hits.map((hit, position) => `${headingOf(hit, position + 1)}\n${hit.text}`).join('\n\n');
}

function resultOf(request: CompressRequest, documents: readonly Hit[], method: CompressionCounts['method'], progress: Progress): CompressResult {
	const { steps, warnings, rejected, usage } = progress;
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
			steps,
			warnings,
			...(rejected.length > 0 && { rejected }),
			...(usage.calls > 0 && { model: usage }),
		},
	};
}

/**
 * What is still too long is cut to its best sentences, citations stay: models pass the length they were told, and the best passage may
 * be longer than the room.
 */
async function fitted(request: CompressRequest, progress: Progress, limits: Limits, tools: CompressTools): Promise<Progress> {
	const isWithin = charactersOf(progress.hits) <= limits.maxCharacters && contextText(progress.hits).length <= limits.maxContext;
	if (progress.hits.length === 0 || isWithin) return progress;
	const cited = (hit: Hit): string => ('isSummary' in hit ? ` ${citationOf(hit)}` : '');
	const bare = progress.hits.map((hit) => ({ ...hit, text: hit.text.slice(0, hit.text.length - cited(hit).length) }));
	const citations = progress.hits.reduce((sum, hit) => sum + cited(hit).length, 0);
	const room = { maxCharacters: limits.maxCharacters - citations, maxContext: limits.maxContext - citations };
	const cut = await runSteps({ ...request, method: 'extract' }, bare, room, tools.signal ? { signal: tools.signal } : {});
	const hits = cut.hits.map((hit) => ({ ...hit, text: hit.text + cited(hit) }));
	const warnings = asksModel(request) ? [] : ['The best passage is longer than the limit, so its best sentences were kept.'];
	return {
		...progress,
		hits,
		steps: [...progress.steps, { step: 'fit', documents: hits.length, characters: charactersOf(hits) }],
		warnings: [...progress.warnings, ...warnings],
	};
}

function nothingKept(request: CompressRequest, hits: readonly Hit[], limits: Limits, progress: Progress): CompressResult {
	const isNone = request.ifNothing === 'none';
	const warning = isNone
		? 'Nothing in the passages serves the question, so none was kept.'
		: 'Nothing that serves the question fits, so the first passages were kept as they are.';
	const warnings = [...progress.warnings, warning];
	return resultOf(request, isNone ? [] : firstThatFit(hits, limits), 'none', { ...progress, warnings });
}

/**
 * Compresses passages for a question.
 *
 * Order and metadata are kept, blank and repeated passages dropped. When nothing is kept, or there is no question, the first
 * passages that fit stay as they are (the very first even when it does not fit), with a warning: passages never become nothing
 * without a word. No passages ask neither embedder nor model. Throws as `runSteps` does.
 */
export async function compress(request: CompressRequest, tools: CompressTools): Promise<CompressResult> {
	const readable = request.documents.filter((hit) => hit.text.trim() !== '');
	const hits = await withoutDuplicates(readable, createBreather(tools.signal));
	if (hits.length === 0) return resultOf(request, [], 'none', NOTHING_DONE);
	const limits = {
		maxCharacters: Math.floor(request.keepShare * charactersOf(hits)),
		maxContext: Math.floor(request.maxTokens * CHARACTERS_PER_TOKEN),
	};
	if (request.query.trim() === '') {
		const warnings = ['There is no question, so the first passages were kept as they are.'];
		return resultOf(request, firstThatFit(hits, limits), 'none', { ...NOTHING_DONE, warnings });
	}
	const fitsAsItIs = charactersOf(hits) <= limits.maxCharacters && contextText(hits).length <= limits.maxContext;
	const mustJudge = request.minRelevance > 0 || tools.reranker !== undefined || asksModel(request);
	if (fitsAsItIs && !mustJudge) return resultOf(request, hits, 'none', NOTHING_DONE);
	const progress = await fitted(request, await runSteps(request, hits, limits, tools), limits, tools);
	return progress.hits.length > 0 ? resultOf(request, progress.hits, request.method, progress) : nothingKept(request, hits, limits, progress);
}
