import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../lib/storage/sqlite';

describe('openDatabase', () => {
	let folder: string;
	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'sqlite-test-'));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	it('makes the file and its folder, in write-ahead mode', () => {
		const database = openDatabase(path.join(folder, 'deep', 'a.sqlite'), { create: true });
		expect(database.get('PRAGMA journal_mode')?.journal_mode).toBe('wal');
		database.close();
		database.close();
	});

	it('rolls back a transaction that throws and keeps one that does not', () => {
		const database = openDatabase(path.join(folder, 'a.sqlite'), { create: true });
		database.exec('CREATE TABLE t (x INTEGER)');
		const failing = () => {
			database.run('INSERT INTO t VALUES (?)', 1);
			throw new Error('half way');
		};
		expect(() => database.transaction(failing)).toThrow('half way');
		expect(database.transaction(() => database.run('INSERT INTO t VALUES (?)', 2).lastRowId)).toBe(1);
		expect(database.all('SELECT x FROM t')).toEqual([expect.objectContaining({ x: 2 })]);
		expect([...database.iterate('SELECT x, x + 1 FROM t')]).toEqual([[2, 3]]);
		database.close();
	});

	it('lets a second connection read while the first one writes', () => {
		const file = path.join(folder, 'a.sqlite');
		const writer = openDatabase(file, { create: true });
		const reader = openDatabase(file, { create: false });
		writer.exec('CREATE TABLE t (x INTEGER)');
		writer.transaction(() => {
			writer.run('INSERT INTO t VALUES (1)');
			expect(reader.get('SELECT count(*) AS n FROM t')?.n).toBe(0);
		});
		expect(reader.get('SELECT count(*) AS n FROM t')?.n).toBe(1);
		writer.close();
		reader.close();
	});

	it('names an absent file and one that is no database', () => {
		const absent = path.join(folder, 'absent.sqlite');
		expect(() => openDatabase(absent, { create: false })).toThrow(`There is no file ${absent}`);
		const text = path.join(folder, 'text.sqlite');
		writeFileSync(text, 'this is a text file, long enough to be read as a header of a database file'.repeat(40));
		expect(() => openDatabase(text, { create: true })).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
	});
});
