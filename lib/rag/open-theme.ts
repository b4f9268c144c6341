/**
 * Opens knowledge bases wherever they live: in files of this machine (worked by a thread), or in Postgres. The only place that chooses a store.
 */
import { deletePostgresTheme, openPostgresStore, type PostgresPlace } from './postgres-store';
import type { CreateOptions, StorePlace } from './sqlite-store';
import type { ThemeStore } from './store';
import { deleteThreadedTheme, openOrCreateThreadedStore, openThreadedStore, type Purpose } from './threaded-store';

export type ThemePlace = StorePlace | PostgresPlace;

/**
 * Opens a knowledge base that exists. For searching it says so: whatever else is done with another one then, also for minutes, holds
 * no search up.
 *
 * @throws CodedError BAD_INPUT when there is none of that name: never an empty answer instead
 */
export async function openTheme(place: ThemePlace, purpose: Purpose = 'upkeep'): Promise<ThemeStore> {
	return 'postgres' in place ? await openPostgresStore(place) : await openThreadedStore(place, purpose);
}

/** Opens a knowledge base, and makes it when there is none. Safe when several processes do so at once. */
export async function openOrCreateTheme(place: ThemePlace, options: CreateOptions): Promise<ThemeStore> {
	return 'postgres' in place ? await openPostgresStore(place, options) : await openOrCreateThreadedStore(place, options);
}

/** Deletes a whole knowledge base. @throws CodedError BAD_INPUT when there is none of that name */
export async function removeTheme(place: ThemePlace): Promise<void> {
	if ('postgres' in place) await deletePostgresTheme(place);
	else await deleteThreadedTheme(place);
}
