import { randomUUID } from 'node:crypto';
import type { Hit } from '../core/document';
import { CodedError } from '../core/errors';
import type { ModelTools, Tokens } from './ask-passages';
import { createBreather } from './breather';
import { extractSentences } from './extract-sentences';
import { type Judged, judge, restrict } from './judge';
import { type ModelStep, quoteSentences } from './quote-sentences';
import { recentTurns } from './question';
import { type CompressionStep, type CompressRequest, type CompressTools, stepsOf } from './request';
import type { Limits } from './room';
import { filterPassages } from './semantic-filter';
import { summarisePassages } from './summarise-passages';

/** One step by what it left. */
export interface StepCount {
	readonly step: CompressionStep | 'rerank' | 'best passages' | 'fit';
	readonly documents: number;
	readonly characters: number;
}

/** Passages on their way through the steps. */
export interface Progress {
	readonly hits: readonly Hit[];
	/** Of `hits`, when they were judged. */
	readonly judged?: Judged;
	readonly steps: readonly StepCount[];
	readonly warnings: readonly string[];
	readonly rejected: readonly string[];
	readonly usage: Tokens;
}

const DEFAULT_RERANKED = 8;
const DEFAULT_PARALLEL = 4;
/** What a step leaves to the next one, as a multiple of the final room. */
const ROOM_FOR_NEXT = 3;
/** A model reads so much of a passage at most: of a longer one, the sentences that serve the question. */
const READ_CHARACTERS = 12_000;

interface Run {
	readonly request: CompressRequest;
	readonly tools: CompressTools;
	readonly limits: Limits;
}

const wider = ({ maxCharacters, maxContext }: Limits, times: number): Limits => ({
	maxCharacters: maxCharacters * times,
	maxContext: maxContext * times,
});

const charactersOf = (hits: readonly Hit[]): number => hits.reduce((sum, hit) => sum + hit.text.length, 0);

function after(progress: Progress, step: StepCount['step'], hits: readonly Hit[], more: Partial<Progress> = {}): Progress {
	const { warnings, rejected, usage } = progress;
	const steps = [...progress.steps, { step, documents: hits.length, characters: charactersOf(hits) }];
	return { warnings, rejected, usage, ...more, hits, steps };
}

async function judgedOf({ request, tools }: Run, progress: Progress): Promise<Judged> {
	return progress.judged ?? (await judge(request, progress.hits, tools));
}

const withNote = (progress: Progress, { note }: Judged): Pick<Progress, 'warnings'> => ({
	warnings: note === undefined || progress.warnings.includes(note) ? progress.warnings : [...progress.warnings, note],
});

async function rerank({ request, tools }: Run, progress: Progress): Promise<Progress> {
	if (!tools.reranker || progress.hits.length === 0) return progress;
	// By their places, since ids of passages from elsewhere may repeat.
	const numbered = progress.hits.map((hit, place) => ({ ...hit, id: String(place) }));
	const query = [recentTurns(request), request.query].filter(Boolean).join('\n');
	const topK = request.keepPassages ?? DEFAULT_RERANKED;
	const ranked = await tools.reranker({ query, hits: numbered, topK, ...(tools.signal && { signal: tools.signal }) });
	// Back in the order of the search: what follows chooses by itself.
	const best = ranked.slice(0, topK).sort((a, b) => Number(a.id) - Number(b.id));
	return after(progress, 'rerank', best.map((hit) => ({ ...hit, id: progress.hits[Number(hit.id)]?.id ?? hit.id })));
}

async function bestPassages(run: Run, progress: Progress): Promise<Progress> {
	// Unasked, sentences choose among all passages: to choose passages first cost 6 to 10 points of the evidence in 20 of them.
	const maxPassages = run.request.keepPassages ?? Infinity;
	if (run.request.method !== 'recommended' || progress.hits.length <= maxPassages) return progress;
	const all = { maxCharacters: Infinity, maxContext: Infinity, minRelevance: 0, maxPassages };
	return await filtered(run, progress, 'best passages', all);
}

async function filtered(run: Run, progress: Progress, step: 'filter' | 'best passages', limits: Parameters<typeof filterPassages>[1]): Promise<Progress> {
	const judged = await judgedOf(run, progress);
	const kept = filterPassages(judged, limits);
	const hits = kept.map((position) => progress.hits[position]!);
	return after(progress, step, hits, { ...withNote(progress, judged), judged: restrict(judged, kept) });
}

async function extracted(run: Run, progress: Progress, limits: Limits): Promise<Progress> {
	const judged = await judgedOf(run, progress);
	const { cutLongSentences = true } = run.request;
	const hits = await extractSentences(run.request, judged, { ...limits, cutLongSentences }, createBreather(run.tools.signal));
	return after(progress, 'extract', hits, withNote(progress, judged));
}

/** Passages too long for a model, shortened without it. */
async function readable(run: Run, hits: readonly Hit[]): Promise<Hit[]> {
	const limits = { maxCharacters: READ_CHARACTERS, maxContext: Infinity };
	const short = async (hit: Hit): Promise<readonly Hit[]> => {
		if (hit.text.length <= READ_CHARACTERS) return [hit];
		return (await extracted(run, { ...NOTHING_DONE, hits: [hit] }, limits)).hits;
	};
	const read: Hit[] = [];
	for (const hit of hits) read.push(...(await short(hit)));
	return read;
}

function modelTools({ request, tools }: Run, step: string): ModelTools {
	if (!tools.model) {
		throw new CodedError('BAD_INPUT', `The step "${step}" needs a model, and none is connected`, {
			remedy: 'Connect a chat model to the Model input, or choose a method that keeps sentences without a model.',
		});
	}
	const mark = (tools.ids ?? randomUUID)().replace(/[^\da-f]/g, '').slice(0, 8);
	return { model: tools.model, mark, maxParallel: request.maxParallel ?? DEFAULT_PARALLEL, ...(tools.signal && { signal: tools.signal }) };
}

/** What a model step left; of passages whose call failed, the best sentences, as many as their share of the room allows. */
async function byModel(run: Run, progress: Progress, step: 'quotes' | 'summary', limits: Limits): Promise<Progress> {
	const tools = modelTools(run, step);
	const hits = await readable(run, progress.hits);
	const done: ModelStep =
		step === 'quotes' ? await quoteSentences(run.request, hits, tools) : await summarisePassages(run.request, hits, limits.maxCharacters, tools);
	const kept: Hit[] = [];
	for (const [position, hit] of hits.entries()) {
		const one = done.kept[position];
		if (one === 'failed') {
			const share = hit.text.length / Math.max(1, charactersOf(hits));
			kept.push(...(await extracted(run, { ...NOTHING_DONE, hits: [hit] }, wider(limits, share))).hits);
		} else if (one) kept.push(one);
	}
	const { calls, inputTokens, outputTokens } = progress.usage;
	const usage = {
		calls: calls + done.usage.calls,
		inputTokens: inputTokens + done.usage.inputTokens,
		outputTokens: outputTokens + done.usage.outputTokens,
	};
	const rejected = [...progress.rejected, ...done.rejected];
	return after(progress, step, kept, { usage, rejected, warnings: [...progress.warnings, ...done.warnings] });
}

export const NOTHING_DONE: Progress = { hits: [], steps: [], warnings: [], rejected: [], usage: { calls: 0, inputTokens: 0, outputTokens: 0 } };

/**
 * Does the steps of a request in order; each gets what the one before left, and three times the final room while others follow.
 * Stops when nothing is left. Throws what embedder, reranker and model throw, and BAD_INPUT when a model is needed and missing.
 */
export async function runSteps(request: CompressRequest, hits: readonly Hit[], limits: Limits, tools: CompressTools): Promise<Progress> {
	const run: Run = { request, tools, limits };
	let progress = await bestPassages(run, await rerank(run, { ...NOTHING_DONE, hits }));
	const steps = stepsOf(request);
	for (const [position, step] of steps.entries()) {
		if (progress.hits.length === 0) return progress;
		const room = position < steps.length - 1 ? wider(limits, ROOM_FOR_NEXT) : limits;
		if (step === 'filter') progress = await filtered(run, progress, step, { ...room, minRelevance: request.minRelevance, maxPassages: Infinity });
		else if (step === 'extract') progress = await extracted(run, progress, room);
		else progress = await byModel(run, progress, step, room);
	}
	return progress;
}
