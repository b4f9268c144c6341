/** The store contract on the second driver, in a process (a test file) of its own. */
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deleteTheme, openOrCreateStore, openStore, type StorePlace } from '../../lib/rag/sqlite-store';
import { betterDriver, type BetterSqlite, sqliteDriver, useSqliteDriver } from '../../lib/storage/sqlite-driver';
import { itIsAStore } from '../contracts/store.contract';

describe('the embedded store on better-sqlite3', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'better-'));
	beforeAll(() => useSqliteDriver(betterDriver(createRequire(__filename)('better-sqlite3') as BetterSqlite)));
	afterAll(() => rmSync(folder, { recursive: true }));

	it('is what runs', () => {
		expect(sqliteDriver().name).toBe('better-sqlite3');
	});

	itIsAStore((theme) => ({ folder, theme }), {
		openTheme: async (place) => openStore(place as StorePlace),
		openOrCreateTheme: async (place, options) => openOrCreateStore(place as StorePlace, options),
		removeTheme: async (place) => deleteTheme(place as StorePlace),
	});
});
