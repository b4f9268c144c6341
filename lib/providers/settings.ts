import type { ChatModel } from '../core/model';
import type { Embedder } from '../core/document';
import type { Ports } from '../core/ports';
import type { Granularity } from '../core/stream-message';

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
	/** Sent with each request beside the key. */
	readonly headers?: { readonly [name: string]: string };
	/** How long Ollama keeps the model in memory afterwards: seconds, or a text such as `10m`; negative for ever. */
	readonly keepAlive?: string | number;
	/** Longest context that may be asked of Ollama, in tokens; default 32,768. */
	readonly maxContextTokens?: number;
	/** Rules of generation for llama.cpp, in GBNF; not sent together with tools or a schema. */
	readonly grammar?: string;
	/** Which file of a local model is used. */
	readonly dtype?: string;
	/** Who uses a local model: locks what it is, and is named beside it in memory. */
	readonly who?: { readonly workflow: string; readonly node: string };
	/** Turns of the replay provider: JSON text or the parsed value. */
	readonly script?: unknown;
	/** File of a recording that the replay provider plays instead of a script. */
	readonly recordingFile?: string;
	/** File that exchanges are added to, redacted. */
	readonly recordTo?: string;
	/** Most replies that this process asks of the server at once. */
	readonly maxConcurrent?: number;
	/** The model takes pictures, as the builder says; providers cannot tell for each model. */
	readonly seesPictures?: boolean;
	readonly granularity?: Granularity;
	/** File that the stream of each reply is added to, one message a line. */
	readonly streamLog?: StreamLogSettings;
}

export interface StreamLogSettings {
	readonly file: string;
	/** Keeps only the lengths of what was sent. */
	readonly hidePrompts?: boolean;
}

/** What a provider needs to make an embedder. */
export interface EmbedSettings extends Omit<ChatSettings, 'temperature' | 'maxTokens' | 'script' | 'dtype' | 'who' | 'grammar' | 'maxContextTokens' | 'recordingFile' | 'recordTo' | 'seesPictures' | 'granularity' | 'streamLog'> {
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
