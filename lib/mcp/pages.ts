const MAX_PAGES = 200;

/** Something that a server lists, exactly as it declares it. */
export interface Declared {
	readonly [key: string]: unknown;
}

/**
 * Reads a list page by page; stops at a cursor that was seen before or after 200 pages; names each entry once.
 *
 * @param key   of the list in a page: `tools`, `resources`…
 * @param label of an entry that tells it from others: `name`, `uri`…
 */
export async function readPages(
	page: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
	key: string,
	label: string,
): Promise<Declared[]> {
	const entries = new Map<unknown, Declared>();
	const seen = new Set<unknown>();
	let cursor: unknown;
	do {
		const answer = await page(cursor === undefined ? {} : { cursor });
		for (const entry of Array.isArray(answer[key]) ? (answer[key] as unknown[]) : []) {
			if (typeof entry !== 'object' || entry === null) continue;
			const declared = entry as Declared;
			if (!entries.has(declared[label])) entries.set(declared[label], declared);
		}
		seen.add(cursor);
		cursor = answer.nextCursor;
	} while (typeof cursor === 'string' && !seen.has(cursor) && seen.size < MAX_PAGES);
	return [...entries.values()];
}
