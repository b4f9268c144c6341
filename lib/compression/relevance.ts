import type { Embedder } from '../core/document';
import { analyse } from '../text/analyse';
import { normaliseScores } from '../text/blend-scores';
import { createBm25 } from '../text/bm25';

/** What the passages are judged by. */
export interface Question {
	readonly query: string;
	/** Earlier turns of the conversation, oldest first; the last ones count a little. */
	readonly history: readonly string[];
}

/** A text to judge, with the title that says what it is about. */
export interface Judged {
	readonly text: string;
	readonly title: string;
}

export interface RelevanceTools {
	/** Without one only words are compared. */
	readonly embedder?: Embedder;
	readonly signal?: AbortSignal;
}

/** Turns of the history that are looked at, and what they weigh beside the query. */
const HISTORY_TURNS = 2;
const HISTORY_WEIGHT = 0.25;
/** Weight of meaning beside words. */
const ALPHA = 0.5;

function recentTurns(question: Question): string {
	return question.history.slice(-HISTORY_TURNS).join('\n').trim();
}

function lexicalRelevance(question: Question, texts: readonly Judged[]): Float64Array {
	const index = createBm25(texts.map(({ title, text }) => analyse(`${title}\n${text}`)));
	const scores = index.score(analyse(question.query));
	const turns = recentTurns(question);
	if (turns === '') return scores;
	const fromTurns = index.score(analyse(turns));
	return scores.map((score, position) => score + HISTORY_WEIGHT * (fromTurns[position] ?? 0));
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

async function denseRelevance(question: Question, texts: readonly Judged[], tools: Required<Pick<RelevanceTools, 'embedder'>> & RelevanceTools) {
	const signal = tools.signal && { signal: tools.signal };
	const turns = recentTurns(question);
	const asked = turns === '' ? [question.query] : [question.query, turns];
	const [queryVector, turnsVector] = await tools.embedder.embed(asked, { kind: 'query', ...signal });
	const passages = texts.map(({ title, text }) => (title === '' ? text : `${title}: ${text}`));
	const vectors = await tools.embedder.embed(passages, { kind: 'passage', ...signal });
	return Float64Array.from(vectors, (vector) => {
		const toQuery = queryVector ? dot(queryVector, vector) : 0;
		return turnsVector ? toQuery + HISTORY_WEIGHT * dot(turnsVector, vector) : toQuery;
	});
}

/**
 * How much each text serves the question, 0..1 within this call: the mean of BM25 over title and text, stemmed, and of the
 * encoder's cosine, each brought to 0..1. The order of the texts is kept; [] gives [] and asks the encoder nothing.
 *
 * All 0 means that nothing tells them apart. Throws what the embedder throws.
 */
export async function relevanceOf(question: Question, texts: readonly Judged[], tools: RelevanceTools): Promise<Float64Array> {
	if (texts.length === 0) return new Float64Array(0);
	const { embedder } = tools;
	const lexical = normaliseScores(lexicalRelevance(question, texts));
	if (!embedder) return lexical;
	const dense = normaliseScores(await denseRelevance(question, texts, { ...tools, embedder }));
	return lexical.map((score, position) => (1 - ALPHA) * score + ALPHA * (dense[position] ?? 0));
}
