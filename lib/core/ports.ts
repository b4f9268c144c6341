import type { ChatModel } from './model';
import type { Embedder, Reranker, Retriever } from './document';
import type { ConversationMemory } from './memory';
import type { Tool } from './tool';

/** What the engine needs of the outside world; tests pass their own. */
export interface Ports {
	readonly fetch: typeof globalThis.fetch;
	readonly clock: Clock;
	readonly log: Log;
	/** A new unique id each time. */
	readonly ids: () => string;
}

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Waits; rejects with the signal's reason when it aborts first. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** Calls `run` after a time, unless the function that it gives is called first. Optional: see `after`. */
	timer?(ms: number, run: () => void): () => void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string, facts?: Record<string, unknown>) => void;

/**
 * Marks what our nodes supply to an n8n port, so that our nodes recognise each other and get the core type instead of n8n's
 * shape. A registered symbol: two copies of the package in one process agree on it.
 */
export const PORT_MARK: unique symbol = Symbol.for('n8n-nodes-reactengine') as never;

/** Tools that a router held back. They are not shown to a model, but a call that names one is admitted. */
export interface HiddenTools {
	readonly tools: readonly Tool[];
	/** The node that supplies them. */
	readonly nodeName: string;
	/** What an agent should be told about the choice; absent for nothing. */
	readonly note?: string;
	/** Names of the hidden tools that fit a need, best first; [] for none. Never throws. */
	find(need: string): Promise<readonly string[]>;
}

/** What stands under PORT_MARK. */
export type PortValue =
	| { readonly version: 1; readonly kind: 'model'; readonly value: ChatModel }
	| { readonly version: 1; readonly kind: 'tools'; readonly value: readonly Tool[]; readonly hidden?: HiddenTools }
	| { readonly version: 1; readonly kind: 'embedder'; readonly value: Embedder }
	| { readonly version: 1; readonly kind: 'reranker'; readonly value: Reranker }
	| { readonly version: 1; readonly kind: 'retriever'; readonly value: Retriever }
	| { readonly version: 1; readonly kind: 'memory'; readonly value: ConversationMemory };

/** The marked value of a supplied object, or undefined when another package made it. Never throws. */
export function portValueOf(supplied: unknown): PortValue | undefined {
	if (typeof supplied !== 'object' || supplied === null) return undefined;
	return (supplied as { [PORT_MARK]?: PortValue })[PORT_MARK];
}
