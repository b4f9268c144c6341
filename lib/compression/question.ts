import type { Embedder, Hit, Reranker } from '../core/document';

/** What the passages are judged by. */
export interface Question {
	readonly query: string;
	/** Earlier turns of the conversation, oldest first; the last ones count a little. */
	readonly history: readonly string[];
}

export interface RelevanceTools {
	/** Without one only words are compared. */
	readonly embedder?: Embedder;
	/** Judges sentences too: a cross-encoder or late interaction. Without one words and meaning decide alone. */
	readonly sentenceJudge?: Reranker;
	readonly signal?: AbortSignal;
}

/** Turns of the history that are looked at, and what they weigh beside the query. */
const HISTORY_TURNS = 2;
export const HISTORY_WEIGHT = 0.25;

/** The last turns as one text; '' without a history. */
export function recentTurns(question: Question): string {
	return question.history.slice(-HISTORY_TURNS).join('\n').trim();
}

/** Title and section of a passage as one line; '' when it has neither. */
export function titleOf(hit: Hit): string {
	return [hit.title, hit.section].filter(Boolean).join(' › ');
}
