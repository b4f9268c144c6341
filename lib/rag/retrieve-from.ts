import type { Embedder } from '../core/document';
import { retrieve, type RetrieveOptions, type RetrieveResult } from './retrieve';
import { openTheme, type ThemePlace } from './open-theme';

/** Opens a knowledge base, retrieves, and closes it whatever happens. Throws as `openTheme` and `retrieve` do. */
export async function retrieveFrom(place: ThemePlace, options: RetrieveOptions, embedder?: Embedder): Promise<RetrieveResult> {
	const store = await openTheme(place);
	try {
		return await retrieve(options, { store, ...(embedder && { embedder }) });
	} finally {
		await store.close();
	}
}
