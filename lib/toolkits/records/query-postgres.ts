import { CodedError } from '../../core/errors';
import { openPostgres, type PostgresConnection } from '../../storage/postgres';

/** Rows that are loaded at most; questions over more belong into the query itself. */
export const MOST_ROWS = 200_000;
const STATEMENT_LIMIT_MS = 60_000;

/**
 * Rows of one SELECT, read in a transaction that cannot write. Days and times without a zone come as text, those with one as
 * Date, exact numbers as text.
 *
 * @throws CodedError BAD_INPUT for what is not one SELECT, RESOURCE_LIMIT for more than 200,000 rows, UPSTREAM for what the server said
 */
export async function queryPostgres(connection: PostgresConnection, sql: string): Promise<readonly Record<string, unknown>[]> {
	const query = sql.trim().replace(/;\s*$/, '');
	if (!/^(?:select|with|table|values)\b/i.test(query) || query.includes('?')) {
		throw new CodedError('BAD_INPUT', `The query is not a SELECT that can be run: ${query.slice(0, 80)}`, {
			remedy: 'Write one SELECT, without question marks (jsonb_exists stands for the operator ?).',
		});
	}
	const session = await openPostgres(connection, 'public');
	try {
		return await session.transaction(async () => {
			await session.query('SET TRANSACTION READ ONLY');
			await session.query(`SET LOCAL statement_timeout = ${STATEMENT_LIMIT_MS}`);
			// A value makes it one prepared statement: a second one behind a semicolon is refused by the server.
			const rows = await session.query(`SELECT * FROM (\n${query}\n) AS records LIMIT ?`, [MOST_ROWS + 1]);
			if (rows.length <= MOST_ROWS) return rows;
			throw new CodedError('RESOURCE_LIMIT', `The query gives more than ${MOST_ROWS.toLocaleString('en')} rows`, { remedy: 'Narrow it with WHERE, or group in the query.' });
		});
	} finally {
		session.release();
	}
}
