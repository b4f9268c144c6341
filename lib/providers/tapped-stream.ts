/**
 * Streams around streams, without a generator for each: an event costs one turn of the microtask queue here, three in an `async function*`, and a
 * model wears several such layers.
 */

/**
 * The same events, each put through `tap`. What `tap` throws ends the source and reaches the reader. Leaving the loop ends the source.
 *
 * @param begin  called when the reading begins; gives `tap`. What it throws is thrown there.
 */
export function tappedStream<T>(source: () => AsyncIterable<T>, begin: () => (event: T) => T): AsyncIterable<T> {
	return {
		[Symbol.asyncIterator]: () => {
			const tap = begin();
			const events = source()[Symbol.asyncIterator]();
			const take = (next: IteratorResult<T>): IteratorResult<T> | Promise<IteratorResult<T>> => {
				if (next.done) return next;
				try {
					return { done: false, value: tap(next.value) };
				} catch (error) {
					return left(events).then(() => Promise.reject(error as Error));
				}
			};
			return { next: () => events.next().then(take), return: () => left(events) };
		},
	};
}

/** A stream that has to be opened first, which the first read does. A failure to open reaches the reader, who may not try again. */
export function deferredStream<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterable<T> {
	return {
		[Symbol.asyncIterator]: () => {
			let opening: Promise<AsyncIterator<T>> | undefined;
			let events: AsyncIterator<T> | undefined;
			const first = async (): Promise<IteratorResult<T>> => {
				opening ??= open().then((opened) => (events = opened[Symbol.asyncIterator]()));
				return await (await opening).next();
			};
			return { next: () => events?.next() ?? first(), return: async () => (opening ? await left(await opening) : over()) };
		},
	};
}

async function left<T>(events: AsyncIterator<T>): Promise<IteratorResult<T>> {
	await events.return?.();
	return over();
}

function over<T>(): IteratorResult<T> {
	return { done: true, value: undefined };
}
