import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { borrowDatabase, type Borrowed } from '../../lib/storage/kept-databases';

const folder = mkdtempSync(path.join(tmpdir(), 'kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

let prepared = 0;
const borrow = (name: string): Borrowed =>
	borrowDatabase(path.join(folder, name), (database) => {
		prepared += 1;
		database.exec('CREATE TABLE IF NOT EXISTS t (x)');
	});
const count = ({ database }: Borrowed): number => Number(database.get('SELECT COUNT(*) AS n FROM t')?.n);

beforeEach(() => {
	prepared = 0;
	jest.useFakeTimers();
});
afterEach(() => {
	jest.advanceTimersByTime(10_000);
	jest.useRealTimers();
});

it('a connection that was given back is used again, and closed when nobody wants it', () => {
	const first = borrow('a.sqlite');
	first.giveBack();
	const second = borrow('a.sqlite');
	expect([second.database, prepared]).toEqual([first.database, 1]);
	second.giveBack();
	jest.advanceTimersByTime(5_000);
	const third = borrow('a.sqlite');
	expect([third.database === first.database, prepared]).toEqual([false, 2]);
	third.giveBack();
});

it('two who need one at once have one each, and see what the other has written', () => {
	const [one, two] = [borrow('b.sqlite'), borrow('b.sqlite')];
	expect(one.database).not.toBe(two.database);
	one.database.exec('BEGIN IMMEDIATE');
	one.database.run('INSERT INTO t VALUES (1)');
	expect(count(two)).toBe(0);
	one.database.exec('COMMIT');
	expect(count(two)).toBe(1);
	one.giveBack();
	two.giveBack();
});

it('a file that was moved away or removed is not written to any more', () => {
	const first = borrow('c.sqlite');
	first.database.run('INSERT INTO t VALUES (1)');
	first.giveBack();
	renameSync(path.join(folder, 'c.sqlite'), path.join(folder, 'old.sqlite'));
	for (const suffix of ['-wal', '-shm']) rmSync(path.join(folder, `c.sqlite${suffix}`), { force: true });
	const second = borrow('c.sqlite');
	expect(count(second)).toBe(0);
	rmSync(path.join(folder, 'c.sqlite'));
	second.giveBack();
	const third = borrow('c.sqlite');
	expect(third.database).not.toBe(second.database);
	third.giveBack();
});

it('a database that cannot be prepared is closed and not kept', () => {
	const broken = (): Borrowed => borrowDatabase(path.join(folder, 'd.sqlite'), (database) => database.exec('NO SQL'));
	expect(broken).toThrow('syntax error');
	const after = borrow('d.sqlite');
	expect(prepared).toBe(1);
	after.giveBack();
});
