import type { Embedder } from '../core/document';
import { CodedError } from '../core/errors';
import type { SearchedStore } from './choose-hits';
import { openTheme, type ThemePlace } from './open-theme';
import { retrieve, retrieveAll, type RetrieveOptions, type RetrieveResult } from './retrieve';
import type { ThemeStore } from './store';

async function withTheme<Result>(place: ThemePlace, work: (store: ThemeStore) => Promise<Result>): Promise<Result> {
	const store = await openTheme(place, 'search');
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/**
 * Opens knowledge bases, retrieves from all of them, and closes them whatever happens. Throws as `openTheme` and `retrieveAll` do.
 *
 * Several are open one after the other, never two at once: connections of a pool are few.
 *
 * @param places  one or several; a name that comes twice is searched once; [] is an error
 */
export async function retrieveFrom(places: readonly ThemePlace[], options: RetrieveOptions, embedder?: Embedder): Promise<RetrieveResult> {
	const named = new Map(places.map((place) => [place.theme.trim(), place]));
	const [only] = named.values();
	if (!only) throw new CodedError('BAD_INPUT', 'There is no knowledge base to search', { remedy: 'Enter the name of one.' });
	const tools = embedder ? { embedder } : {};
	if (named.size === 1) return await withTheme(only, async (store) => await retrieve(options, { store, ...tools }));
	const stores = [...named].map(([name, place]): SearchedStore => ({ name, use: async (work) => await withTheme(place, work) }));
	return await retrieveAll(options, { stores, ...tools });
}
