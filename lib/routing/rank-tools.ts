import type { Embedder } from '../core/document';
import { messageOf } from '../core/errors';
import type { Log } from '../core/ports';
import { analyse } from '../text/analyse';
import { bothEnds } from '../text/both-ends';
import { queryParts } from './demands';
import { inEnglish } from './french-terms';
import type { RoutableTool } from './intent-map';
import { lexicalIndex, semanticIndex, type LexicalIndex, type SemanticIndex } from './tool-index';

/** Weight of the words beside the encoder, both brought to one scale. The middle of a flat range (0.25 to 0.45). */
const WORDS_WEIGHT = 0.35;
/** Weight of the best single sentence beside the whole query. */
const SENTENCE_WEIGHT = 0.4;
/** Weight of what was said before. */
const HISTORY_WEIGHT = 0.3;
/** Characters of a query that are read: of a longer one its beginning and its end, where the demand stands beside pasted text. */
const LONGEST_QUERY = 4_000;

export interface RankedTool {
	readonly tool: RoutableTool;
	/** Place in the set that was ranked. */
	readonly at: number;
	/** Standard deviations above the mean tool; comparable within one ranking only. */
	readonly score: number;
	/** 0..1, comparable between queries: closeness in meaning and share of the query's words that the tool has. */
	readonly relevance: number;
	/** Closeness in meaning, -1..1. */
	readonly semantic?: number;
	/** Share of the query's words, weighted by rarity, that the tool has: 0..1. */
	readonly lexical: number;
}

export interface ToolRanking {
	/** Best first; every tool once. */
	readonly ranked: readonly RankedTool[];
	/** For each separate demand of the query, the tools best first; [] when there is only one. */
	readonly demands: readonly { readonly text: string; readonly ranked: readonly RankedTool[] }[];
	readonly method: 'blend' | 'lexical';
	/** Vector of each tool, by its place; absent without an encoder. */
	readonly vectors?: readonly Float32Array[];
	/** Why the encoder was not used, when it should have been. */
	readonly warning?: string;
}

export interface RankOptions {
	readonly embedder?: Embedder;
	/** Where vectors of tools are kept between processes. */
	readonly vectorsFolder?: string;
	/** What was said before the query, newest last; '' for nothing. */
	readonly history?: string;
	readonly log?: Log;
	readonly signal?: AbortSignal;
}

/**
 * Ranks tools for a query by words (stemmed BM25) and, with an embedder, by meaning too.
 *
 * When the embedder fails the ranking is lexical and says why: a slow or dead encoder must not stop an agent. An empty query
 * keeps the order of the tools, all scores 0.
 */
export async function rankTools(tools: readonly RoutableTool[], query: string, options: RankOptions = {}): Promise<ToolRanking> {
	const text = bothEnds(query.trim(), LONGEST_QUERY);
	const index = lexicalIndex(tools);
	if (text === '' || tools.length === 0 || !options.embedder) return rankBy(tools, text, { index, history: options.history });
	try {
		const meaning = await meaningOf(tools, text, { ...options, embedder: options.embedder });
		return rankBy(tools, text, { index, meaning, history: options.history });
	} catch (error) {
		options.signal?.throwIfAborted();
		const warning = `The embeddings could not be used (${messageOf(error)}): tools were ranked by their words only.`;
		return { ...rankBy(tools, text, { index, history: options.history }), warning };
	}
}

/** The vectors of the tools and of all that is asked. */
interface Meaning {
	readonly index: SemanticIndex;
	readonly asked: ReadonlyMap<string, Float32Array>;
}

async function meaningOf(tools: readonly RoutableTool[], text: string, options: RankOptions & { embedder: Embedder }): Promise<Meaning> {
	const index = await semanticIndex(tools, { ...options, folder: options.vectorsFolder });
	const { sentences, demands } = queryParts(text);
	const asked = [text, ...sentences, ...demands, ...historyOf(options.history)];
	const texts = [...new Set([...asked, ...asked.map(inEnglish).filter((english) => english !== '')])];
	const vectors = await options.embedder.embed(texts, { kind: 'query', signal: options.signal });
	if (!vectors[0]) throw new Error('no vector for the query');
	return { index, asked: new Map(texts.map((one, at) => [one, vectors[at] ?? new Float32Array()])) };
}

function historyOf(history: string | undefined): string[] {
	const text = (history ?? '').trim().slice(-LONGEST_QUERY);
	return text === '' ? [] : [text];
}

interface Evidence {
	readonly index: LexicalIndex;
	readonly meaning?: Meaning;
	readonly history?: string;
}

function rankBy(tools: readonly RoutableTool[], text: string, evidence: Evidence): ToolRanking {
	const { sentences, demands } = queryParts(text);
	const whole = match(tools, text, evidence);
	const parts = sentences.map((sentence) => match(tools, sentence, evidence));
	const before = historyOf(evidence.history).map((history) => match(tools, history, evidence));
	const scores = whole.scores.map((score, at) => {
		const best = parts.length === 0 ? 0 : Math.max(...parts.map((part) => part.scores[at] ?? 0));
		return score + SENTENCE_WEIGHT * best + HISTORY_WEIGHT * (before[0]?.scores[at] ?? 0);
	});
	return {
		ranked: ordered(tools, { ...bestOf([whole, ...parts, ...before]), scores }),
		demands: demands.map((demand) => ({ text: demand, ranked: ordered(tools, match(tools, demand, evidence)) })),
		method: evidence.meaning ? 'blend' : 'lexical',
		...(evidence.meaning && { vectors: evidence.meaning.index.tools }),
	};
}

interface Match {
	readonly scores: readonly number[];
	readonly semantic?: readonly number[];
	readonly lexical: readonly number[];
}

function match(tools: readonly RoutableTool[], text: string, { index, meaning }: Evidence): Match {
	const english = inEnglish(text);
	const tokens = text === '' ? [] : [...analyse(text), ...analyse(english, { language: 'en' })];
	const words = standardised(index.bm25.score(tokens));
	const lexical = coverage(tools.length, tokens, index);
	const asked = meaning?.asked.get(text);
	if (!meaning || !asked) return { scores: words, lexical };
	const translated = meaning.asked.get(english);
	const semantic = closeness(translated ? mean(asked, translated) : asked, meaning.index);
	const meanings = standardised(semantic);
	return { scores: meanings.map((score, at) => score + WORDS_WEIGHT * (words[at] ?? 0)), semantic, lexical };
}

/** For each tool its best match with any of the texts: one sentence that fits makes it relevant. */
function bestOf(matches: readonly Match[]): Pick<Match, 'semantic' | 'lexical'> {
	const most = (lists: readonly (readonly number[])[]): number[] =>
		(lists[0] ?? []).map((_first, at) => Math.max(...lists.map((list) => list[at] ?? 0)));
	const semantic = matches.flatMap((one) => (one.semantic ? [one.semantic] : []));
	return { lexical: most(matches.map(({ lexical }) => lexical)), ...(semantic.length > 0 && { semantic: most(semantic) }) };
}

function closeness(asked: Float32Array, index: SemanticIndex): number[] {
	const close = index.tools.map((vector) => dot(asked, vector));
	for (const { tool, vector } of index.examples) close[tool] = Math.max(close[tool] ?? -1, dot(asked, vector));
	return close;
}

function coverage(count: number, tokens: readonly string[], index: LexicalIndex): number[] {
	const wanted = [...new Set(tokens)].filter((token) => !token.startsWith('='));
	const total = wanted.reduce((sum, token) => sum + index.rarity(token), 0);
	if (total === 0) return new Array<number>(count).fill(0);
	return index.tokens.map((own) => wanted.reduce((sum, token) => sum + (own.has(token) ? index.rarity(token) : 0), 0) / total);
}

/** (score − mean) / standard deviation; all 0 where nothing differs. */
function standardised(scores: ArrayLike<number>): number[] {
	const list = Array.from(scores);
	const mean = list.reduce((sum, score) => sum + score, 0) / Math.max(1, list.length);
	const spread = Math.sqrt(list.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, list.length));
	return list.map((score) => (spread > 0 ? (score - mean) / spread : 0));
}

function ordered(tools: readonly RoutableTool[], { scores, semantic, lexical }: Match): RankedTool[] {
	const ranked = tools.map((tool, at): RankedTool => {
		const words = lexical[at] ?? 0;
		const close = semantic?.[at];
		const relevance = close === undefined ? words : Math.max(0, Math.min(1, 0.8 * close + 0.2 * words));
		return { tool, at, score: scores[at] ?? 0, relevance, lexical: words, ...(close !== undefined && { semantic: close }) };
	});
	return ranked.sort((a, b) => b.score - a.score || a.at - b.at);
}

/** Closeness to the mean is the mean of both; an encoder of one language is lost in the other. */
function mean(a: Float32Array, b: Float32Array): Float32Array {
	return a.map((value, at) => (value + (b[at] ?? 0)) / 2);
}

function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
	return sum;
}
