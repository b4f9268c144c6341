/** Debian's own Redis and Postgres, started for one run on 127.0.0.1 with nothing kept; each ends with the process that started it. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../examples/setup/processes.mjs';

const PASSWORD = 'only for this run';

/**
 * Where the two programs are.
 *
 * @param system  root of the file system
 * @throws with the line that installs what is missing
 */
export function findServers(system = '/') {
	const redis = ['usr/bin/redis-server', 'usr/local/bin/redis-server'].map((place) => path.join(system, place)).find(existsSync);
	const postgres = postgresPrograms(path.join(system, 'usr/lib/postgresql'));
	if (redis && postgres) return { redis, postgres };
	const packages = [...(redis ? [] : ['redis-server']), ...(postgres ? [] : ['postgresql'])].join(' ');
	throw new Error(`The tests of n8n's queue mode need ${packages}. On Debian or Ubuntu:\napt-get install -y --no-install-recommends ${packages}`);
}

/** The folder of the newest Postgres's programs. */
function postgresPrograms(place) {
	const versions = existsSync(place) ? readdirSync(place).sort((a, b) => Number(b) - Number(a)) : [];
	return versions.map((version) => path.join(place, version, 'bin')).find((folder) => existsSync(path.join(folder, 'initdb')));
}

/** @returns {port, stop} */
export async function startRedis({ redis }) {
	const port = await freePort();
	const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: '/' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	return { port, stop: await startServer([redis, ...args], { ready: /ready to accept connections/i, endWith: 'TERM' }) };
}

/**
 * A Postgres with empty databases of these names. Started as root it runs as the user `postgres`, since it refuses to run as root.
 *
 * @param folder  an existing folder for its files
 * @returns {connection, stop}; connection is {host, port, user, password}
 */
export async function startPostgres({ postgres }, folder, databases) {
	const owner = process.getuid() === 0 ? accountOf('postgres') : undefined;
	const home = mkdtempSync(path.join(folder, 'postgres-'));
	const data = path.join(home, 'data');
	mkdirSync(data, { mode: 0o700 });
	const passwordFile = path.join(home, 'password');
	writeFileSync(passwordFile, PASSWORD);
	if (owner) for (const place of [home, data, passwordFile]) chownSync(place, owner.uid, owner.gid);
	const as = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : [];
	const initdb = [path.join(postgres, 'initdb'), '-D', data, '-U', 'engine', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--no-locale', '-N'];
	const made = spawnSync('setpriv', [...as, ...initdb], { cwd: home, encoding: 'utf8' });
	if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
	const port = await freePort();
	const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 100 };
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const stop = await startServer([path.join(postgres, 'postgres'), '-D', data, ...args], { ready: /ready to accept connections/, endWith: 'INT', as, cwd: home });
	const connection = { host: '127.0.0.1', port, user: 'engine', password: PASSWORD };
	await makeDatabases(connection, databases);
	return { connection, stop };
}

function accountOf(name) {
	const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
	if (!uid) throw new Error(`There is no user "${name}": Debian's package postgresql makes it.`);
	return { uid, gid };
}

async function makeDatabases(connection, names) {
	const { default: pg } = await import('pg');
	const client = new pg.Client({ ...connection, database: 'postgres' });
	await client.connect();
	for (const name of names) await client.query(`CREATE DATABASE ${name}`);
	await client.end();
}

/**
 * Starts a server that ends when this process does, and waits for the line that says it is ready.
 *
 * @param endWith  the signal that it gets then, and from `stop`
 * @returns        stop
 */
async function startServer(command, { ready, endWith, as = [], cwd }) {
	const child = spawn('setpriv', [`--pdeathsig=${endWith}`, ...as, ...command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	const ended = new Promise((resolve) => child.once('close', resolve));
	let printed = '';
	await new Promise((resolve, reject) => {
		const read = (chunk) => {
			printed = (printed + chunk).slice(-4000);
			if (ready.test(printed)) resolve();
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		child.once('error', reject);
		child.once('close', (code) => reject(new Error(`${path.basename(command[0])} ended at its start (exit ${code}):\n${printed}`)));
	});
	return async () => {
		child.kill(`SIG${endWith}`);
		await ended;
	};
}
