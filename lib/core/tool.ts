import type { JsonSchema } from './model';

/** A file made by a tool; `data` is base64 without a prefix. */
export interface ToolFile {
	readonly name: string;
	readonly mediaType: string;
	readonly data: string;
}

/** What a tool gives back. `text` is what the model reads; `data` is the same as JSON, for reports and for later tools. */
export interface ToolOutput {
	readonly text: string;
	readonly isError?: boolean;
	readonly data?: unknown;
	readonly files?: readonly ToolFile[];
	/** Set by tools that are agents themselves. */
	readonly usage?: ToolUsage;
}

export interface ToolContext {
	readonly signal: AbortSignal;
	/** What is left for an agent that is called as a tool; absent when the caller has no budget. */
	readonly budget?: SharedBudget;
}

/** What an agent hands on to an agent that it calls. Plain JSON. */
export interface SharedBudget {
	/** Tokens, seconds and cost that are left; absent for no limit. */
	readonly maxTokens?: number;
	readonly maxSeconds?: number;
	readonly maxCost?: number;
	/** Names of the agents in the chain, the first caller first. */
	readonly path: readonly string[];
}

/** Tokens that a tool's own model calls took. */
export interface ToolUsage {
	readonly in: number | null;
	readonly out: number | null;
	/** What an agent that was called cost; null when it is not known. */
	readonly cost?: number | null;
}

/** Hints in the sense of the Model Context Protocol; absent means unknown. */
export interface ToolAnnotations {
	readonly readOnly?: boolean;
	readonly destructive?: boolean;
	readonly idempotent?: boolean;
}

/**
 * A tool that a model may call.
 *
 * `run` gets arguments that already fit `inputSchema`. It may throw: the caller turns that into an error result for the
 * model, so a failing tool never ends a run.
 */
export interface Tool {
	/** snake_case, at most 64 characters of [a-zA-Z0-9_-]. */
	readonly name: string;
	/** One line: what it is for in the user's business. What a router matches and the model first sees. */
	readonly intent: string;
	/** The full description, shown after a failed call. */
	readonly description: string;
	readonly inputSchema: JsonSchema;
	readonly tags: readonly string[];
	readonly annotations?: ToolAnnotations;
	/** True when the tool waits for a person: at most one such call may be open in an execution. */
	readonly waits?: boolean;
	/** True when a call of the tool ends the run with a question; another execution goes on with the answer. */
	readonly endsRun?: boolean;
	/** True when the tool is an agent: it gets what is left of the caller's budget and reports its tokens. */
	readonly isAgent?: boolean;
	/** Names of other tools that a call of this one runs: what asks before them asks before this one. */
	readonly uses?: readonly string[];
	run(input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
}

/** The answer to one call, as an observation. */
export interface ToolResult {
	readonly callId: string;
	readonly name: string;
	readonly text: string;
	readonly isError: boolean;
	readonly data?: unknown;
	readonly files?: readonly ToolFile[];
	readonly usage?: ToolUsage;
	readonly durationMs: number | null;
}
