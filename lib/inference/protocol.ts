import type { ErrorCode, ErrorReason } from '../core/errors';
import type { Who } from './engine-settings';

/** Number formats of model files, as their names say; q4 and q8 are the small ones. */
export const DTYPE_SUFFIX = {
	fp32: '',
	fp16: '_fp16',
	q8: '_quantized',
	int8: '_int8',
	uint8: '_uint8',
	q4: '_q4',
	q4f16: '_q4f16',
	bnb4: '_bnb4',
} as const;

export type Dtype = keyof typeof DTYPE_SUFFIX;

/** `auto` takes the native library and, where it cannot be loaded, WebAssembly. */
export type Backend = 'auto' | 'wasm';

/** A model on disk, as the host process loads it. */
export interface ModelOnDisk {
	/** Absolute; holds config.json, tokenizer.json and onnx/. */
	readonly folder: string;
	readonly dtype: Dtype;
	/** For encoders. */
	readonly pooling: 'mean' | 'cls';
}

/** What a causal language model is to write, in the terms of its chat template. */
export interface GenerateSpec {
	readonly messages: readonly { readonly [field: string]: unknown }[];
	readonly tools: readonly { readonly [field: string]: unknown }[];
	/** Default 1,024. */
	readonly maxTokens?: number;
	/** Absent or 0 takes the likeliest token each time. */
	readonly temperature?: number;
}

export type ScoreMethod = 'cross-encoder' | 'late-interaction';

/** What the host process is asked, and for whom. Goes over the process channel with structured cloning. */
export type HostRequest = { readonly id: number; readonly who?: Who } & (
	| {
			readonly type: 'embed';
			readonly model: ModelOnDisk;
			readonly texts: readonly string[];
			/** Queries overtake passages that wait. */
			readonly urgent: boolean;
	  }
	| {
			readonly type: 'score';
			readonly model: ModelOnDisk;
			readonly method: ScoreMethod;
			readonly query: string;
			readonly texts: readonly string[];
			readonly urgent: boolean;
	  }
	| { readonly type: 'generate'; readonly model: ModelOnDisk; readonly spec: GenerateSpec }
	| { readonly type: 'describe' }
	/** Without a folder all models go. */
	| { readonly type: 'unload'; readonly folder?: string }
	| { readonly type: 'cancel' }
);

/** A model in the memory of the host process. */
export interface LoadedModel {
	readonly folder: string;
	readonly dtype: Dtype;
	readonly use: 'encoder' | 'cross-encoder' | 'language-model';
	/** Milliseconds since 1970. */
	readonly loadedAt: number;
	/** Whose request loaded it; absent where nobody was named. */
	readonly loadedBy?: Who;
	readonly lastUsedAt: number;
	readonly requests: number;
	/** Size of its weights on disk, in bytes. */
	readonly weightBytes: number;
}

export interface HostDescription {
	readonly backend: 'native' | 'wasm';
	/** Resident memory of the host process. */
	readonly rssBytes: number;
	readonly models: readonly LoadedModel[];
}

/** What it answers. Vectors stand one after another in `numbers`, `dimension` each. `text` comes any number of times before `generated`. */
export type HostReply =
	| { readonly type: 'ready'; readonly backend: 'native' | 'wasm' }
	| { readonly type: 'vectors'; readonly id: number; readonly numbers: Float32Array; readonly dimension: number; readonly splitTexts: number }
	| { readonly type: 'scores'; readonly id: number; readonly scores: Float32Array }
	| { readonly type: 'text'; readonly id: number; readonly text: string }
	| {
			readonly type: 'generated';
			readonly id: number;
			readonly inputTokens: number;
			readonly outputTokens: number;
			readonly reason: 'stop' | 'length';
	  }
	| ({ readonly type: 'described'; readonly id: number } & HostDescription)
	| { readonly type: 'unloaded'; readonly id: number; readonly count: number }
	| {
			readonly type: 'failed';
			readonly id: number;
			readonly code: ErrorCode;
			readonly message: string;
			readonly remedy?: string;
			readonly reason?: ErrorReason;
	  };
