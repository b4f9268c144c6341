import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkStorage } from '../../lib/storage/check-storage';

describe('checkStorage', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'check-test-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	it('makes the folder and leaves nothing in it', () => {
		const wanted = path.join(folder, 'a', 'b');
		checkStorage(wanted);
		expect(readdirSync(wanted)).toEqual([]);
	});

	it('throws when the folder cannot be made', () => {
		writeFileSync(path.join(folder, 'file'), '');
		expect(() => checkStorage(path.join(folder, 'file', 'below'))).toThrow(/ENOTDIR|EEXIST/);
	});
});
