import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openMemory, withMemory } from '../../lib/chat/open-memory';
import { openDatabase } from '../../lib/storage/sqlite';
import { itIsAMemory, turnOf } from '../contracts/memory.contract';

const folder = mkdtempSync(path.join(tmpdir(), 'memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the SQLite memory', () => {
	itIsAMemory(() => ({ folder }));

	it('leaves nothing of a deleted conversation in its files', async () => {
		const place = { folder: path.join(folder, 'deleted') };
		await withMemory(place, async (store) => {
			const key = { memory: 'm', user: 'anne', session: 's' };
			for (let n = 0; n < 30; n++) await store.append(key, { at: n, messages: turnOf(`my secret number is 4711-${n} ${'x'.repeat(500)}`) });
			await store.remove({ user: 'anne' });
		});
		const bytes = readdirSync(place.folder).map((file) => readFileSync(path.join(place.folder, file), 'latin1')).join('');
		expect(bytes).not.toContain('4711');
	});

	it('refuses a file of a newer version, and says so', async () => {
		const place = { folder: path.join(folder, 'newer') };
		await (await openMemory(place)).close();
		const database = openDatabase(path.join(place.folder, 'conversations.sqlite'), { create: false });
		database.exec('PRAGMA user_version = 99');
		database.close();
		await expect(openMemory(place)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('newer version') });
	});
});
