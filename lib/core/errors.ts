/**
 * Errors, one channel per floor. Below the loop everything throws CodedError; inside a step only RetryException and
 * ForceFinalizeException exist; `lib/n8n/to-node-error` alone turns them into n8n's errors.
 */

/** Why something failed; decides what the caller may do about it. */
export type ErrorCode = 'BAD_INPUT' | 'TIMEOUT' | 'UPSTREAM' | 'INTERNAL' | 'RESOURCE_LIMIT' | 'ABORTED';

/** What a model API complained about, where the caller can act on it without asking a person. */
export type ErrorReason = 'tools-unsupported' | 'schema-unsupported' | 'context-length' | 'wrong-key' | 'unknown-model';

export interface ErrorDetails {
	/** What to change, as one sentence for the builder. */
	readonly remedy?: string;
	/** True when the same request may succeed later. */
	readonly retryable?: boolean;
	/** Milliseconds to wait before a retry, as the server asked. */
	readonly retryAfterMs?: number;
	/** HTTP status, when a server answered. */
	readonly status?: number;
	/** Set by model providers only. */
	readonly reason?: ErrorReason;
	readonly cause?: unknown;
}

/** An error that says what happened, with which value, and what to change. Recognised by `code`, not by class. */
export class CodedError extends Error {
	readonly code: ErrorCode;
	readonly remedy: string | undefined;
	readonly retryable: boolean;
	readonly retryAfterMs: number | undefined;
	readonly status: number | undefined;
	readonly reason: ErrorReason | undefined;

	constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
		super(message, { cause: details.cause });
		this.name = 'CodedError';
		this.code = code;
		this.remedy = details.remedy;
		this.retryable = details.retryable ?? false;
		this.retryAfterMs = details.retryAfterMs;
		this.status = details.status;
		this.reason = details.reason;
	}
}

/** One text in the languages that the engine speaks to a model. */
export interface Bilingual {
	readonly en: string;
	readonly fr: string;
}

/** Recoverable inside a step: its text is written for the model and sent back to it. The message is the English one. */
export class RetryException extends Error {
	override readonly name = 'RetryException';

	constructor(readonly texts: Bilingual) {
		super(texts.en);
	}
}

/** Not recoverable inside a run: the next model call must give a final answer, tools off. */
export class ForceFinalizeException extends Error {
	override readonly name = 'ForceFinalizeException';
}

/** True for a CodedError, also one made by another copy of this package. */
export function isCodedError(error: unknown): error is CodedError {
	return typeof error === 'object' && error !== null && 'code' in error && (error as { name?: unknown }).name === 'CodedError';
}

/** The message of anything thrown, read by shape (errors of another realm or package copy too); 'unknown error' for none. */
export function messageOf(error: unknown): string {
	if (typeof error === 'string' && error !== '') return error;
	if (typeof error !== 'object' || error === null) return 'unknown error';
	const { message, name } = error as { message?: unknown; name?: unknown };
	if (typeof message === 'string' && message !== '') return message;
	return typeof name === 'string' && name !== '' ? name : 'unknown error';
}

/**
 * Throws. For `catch` blocks below lib/n8n, where n8n's lint allows only n8n's own errors to be thrown by name: errors become
 * those at one place, `lib/n8n/to-node-error`.
 */
export function raise(error: unknown): never {
	throw error;
}
