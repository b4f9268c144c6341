import type { Clock } from './ports';

/**
 * Calls `run` after a time, unless the function that it gives is called first.
 *
 * Limits are nearly always called off, one for each model call and each tool call: a clock with a timer of its own does that
 * without the promise, the event and the error that ending a sleep takes.
 */
export function after(clock: Clock, ms: number, run: () => void): () => void {
	if (clock.timer) return clock.timer(ms, run);
	const off = new AbortController();
	void clock.sleep(ms, off.signal).then(run, () => undefined);
	return () => off.abort();
}
