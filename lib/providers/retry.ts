import { CodedError, isCodedError } from '../core/errors';
import type { Clock } from '../core/ports';

export interface RetryPolicy {
	/** Attempts in all, at least 1. */
	readonly maxAttempts: number;
	/** Milliseconds from the first attempt after which no further one starts. */
	readonly maxTotalMs: number;
	/** First wait when the server names none; doubles each time. */
	readonly firstDelayMs: number;
	/** Longest wait of our own choosing; a wait the server asks for may be longer. */
	readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { maxAttempts: 4, maxTotalMs: 90_000, firstDelayMs: 500, maxDelayMs: 8_000 };

/**
 * Runs `attempt` again while it throws a retryable CodedError.
 *
 * A wait named by the server (Retry-After) is kept to the millisecond. When that wait would go over `maxTotalMs` the loop
 * ends at once instead of waiting in vain.
 *
 * @throws the last error, with its own status, and the number of attempts in its message when there were several;
 *         the signal's reason as soon as it aborts, also during a wait
 */
export async function withRetry<T>(
	attempt: () => Promise<T>,
	policy: RetryPolicy,
	clock: Clock,
	signal: AbortSignal,
): Promise<T> {
	const startedAt = clock.now();
	for (let number = 1; ; number += 1) {
		try {
			return await attempt();
		} catch (error) {
			signal.throwIfAborted();
			const waitMs = delay(error, number, policy);
			const spentMs = clock.now() - startedAt;
			if (number >= policy.maxAttempts || spentMs + waitMs > policy.maxTotalMs) {
				throw afterAttempts(error, number, spentMs);
			}
			try {
				await clock.sleep(waitMs, signal);
			} finally {
				signal.throwIfAborted();
			}
		}
	}
}

/** Milliseconds to wait after a failed attempt; infinite when another one would not help. */
function delay(error: unknown, number: number, policy: RetryPolicy): number {
	if (!isCodedError(error) || !error.retryable) return Infinity;
	return error.retryAfterMs ?? Math.min(policy.firstDelayMs * 2 ** (number - 1), policy.maxDelayMs);
}

function afterAttempts(error: unknown, attempts: number, spentMs: number): unknown {
	if (!isCodedError(error)) return error;
	const asked = error.retryAfterMs === undefined ? '' : `; the server asks to wait ${seconds(error.retryAfterMs)}`;
	const tried = attempts === 1 ? '' : `; tried ${attempts} times in ${seconds(spentMs)}`;
	if (asked === '' && tried === '') return error;
	const { remedy, retryable, retryAfterMs, status, reason } = error;
	return new CodedError(error.code, `${error.message} (${`${tried}${asked}`.slice(2)})`, {
		...(remedy === undefined ? {} : { remedy }),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(status === undefined ? {} : { status }),
		...(reason === undefined ? {} : { reason }),
		retryable,
		cause: error,
	});
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}
