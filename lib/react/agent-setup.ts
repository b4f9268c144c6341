import type { Message } from '../core/message';
import type { ChatModel } from '../core/model';
import type { Ports } from '../core/ports';
import type { Protocol } from '../core/run';
import type { Tool } from '../core/tool';
import type { Language } from '../text/language';
import type { ModelPrice } from './price';
import type { ResultStore } from './result-store';
import type { OutputReader } from './structured-output';

/** Caps of one run. All must be above 0; Infinity switches one off. */
export interface Limits {
	readonly maxSteps: number;
	readonly maxSeconds: number;
	readonly maxTokens: number;
	/** In the currency of the prices; reached only when the cost is known. */
	readonly maxCost: number;
	/** Tokens, estimated, of the history that is sent along. */
	readonly maxHistoryTokens: number;
	/** Tokens, estimated, of the run's own turns; above it older observations are shortened. */
	readonly maxContextTokens: number;
	/** Characters of one observation that the model sees; the rest is read with `read_result`. */
	readonly maxObservationCharacters: number;
	/** Corrective turns in a row before the run is forced to its end. */
	readonly maxCorrections: number;
}

export const DEFAULT_LIMITS: Limits = {
	maxSteps: 12,
	maxSeconds: 300,
	maxTokens: 200_000,
	maxCost: Infinity,
	maxHistoryTokens: 8_000,
	maxContextTokens: 60_000,
	maxObservationCharacters: 20_000,
	maxCorrections: 3,
};

/** Everything a run needs that is not its state. The same setup must be given again when a suspended run goes on. */
export interface AgentSetup {
	readonly model: ChatModel;
	/** Takes over when the model fails in a way that may pass (down, rate-limited, timed out). */
	readonly fallbackModel?: ChatModel;
	/** Only the tools that this run may use. */
	readonly tools: readonly Tool[];
	/** Tools that may be used too but are not shown at first; absent when no router stands before the agent. */
	readonly hidden?: {
		readonly tools: readonly Tool[];
		/** What the model is told about the choice of tools; '' for nothing. */
		readonly note: string;
		/** Names of hidden tools that fit a need, best first. */
		find(need: string): Promise<readonly string[]>;
	};
	readonly protocol: 'auto' | Protocol;
	readonly language: Language;
	readonly limits: Limits;
	/** At a cap: `answer` asks once more with the tools off; `fail` ends with what was done so far. */
	readonly atLimit: 'fail' | 'answer';
	/** Which tools a person must approve before each call; absent: none. */
	readonly needsApproval?: (tool: Tool) => boolean;
	readonly temperature: number;
	readonly prices: readonly ModelPrice[];
	/** Absent: the answer is text. */
	readonly output?: OutputReader;
	readonly results: ResultStore;
	readonly ports: Ports;
	readonly signal: AbortSignal;
}

/** What a run starts from. */
export interface AgentInput {
	readonly instructions: string;
	readonly query: string;
	/** Text of documents found for the query; fenced as data. '' for none. */
	readonly context: string;
	/** Earlier turns, oldest first. */
	readonly history: readonly Message[];
	/** The calendar day and timezone the model may rely on, e.g. `2026-11-29 (Europe/Paris)`. */
	readonly today: string;
	/** A plan is written first and then followed step by step. */
	readonly plansFirst?: boolean;
}
