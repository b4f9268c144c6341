import { openOrCreateTheme, openTheme } from '../../lib/rag/open-theme';
import { migratePostgres } from '../../lib/rag/postgres-migrate';
import { openPostgres, type PostgresSession } from '../../lib/storage/postgres';
import { analyse, ANALYSER_VERSION } from '../../lib/text/analyse';
import { fakeEmbedder } from '../support/fake-embedder';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { add, find } from './make-store';

const embedder = fakeEmbedder();

describe('a knowledge base in Postgres of another version', () => {
	let postgres: TestPostgres;
	beforeAll(async () => {
		postgres = await startPostgres();
	}, 60_000);
	afterAll(async () => await postgres.stop());

	/** A knowledge base with two documents, then changed by SQL. */
	async function made(theme: string, statements: readonly string[]) {
		const place = { postgres: postgres.connection, theme };
		const store = await openOrCreateTheme(place, { createdBy: 'test' });
		await add(store, [{ id: 'a', text: '# Pompe\n\nPurger la pompe N-92c.', title: 'Manuel', acl: ['u:a'] }, 'la vanne'], embedder);
		const search = { tokens: analyse('pompes N92C'), candidates: 5, acl: ['u:a'] };
		const before = await store.search(search);
		await store.close();
		for (const sql of statements) await sqlOf(theme, sql);
		return { place, search, before };
	}

	async function sqlOf(theme: string, sql: string) {
		const session = await openPostgres(postgres.connection, `reactengine_${theme}`);
		return await session.query(sql).finally(() => session.release());
	}

	const valueOf = async (theme: string, name: string) => (await sqlOf(theme, `SELECT value FROM meta WHERE name = '${name}'`))[0]?.value;
	const indexes = async (theme: string) =>
		(await sqlOf(theme, `SELECT indexname FROM pg_indexes WHERE schemaname = 'reactengine_${theme}' AND indexname = 'documents_of_scope'`)).length;
	const AS_FORMAT_2 = ["UPDATE meta SET value = '2' WHERE name = 'format'", 'DROP INDEX documents_of_scope'];

	it('is migrated when it is opened, once, and answers as before', async () => {
		const { place, search, before } = await made('older', AS_FORMAT_2);
		expect(await indexes('older')).toBe(0);
		const changes = Number(await valueOf('older', 'changes'));
		for (let turn = 0; turn < 2; turn++) await (await openTheme(place)).close();
		expect([await valueOf('older', 'format'), await indexes('older'), Number(await valueOf('older', 'changes'))]).toEqual(['3', 1, changes + 1]);
		const store = await openTheme(place);
		expect(await store.search(search)).toEqual(before);
		expect((await store.manifest()).format).toBe(3);
		await add(store, [{ id: 'b', text: 'pompe neuve', scope: 's', acl: ['u:a'] }], embedder);
		expect(await find(store, 'neuve', { acl: ['u:a'], embedder })).toContain('b');
		await store.close();
	}, 60_000);

	it('is migrated by one of several processes: who waited for the lock finds it done', async () => {
		await made('raced', AS_FORMAT_2);
		const session = await openPostgres(postgres.connection, 'reactengine_raced');
		const asked: string[] = [];
		// This process has seen the old format; before it gets the lock, another one migrates.
		const late: PostgresSession = {
			...{ query: async (sql, values) => (asked.push(sql), await session.query(sql, values)), release: () => undefined },
			async transaction(work) {
				await migratePostgres(session, 'reactengine_raced');
				asked.length = 0;
				return await session.transaction(work);
			},
		};
		await migratePostgres(late, 'reactengine_raced');
		session.release();
		expect(asked).toEqual(['SELECT pg_advisory_xact_lock(hashtext(?))', 'SELECT name, value FROM meta']);
		expect([await valueOf('raced', 'format'), await indexes('raced')]).toEqual(['3', 1]);
	}, 60_000);

	it('has its words analysed anew when they are of an older analysis', async () => {
		// As an analyser that knew no stems and no codes would have left it.
		const { place, search, before } = await made('words', [
			`UPDATE meta SET value = '${ANALYSER_VERSION - 1}' WHERE name = 'analyser'`,
			'DELETE FROM postings',
			"INSERT INTO postings SELECT 'x', id, 1 FROM chunks",
			'UPDATE chunks SET length = 1',
		]);
		const store = await openTheme(place);
		expect(await store.search(search)).toEqual(before);
		expect(await store.verify()).toEqual({ ok: true, problems: [] });
		expect((await store.manifest()).analyserVersion).toBe(ANALYSER_VERSION);
		await store.close();
	}, 60_000);

	it('stays as it was when the migration breaks off', async () => {
		const { place } = await made('broken', [AS_FORMAT_2[0]!]);
		// The index that the migration makes is there already.
		await expect(openTheme(place)).rejects.toThrow('already exists');
		expect(await valueOf('broken', 'format')).toBe('2');
		await sqlOf('broken', 'DROP INDEX documents_of_scope');
		await (await openTheme(place)).close();
		expect(await valueOf('broken', 'format')).toBe('3');
	}, 60_000);

	it.each([
		['99', 'The knowledge base "of99" has format 99; this version reads up to 3', 'Update the package'],
		['1', 'The knowledge base "of1" was made by an early version (format 1)', 'Delete the knowledge base'],
	])('of format %s is a named error with a remedy, for reading and for writing', async (format, message, remedy) => {
		const { place } = await made(`of${format}`, [`UPDATE meta SET value = '${format}' WHERE name = 'format'`]);
		const expected = { code: 'BAD_INPUT', message, remedy: expect.stringContaining(remedy) };
		await expect(openTheme(place)).rejects.toMatchObject(expected);
		await expect(openOrCreateTheme(place, { createdBy: 'test' })).rejects.toMatchObject(expected);
		expect(await valueOf(`of${format}`, 'format')).toBe(format);
	}, 60_000);

	it('of a newer text analysis is a named error', async () => {
		const { place } = await made('analysed', ["UPDATE meta SET value = '99' WHERE name = 'analyser'"]);
		await expect(openTheme(place)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('text analysis 99') });
	}, 60_000);
});
