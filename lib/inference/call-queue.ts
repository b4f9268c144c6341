/** What comes for one reader, in order; the reader waits when there is nothing. A failure comes after what was added before it. */
export class CallQueue<T> {
	private readonly values: T[] = [];
	private failure: Error | undefined;
	private wake: (() => void) | undefined;

	add(value: T): void {
		this.values.push(value);
		this.wake?.();
	}

	/** The first failure stays. */
	fail(error: Error): void {
		this.failure ??= error;
		this.wake?.();
	}

	/** The next value; rejects with the failure once all values were read. */
	async next(): Promise<T> {
		while (this.values.length === 0) {
			if (this.failure) throw this.failure;
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		return this.values.shift() as T;
	}
}
