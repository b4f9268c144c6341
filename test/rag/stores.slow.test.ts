import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTheme } from '../../lib/rag/open-theme';
import { itIsAStore } from '../contracts/store.contract';
import { startPostgres, type TestPostgres } from '../support/postgres';

describe('the embedded store', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'stores-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	itIsAStore((theme) => ({ folder, theme }));
});

describe('the Postgres store', () => {
	let postgres: TestPostgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	}, 60_000);
	afterAll(async () => await postgres.stop());
	itIsAStore((theme) => ({ postgres: postgres.connection, theme }));

	it('names the server that cannot be reached', async () => {
		const connection = { ...postgres.connection, port: 1 };
		await expect(openTheme({ postgres: connection, theme: 'x' })).rejects.toMatchObject({
			code: 'UPSTREAM',
			retryable: true,
			message: expect.stringContaining('Postgres at 127.0.0.1:1/postgres cannot be reached'),
		});
	});
});
