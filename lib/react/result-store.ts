import type { ToolFile } from '../core/tool';

/** What a tool gave, whole. */
export interface StoredResult {
	readonly text: string;
	readonly data?: unknown;
	readonly files?: readonly ToolFile[];
}

/**
 * Keeps what is too large for a run's state. Handles are short strings; another process must be able to read them, since a
 * suspended run may go on elsewhere.
 */
export interface ResultStore {
	put(result: StoredResult): Promise<string>;
	/** @throws when the handle is unknown: a lost observation must not look like an empty one */
	get(handle: string): Promise<StoredResult>;
}

/** A store in memory, for runs that are never suspended. */
export function memoryResultStore(): ResultStore {
	const stored: StoredResult[] = [];
	return {
		put: async (result) => String(stored.push(result) - 1),
		get: async (handle) => {
			const found = stored[Number(handle)];
			if (!found) throw new Error(`No stored result ${handle}`);
			return found;
		},
	};
}
