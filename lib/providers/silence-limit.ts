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
	const ended = new AbortController();
	let heardAt = clock.now();
	void watch();
	return {
		signal: request.signal,
		heard: () => {
			heardAt = clock.now();
		},
		end: () => {
			ended.abort(OVER);
			request.release();
		},
	};

	async function watch(): Promise<void> {
		for (let left = timeoutMs; left > 0; left = heardAt + timeoutMs - clock.now()) {
			const over = await clock.sleep(left, ended.signal).then(
				() => false,
				() => true,
			);
			if (over) return;
		}
		request.abort(timeoutError(server, timeoutMs));
	}
}

/** Made once: an error costs more than the rest of a limit. */
const OVER = new DOMException('The request is over', 'AbortError');

function timeoutError(server: string, timeoutMs: number): CodedError {
	return new CodedError('TIMEOUT', `${server} said nothing for ${timeoutMs / 1000} s`, {
		remedy: 'Raise Timeout in the model options, or use a faster model or server.',
		retryable: true,
	});
}
