import * as nodeSqlite from 'node:sqlite';
import { type BetterSqlite, chooseDriver, sqliteDriver } from '../../lib/storage/sqlite-driver';

/** better-sqlite3's shape, over Node's SQLite. */
class Better {
	private readonly connection: nodeSqlite.DatabaseSync;

	constructor(file: string) {
		this.connection = new nodeSqlite.DatabaseSync(file);
	}

	get open(): boolean {
		return this.connection.isOpen;
	}

	get inTransaction(): boolean {
		return this.connection.isTransaction;
	}

	exec = (sql: string): void => this.connection.exec(sql);
	close = (): void => this.connection.close();
	prepare(sql: string) {
		const statement = this.connection.prepare(sql);
		return Object.assign(statement, { raw: (on: boolean) => (statement.setReturnArrays(on), statement) });
	}
}
/** A SQLite without full-text search: says so when it is asked. */
class Poor extends nodeSqlite.DatabaseSync {
	override prepare(sql: string): nodeSqlite.StatementSync {
		return super.prepare(sql.includes('ENABLE_FTS5') ? 'SELECT 0 AS used' : sql);
	}
}
const poor = { ...nodeSqlite, DatabaseSync: Poor } as typeof nodeSqlite;
const better = Better as unknown as BetterSqlite;

describe('the SQLite driver', () => {
	it("is Node's own where that has full-text search", () => {
		expect(sqliteDriver().name).toBe('node:sqlite');
		expect(chooseDriver(nodeSqlite, () => { throw new Error('not asked'); }).name).toBe('node:sqlite');
	});

	it('is better-sqlite3 where Node has none, or one without full-text search', () => {
		expect(chooseDriver(undefined, () => better).name).toBe('better-sqlite3');
		expect(chooseDriver(poor, () => better).name).toBe('better-sqlite3');
	});

	it('says what to do where there is neither', () => {
		expect(() => chooseDriver(undefined, () => undefined)).toThrow('This Node.js has no built-in SQLite');
		expect(() => chooseDriver(poor, () => undefined)).toThrow(expect.objectContaining({ code: 'INTERNAL', remedy: expect.stringContaining('better-sqlite3 13') }));
	});

	it.each([['node:sqlite', chooseDriver(nodeSqlite, () => undefined)], ['better-sqlite3', chooseDriver(undefined, () => better)]])('gives rows, arrays and transactions alike (%s)', (_name, driver) => {
		const connection = driver.open(':memory:', 0);
		connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB)');
		expect(Number(connection.prepare('INSERT INTO t (b) VALUES (?)', false).run(new Uint8Array([1, 2])).lastInsertRowid)).toBe(1);
		expect(connection.prepare('SELECT id FROM t', false).all()).toEqual([{ id: 1 }]);
		expect([...connection.prepare('SELECT id, length(b) FROM t', true).iterate()]).toEqual([[1, 2]]);
		connection.exec('BEGIN');
		expect(connection.isTransaction).toBe(true);
		connection.exec('ROLLBACK');
		connection.close();
		expect(connection.isOpen).toBe(false);
	});
});
