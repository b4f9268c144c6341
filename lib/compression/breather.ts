/** Work in one go at most, in milliseconds: n8n answers others in between. */
const SLICE_MS = 5;

/** To be awaited now and then in long work: gives way to what waits on the event loop when the slice is used up. */
export type Breathe = () => Promise<void> | undefined;

/** A fresh slice begins now and after each pause. Throws the signal's reason once it has aborted. */
export function createBreather(signal?: AbortSignal): Breathe {
	let start = performance.now();
	return () => {
		signal?.throwIfAborted();
		if (performance.now() - start < SLICE_MS) return undefined;
		return new Promise((resolve) => {
			setImmediate(() => {
				start = performance.now();
				resolve();
			});
		});
	};
}

/** `items.map(fn)` in slices; order is kept. */
export async function mapInSlices<T, R>(items: readonly T[], fn: (item: T, position: number) => R, breathe: Breathe): Promise<R[]> {
	const results: R[] = [];
	for (const [position, item] of items.entries()) {
		const pause = breathe();
		if (pause) await pause;
		results.push(fn(item, position));
	}
	return results;
}
