import { parentPort } from 'node:worker_threads';
import { CodedError, type ErrorCode, isCodedError, messageOf } from '../core/errors';

/** An error as it passes between threads: cloning keeps no class and no own fields. */
export interface WireError {
	readonly message: string;
	readonly code?: ErrorCode;
	readonly remedy?: string;
	readonly retryable?: boolean;
	readonly stack?: string;
}

/** `ready` is the first message of a thread; the others answer calls. */
export type ThreadReply = 'ready' | { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: WireError };

function errorToWire(error: unknown): WireError {
	const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {};
	if (!isCodedError(error)) return { message: messageOf(error), ...stack };
	const { message, code, remedy, retryable } = error;
	return { message, code, ...(remedy !== undefined && { remedy }), retryable, ...stack };
}

/** The error that a thread threw: a CodedError again where it was one, else INTERNAL. */
export function errorFromWire({ message, code, remedy, retryable, stack }: WireError): CodedError {
	const error = new CodedError(code ?? 'INTERNAL', message, {
		...(remedy !== undefined && { remedy }),
		...(retryable !== undefined && { retryable }),
	});
	if (stack !== undefined) error.stack = stack;
	return error;
}

/** The thread's side of `ThreadClient`: answers each call with what `answer` gives or throws. Call once, in the thread's file. */
export function answerCalls(answer: (method: string, args: readonly unknown[]) => Promise<unknown>): void {
	const port = parentPort;
	port?.on('message', ({ id, method, args }: { id: number; method: string; args: readonly unknown[] }) => {
		answer(method, args).then(
			(value) => port.postMessage({ id, value }),
			(error: unknown) => port.postMessage({ id, error: errorToWire(error) }),
		);
	});
	port?.postMessage('ready');
}
