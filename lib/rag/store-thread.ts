/**
 * File of the worker thread in which the embedded knowledge bases live: their connections, their rows in memory, their scans.
 *
 * The main side (`threaded-store.ts`) numbers the stores that it opens; each call names one and a method of `ThemeStore`.
 */
import { CodedError } from '../core/errors';
import { answerCalls } from '../storage/thread-wire';
import { deleteTheme, openOrCreateStore, openStore, type StorePlace } from './sqlite-store';
import type { ThemeStore } from './store';

const stores = new Map<number, ThemeStore>();

/** What the main side may ask for beside the methods of an open store. */
const calls: Record<string, (...args: never[]) => unknown> = {
	open: (handle: number, place: StorePlace) => void stores.set(handle, openStore(place)),
	create: (handle: number, place: StorePlace, { createdBy, at }: { createdBy: string; at?: number }) =>
		void stores.set(handle, openOrCreateStore(place, { createdBy, ...(at !== undefined && { now: () => at }) })),
	deleteTheme: (place: StorePlace) => deleteTheme(place),
	close: async (handle: number) => {
		await stores.get(handle)?.close();
		stores.delete(handle);
	},
};

answerCalls(async (method, args) => {
	const own = calls[method];
	if (own) return await own(...(args as never[]));
	const [handle, ...rest] = args;
	const store = stores.get(handle as number) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>> | undefined;
	if (!store) {
		throw new CodedError('INTERNAL', 'The thread of the knowledge bases was started anew meanwhile', {
			remedy: 'Run it again.',
			retryable: true,
		});
	}
	return await store[method]?.(...rest);
});
