import { clearTimeout, setTimeout } from 'node:timers';
import type { Clock } from './ports';

/** The machine's clock. Unlike Node's own sleep it makes no error when a wait is ended early: each model call ends one. */
export const realClock: Clock = {
	now: () => Date.now(),
	sleep: async (ms, signal) =>
		await new Promise((resolve, reject) => {
			signal?.throwIfAborted();
			const end = (): void => {
				clearTimeout(timer);
				reject(signal?.reason as Error);
			};
			const timer = setTimeout(() => {
				signal?.removeEventListener('abort', end);
				resolve();
			}, ms);
			signal?.addEventListener('abort', end, { once: true });
		}),
	timer: (ms, run) => {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};
