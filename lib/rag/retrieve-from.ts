import type { Embedder } from '../core/document';
import { retrieve, type RetrieveOptions, type RetrieveResult } from './retrieve';
import { openStore, type StorePlace } from './sqlite-store';

/** Opens a knowledge base, retrieves, and closes it whatever happens. Throws as `openStore` and `retrieve` do. */
export async function retrieveFrom(place: StorePlace, options: RetrieveOptions, embedder?: Embedder): Promise<RetrieveResult> {
	const store = openStore(place);
	try {
		return await retrieve(options, { store, ...(embedder && { embedder }) });
	} finally {
		await store.close();
	}
}
