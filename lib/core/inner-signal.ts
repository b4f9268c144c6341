/** A signal of one piece of work inside a larger one. */
export interface InnerSignal {
	/** Aborts with the outer signal, or by `abort`. */
	readonly signal: AbortSignal;
	abort(reason: unknown): void;
	/** Lets go of the outer signal. Must be called when the work is over. */
	release(): void;
}

/** As `AbortSignal.any` for two signals, at a tenth of its cost: there is one for each model call and each tool call. */
export function innerSignal(outer: AbortSignal): InnerSignal {
	const controller = new AbortController();
	const follow = (): void => controller.abort(outer.reason);
	if (outer.aborted) follow();
	else outer.addEventListener('abort', follow, { once: true });
	return {
		signal: controller.signal,
		abort: (reason) => controller.abort(reason),
		release: () => outer.removeEventListener('abort', follow),
	};
}
