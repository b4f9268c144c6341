import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { withMemory } from '../../lib/chat/open-memory';
import { itIsAMemory } from '../contracts/memory.contract';
import { startPostgres, type TestPostgres } from '../support/postgres';

jest.setTimeout(60_000);

describe('the Postgres memory', () => {
	let postgres: TestPostgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	}, 60_000);
	afterAll(async () => await postgres.stop());
	itIsAMemory(() => ({ postgres: postgres.connection }));
});

it('keeps every turn of four processes that write to one conversation at once, each under its own number', async () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'memory-processes-'));
	const worker = path.join(__dirname, '../support/memory-worker.mjs');
	const run = promisify(execFile);
	// A worker that fails makes this throw, with what it said.
	await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => await run(process.execPath, [worker, JSON.stringify({ folder }), name, '50'])));
	const { turns } = await withMemory({ folder }, async (store) => await store.read({ memory: 'shared', user: 'anne', session: 's' }, 1_000));
	expect(turns.map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
	const said = turns.map(({ messages }) => (messages[0]?.parts[0] as { text: string }).text);
	expect(new Set(said).size).toBe(200);
	for (const name of ['a', 'b', 'c', 'd']) {
		expect(said.filter((text) => text.startsWith(`${name} `))).toEqual(Array.from({ length: 50 }, (_, n) => `${name} ${n}`));
	}
	rmSync(folder, { recursive: true });
});
