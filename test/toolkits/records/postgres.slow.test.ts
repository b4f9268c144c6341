import { loadRows } from '../../../lib/toolkits/records/load-rows';
import { queryPostgres } from '../../../lib/toolkits/records/query-postgres';
import { recordTools } from '../../../lib/toolkits/records/record-tools';
import { openPostgres } from '../../../lib/storage/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { dataOf } from '../call-tool';

let server: TestPostgres;
beforeAll(async () => {
	server = await startPostgres();
	const session = await openPostgres(server.connection, 'public');
	await session.query('CREATE TABLE orders (id text, opened date, cost numeric(10,2), urgent boolean)');
	await session.query(`INSERT INTO orders VALUES ('N-92c', '2025-12-31', 0.10, true), ('N-93', '2026-01-02', 0.20, false), ('N-94', NULL, NULL, false)`);
	session.release();
}, 60_000);
afterAll(async () => await server.stop());

describe('queryPostgres', () => {
	it('gives rows that the records tools compute exactly', async () => {
		const table = await loadRows({ kind: 'rows', rows: await queryPostgres(server.connection, 'SELECT * FROM orders ORDER BY id;') });
		expect(table.columns.map(({ type }) => type)).toEqual(['text', 'date', 'number', 'boolean']);
		const tools = recordTools(table, { about: 'orders', prefix: '' });
		expect(await dataOf(tools, 'aggregate_records', { measure: 'sum', column: 'cost' })).toMatchObject({ overall: { value: 0.3 }, rowsWithoutValue: 1 });
		expect(await dataOf(tools, 'find_records', { filters: [{ column: 'ID', operator: 'equals', value: 'n-92C' }] })).toMatchObject({ total: 1 });
	});

	it('writes nothing and runs one statement only', async () => {
		const tried = [
			"WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
			"SELECT 1) AS x; COMMIT; DROP TABLE orders; SELECT * FROM (SELECT 1",
		];
		for (const sql of tried) await expect(queryPostgres(server.connection, sql)).rejects.toMatchObject({ code: 'UPSTREAM' });
		await expect(queryPostgres(server.connection, 'DELETE FROM orders')).rejects.toThrow('not a SELECT');
		expect(await queryPostgres(server.connection, 'SELECT count(*) AS n FROM orders')).toEqual([{ n: '3' }]);
	});
});
