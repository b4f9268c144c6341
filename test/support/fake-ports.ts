import type { Clock, LogLevel, Ports } from '../../lib/core/ports';

export interface FakePorts extends Ports {
	/** The waits that were asked for, in order, in milliseconds. */
	readonly sleeps: readonly number[];
	/** Waits that stay open until aborted, in milliseconds. */
	readonly openSleeps: readonly number[];
	readonly logged: readonly { level: LogLevel; message: string }[];
}

/**
 * Ports for tests: the real fetch, a clock that never waits unless told, ids id1, id2, …
 *
 * Waits over `realSleepFromMs` stay open until their signal aborts, so a limit of a minute never fires.
 */
export function fakePorts(options: { realSleepFromMs?: number } = {}): FakePorts {
	const sleeps: number[] = [];
	const openSleeps: number[] = [];
	const logged: { level: LogLevel; message: string }[] = [];
	const openFrom = options.realSleepFromMs ?? 60_000;
	let now = Date.UTC(2026, 0, 1);
	let ids = 0;
	const clock: Clock = {
		now: () => now,
		sleep: async (ms, signal) => {
			signal?.throwIfAborted();
			if (ms >= openFrom) {
				openSleeps.push(ms);
				return await aborted(signal);
			}
			sleeps.push(ms);
			now += ms;
			await new Promise((resolve) => setImmediate(resolve));
			signal?.throwIfAborted();
		},
	};
	return {
		fetch: globalThis.fetch,
		clock,
		log: (level, message) => void logged.push({ level, message }),
		ids: () => `id${(ids += 1)}`,
		sleeps,
		openSleeps,
		logged,
	};
}

async function aborted(signal: AbortSignal | undefined): Promise<never> {
	return await new Promise((_, reject) => {
		signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
	});
}
