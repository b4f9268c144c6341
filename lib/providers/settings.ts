import type { ChatModel } from '../core/model';
import type { Embedder } from '../core/document';
import type { Ports } from '../core/ports';

/** What a provider needs to make a chat model. Which fields are required depends on the provider. */
export interface ChatSettings {
	readonly model: string;
	/** Absent or '' sends no Authorization header. */
	readonly apiKey?: string;
	/** With or without /v1, as the provider's documentation writes it. */
	readonly baseUrl?: string;
	/** Name of a preset of the openai-compatible provider. */
	readonly preset?: string;
	/** The credential as the builder knows it; named when the key is refused. */
	readonly credentialName?: string;
	/** Used when the request has none; 0..2. */
	readonly temperature?: number;
	/** Used when the request has none. */
	readonly maxTokens?: number;
	/** Longest silence of the server, in milliseconds, before and while it answers; default 120,000. */
	readonly timeoutMs?: number;
	/** Attempts for one request, 1 means no retry; default 4. */
	readonly maxAttempts?: number;
	/** Turns of the replay provider: JSON text or the parsed value. */
	readonly script?: unknown;
}

/** What a provider needs to make an embedder. */
export interface EmbedSettings extends Omit<ChatSettings, 'temperature' | 'maxTokens' | 'script'> {
	/** Length every vector must have; absent accepts any, but one length for all. */
	readonly dimension?: number;
	/** Texts in one request; default 64. */
	readonly batchSize?: number;
	/** Put before each query and each passage, as some models ask. */
	readonly queryPrefix?: string;
	readonly passagePrefix?: string;
}

export type MakeChatModel = (settings: ChatSettings, ports: Ports) => ChatModel;
export type MakeEmbedder = (settings: EmbedSettings, ports: Ports) => Embedder;

export const DEFAULT_TIMEOUT_MS = 120_000;
