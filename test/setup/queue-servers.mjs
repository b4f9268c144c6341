import { chmodSync, createWriteStream, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '../../examples/setup/n8n-api.mjs';
import { ensureN8n, startN8n, startWorker } from '../../examples/setup/n8n-host.mjs';
import { installPackage } from '../../examples/setup/package-install.mjs';
import { cacheFolder, root } from '../../examples/setup/places.mjs';
import { freePort } from '../../examples/setup/processes.mjs';
import { prepareUserFolder } from '../../examples/setup/user-folder.mjs';
import { findServers, startPostgres, startRedis } from './debian-servers.mjs';
import stopQueue from './queue-servers-stop.mjs';

/** One run at a time on each worker: tests choose the worker of a run by keeping the other one busy. */
const CONCURRENCY = 1;

/**
 * n8n in queue mode: a main and two workers, each with a user folder of its own as on machines of their own, over Debian's Redis and
 * Postgres. The tests find it through REACTENGINE_QUEUE, and the main through REACTENGINE_N8N.
 */
export default async function startQueue() {
	const servers = findServers();
	if (!existsSync(path.join(root, 'dist'))) throw new Error('dist/ is missing: run "npm run build" first.');
	const say = (line) => process.stdout.write(`${line}\n`);
	const hostFolder = await ensureN8n(cacheFolder(), say);
	const nodes = await installPackage(cacheFolder(), say);
	const folder = mkdtempSync(path.join(tmpdir(), 'reactengine-queue-'));
	// Postgres may run as another user, who has to pass through this folder.
	chmodSync(folder, 0o711);
	globalThis.reactengineQueue = { folder, stops: [] };
	try {
		await startAll({ servers, hostFolder, nodes, folder });
	} catch (error) {
		await stopQueue();
		throw error;
	}
}

async function startAll({ servers, hostFolder, nodes, folder }) {
	const { stops } = globalThis.reactengineQueue;
	const redis = await startRedis(servers);
	stops.push(redis.stop);
	const postgres = await startPostgres(servers, folder, ['n8n', 'engine']);
	stops.push(postgres.stop);
	const port = await freePort();
	const shared = sharedEnvironment({ redis, postgres: postgres.connection, port });
	const main = await member('main', { folder, nodes, shared });
	const server = await startN8n({ folder: hostFolder, environment: main.environment, port, log: main.log });
	stops.push(server.stop);
	await connect(server.url, main.user.login);
	const sharedKey = { ...shared, N8N_ENCRYPTION_KEY: main.environment.N8N_ENCRYPTION_KEY };
	const workers = await Promise.all(
		['one', 'two'].map(async (name) => {
			const { environment, log } = await member(name, { folder, nodes, shared: sharedKey });
			const worker = await startWorker({ folder: hostFolder, environment, port: await freePort(), concurrency: CONCURRENCY, log });
			stops.push(worker.stop);
			return name;
		}),
	);
	process.env.REACTENGINE_N8N = JSON.stringify({ url: server.url, hostFolder, nodes, user: main.user });
	process.env.REACTENGINE_QUEUE = JSON.stringify({ workers, postgres: { ...postgres.connection, database: 'engine', ssl: false }, n8nDatabase: 'n8n' });
}

async function member(name, { folder, nodes, shared }) {
	const user = await prepareUserFolder(path.join(folder, name), nodes);
	const file = createWriteStream(path.join(folder, `${name}.log`));
	return { user, environment: { ...user.environment, ...shared, REACTENGINE_WORKER: name }, log: (text) => file.write(text) };
}

function sharedEnvironment({ redis, postgres, port }) {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'n8n',
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		DB_POSTGRESDB_POOL_SIZE: '10',
		// Workers write the addresses at which a waiting run is answered.
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		// So that a run can say on which worker it is.
		N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
	};
}
