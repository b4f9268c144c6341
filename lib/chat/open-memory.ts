import path from 'node:path';

import type { PostgresConnection } from '../storage/postgres';
import type { MemoryStore } from './memory-store';
import { openPostgresMemory } from './postgres-memory';
import { openSqliteMemory } from './sqlite-memory';

/** Where conversations are kept: a folder of the storage, or a Postgres. */
export type MemoryPlace = { readonly folder: string } | { readonly postgres: PostgresConnection };

/** Opens the store of a place; its tables are made at the first use. Close it after each piece of work. */
export async function openMemory(place: MemoryPlace): Promise<MemoryStore> {
	if ('postgres' in place) return await openPostgresMemory(place.postgres);
	return openSqliteMemory(path.join(place.folder, 'conversations.sqlite'));
}

/** Opens, works, and closes whatever happens. */
export async function withMemory<Result>(place: MemoryPlace, work: (store: MemoryStore) => Promise<Result>): Promise<Result> {
	const store = await openMemory(place);
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}
