import { CodedError } from '../core/errors';
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
	const expired = new AbortController();
	const ended = new AbortController();
	let heardAt = clock.now();
	void watch();
	return {
		signal: AbortSignal.any([outer, expired.signal]),
		heard: () => {
			heardAt = clock.now();
		},
		end: () => ended.abort(),
	};

	async function watch(): Promise<void> {
		for (let left = timeoutMs; left > 0; left = heardAt + timeoutMs - clock.now()) {
			const over = await clock.sleep(left, ended.signal).then(
				() => false,
				() => true,
			);
			if (over) return;
		}
		expired.abort(timeoutError(server, timeoutMs));
	}
}

function timeoutError(server: string, timeoutMs: number): CodedError {
	return new CodedError('TIMEOUT', `${server} said nothing for ${timeoutMs / 1000} s`, {
		remedy: 'Raise Timeout in the model options, or use a faster model or server.',
		retryable: true,
	});
}
