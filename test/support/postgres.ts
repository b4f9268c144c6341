import type { PostgresConnection } from '../../lib/storage/postgres';
import { closePostgres } from '../../lib/storage/postgres';

export interface TestPostgres {
	readonly connection: PostgresConnection;
	stop(): Promise<void>;
}

/**
 * A Postgres with pgvector on 127.0.0.1, from npm alone. All its connections share one session: one store at a time.
 */
export async function startPostgres(): Promise<TestPostgres> {
	const { PGlite } = await import('@electric-sql/pglite');
	const { vector } = await import('@electric-sql/pglite-pgvector');
	const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');
	const db = await PGlite.create({ extensions: { vector } });
	const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 10 });
	await server.start();
	const port = Number(server.getServerConn().split(':').at(-1));
	return {
		connection: { host: '127.0.0.1', port, database: 'postgres', user: 'postgres', password: 'x', ssl: false },
		async stop() {
			await closePostgres();
			await server.stop();
			await db.close();
		},
	};
}
