import { after } from '../core/after';
import { CodedError } from '../core/errors';
import { innerSignal } from '../core/inner-signal';
import type { Clock } from '../core/ports';

/** Ends a request whose server says nothing for too long. `end` must be called when the request is over. */
export interface SilenceLimit {
	/** Aborts with the caller's signal, or with a CodedError TIMEOUT as its reason. */
	readonly signal: AbortSignal;
	/** The server said something: the wait starts anew. */
	heard(): void;
	end(): void;
}

/**
 * Starts the limit. A long answer that keeps arriving is not cut: only silence is.
 *
 * @param server  named in the error
 */
export function silenceLimit(clock: Clock, timeoutMs: number, outer: AbortSignal, server: string): SilenceLimit {
	const request = innerSignal(outer);
	let heardAt = clock.now();
	let callOff = after(clock, timeoutMs, watch);
	return {
		signal: request.signal,
		heard: () => {
			heardAt = clock.now();
		},
		end: () => {
			callOff();
			request.release();
		},
	};

	function watch(): void {
		const left = heardAt + timeoutMs - clock.now();
		if (left > 0) callOff = after(clock, left, watch);
		else request.abort(timeoutError(server, timeoutMs));
	}
}

function timeoutError(server: string, timeoutMs: number): CodedError {
	return new CodedError('TIMEOUT', `${server} said nothing for ${timeoutMs / 1000} s`, {
		remedy: 'Raise Timeout in the model options, or use a faster model or server.',
		retryable: true,
	});
}
