import { openPostgres } from '../../lib/storage/postgres';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { RecordsToolkit } from '../../nodes/RecordsToolkit/RecordsToolkit.node';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

let server: TestPostgres;

beforeAll(async () => {
	server = await startPostgres();
	const session = await openPostgres(server.connection, 'public');
	await session.query('CREATE TABLE orders (id text, opened date, cost numeric(10,2))');
	await session.query(`INSERT INTO orders SELECT 'N-' || n || 'c', DATE '2025-01-01' + n % 365, 0.1 * n FROM generate_series(1, 3000) AS n`);
	session.release();
}, 60_000);
afterAll(async () => await server.stop());

/** An agent whose model makes the calls one after another; what it read of each. */
async function ask(postgres: string, calls: ReadonlyArray<{ name: string; args: Record<string, unknown> }>) {
	const model = scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'done' }]);
	const run = await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.records': new RecordsToolkit() },
		nodes: [start(), node('Agent', 'p.agent', { query: 'go' }), node('Model', 'p.model'),
			node('Records', 'p.records', { source: 'postgres', postgres, about: 'orders' }, { credentials: { postgres: { id: 'c', name: 'DB' } } })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Records', 'ai_tool', 'Agent']),
		input: [{ json: {} }],
		credentials: { DB: { ...server.connection, ssl: 'disable' } },
	});
	const messages = model.requests.at(-1)?.messages ?? [];
	return { run, read: messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : []))) };
}

describe('Records Toolkit over Postgres', () => {
	it('answers an agent over all rows of a query, each call a visible run of its node', async () => {
		const { run, read } = await ask('SELECT * FROM orders', [
			{ name: 'aggregate_records', args: { measure: 'sum', column: 'cost' } },
			{ name: 'find_records', args: { filters: [{ column: 'ID', operator: 'equals', value: 'n-92C' }] } },
			{ name: 'count_records', args: { filters: [{ column: 'opened', operator: 'equals', value: '2025-02' }] } },
		]);
		expect(run.error).toBeUndefined();
		expect(run.runData.Records).toHaveLength(3);
		expect(read[0]).toContain('"value":450150,"rows":3000');
		expect(read[1]).toContain('"records":[{"id":"N-92c","opened":"2025-04-03","cost":9.2}]');
		const expected = Array.from({ length: 3000 }, (_, at) => new Date(Date.UTC(2025, 0, 1) + ((at + 1) % 365) * 86_400_000)).filter((day) => day.getUTCMonth() === 1);
		expect(read[2]).toContain(`"count":${expected.length},"of":3000`);
	});

	it('keeps days and times without a zone as they are written, and shows times with one on the clock of the workflow, never on that of the process', async () => {
		const sql = `SELECT DATE '2025-12-31' AS day, TIMESTAMP '2025-12-31 23:30:00' AS local, TIMESTAMPTZ '2025-12-31 23:30:00+00' AS moment`;
		const { read } = await ask(sql, [{ name: 'find_records', args: {} }]);
		// These workflows have n8n's own default zone, America/New_York.
		expect(read[0]).toContain('"records":[{"day":"2025-12-31","local":"2025-12-31T23:30:00","moment":"2025-12-31T18:30:00"}]');
	});

	it('refuses a query that would write', async () => {
		const session = await openPostgres(server.connection, 'public');
		await session.query('CREATE SEQUENCE turns');
		session.release();
		const { run } = await ask(`SELECT id, nextval('turns') AS turn FROM orders`, []);
		expect(JSON.stringify(run.error)).toContain('nextval');
	});

	it('fails the item with words when the database refuses the query', async () => {
		const { run } = await ask('SELECT * FROM nowhere', []);
		expect(JSON.stringify(run.error)).toContain('nowhere');
	});
});
