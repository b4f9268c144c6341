import type { ErrorCode } from '../core/errors';

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
	readonly pooling: 'mean' | 'cls';
}

/** What the host process is asked. Goes over the process channel with structured cloning. */
export type HostRequest =
	| {
			readonly type: 'embed';
			readonly id: number;
			readonly model: ModelOnDisk;
			readonly texts: readonly string[];
			/** Queries overtake passages that wait. */
			readonly urgent: boolean;
	  }
	| { readonly type: 'cancel'; readonly id: number };

/** What it answers. Vectors stand one after another in `numbers`, `dimension` each. */
export type HostReply =
	| { readonly type: 'ready'; readonly backend: 'native' | 'wasm' }
	| { readonly type: 'vectors'; readonly id: number; readonly numbers: Float32Array; readonly dimension: number; readonly splitTexts: number }
	| { readonly type: 'failed'; readonly id: number; readonly code: ErrorCode; readonly message: string; readonly remedy?: string };
