import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const system = mkdtempSync(path.join(tmpdir(), 'no-servers-'));
afterAll(() => rmSync(system, { recursive: true }));

const put = (file: string): void => {
	mkdirSync(path.join(system, path.dirname(file)), { recursive: true });
	writeFileSync(path.join(system, file), '');
};

it('fails with the line that installs what is missing, and finds the newest Postgres', async () => {
	const { findServers } = await import('./debian-servers.mjs');
	expect(() => findServers(system)).toThrow('\napt-get install -y --no-install-recommends redis-server postgresql');
	put('usr/bin/redis-server');
	expect(() => findServers(system)).toThrow('\napt-get install -y --no-install-recommends postgresql');
	put('usr/lib/postgresql/9/bin/initdb');
	put('usr/lib/postgresql/15/bin/initdb');
	expect(findServers(system)).toEqual({ redis: path.join(system, 'usr/bin/redis-server'), postgres: path.join(system, 'usr/lib/postgresql/15/bin') });
});
