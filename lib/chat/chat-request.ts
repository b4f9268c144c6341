import type { Hit } from '../core/document';
import type { Message } from '../core/message';
import type { ModelReply } from '../core/model';
import type { Language } from '../text/language';
import type { Condensed } from './condense';
import type { NumberedPassage } from './passages';
import type { ChatDetail } from './prompts';

/** What is asked of the chat engine, and how it is to answer. */
export interface ChatRequest {
	readonly question: string;
	/** Earlier turns, oldest first; [] for a fresh question. */
	readonly history: readonly Message[];
	readonly instructions: string;
	/** Absent: the language of the question. */
	readonly language?: Language;
	readonly detail: ChatDetail;
	/** False sends the question to the retriever as it is. */
	readonly condenses: boolean;
	/** Passages of the flow; absent: they are retrieved. */
	readonly documents?: readonly Hit[];
	/** Passages asked for. */
	readonly topK: number;
	/** Passages with a lower score (0..1) do not count as found. */
	readonly minScore: number;
	/** Most tokens of passages in the prompt, estimated. */
	readonly maxPassageTokens: number;
	/** Most tokens of history in the prompt, estimated. */
	readonly maxHistoryTokens: number;
	/** True answers from general knowledge where the documents do not tell. */
	readonly answersAnyway: boolean;
	/** The answer when the documents do not tell; absent: the usual words of the language. */
	readonly unknownAnswer?: string;
	readonly temperature: number;
}

/** What the stages left behind, for the result. */
export interface ChatTrace {
	readonly request: ChatRequest;
	readonly language: Language;
	readonly condensed: Condensed;
	/** Undefined for a greeting, which needs none. */
	readonly found: readonly Hit[] | undefined;
	readonly passages: readonly NumberedPassage[];
	readonly prompt: readonly Message[];
	/** Undefined when no model was asked. */
	readonly reply: ModelReply | undefined;
	readonly answer: string;
	readonly model: string;
	readonly startedAt: number;
	readonly retrieveMs: number | null;
	readonly answerMs: number | null;
	readonly firstTokenMs: number | null;
	readonly durationMs: number;
}
