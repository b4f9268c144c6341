/**
 * The n8n that runs the examples and the tests: one version, installed once into the cache folder.
 *
 * Its install scripts are left out (one of them needs a compiler toolchain that most machines lack); only its database driver is
 * then built from source.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, runCommand, startChild, stopChild } from './processes.mjs';
import { n8nVersion, readJson } from './places.mjs';

/**
 * Makes sure that n8n is in the cache folder, whole.
 *
 * A marker file is written last: a folder without it is checked, and installed again when the check fails.
 * @returns the folder that holds its node_modules
 */
export async function ensureN8n(cacheFolder, say) {
	const folder = path.join(cacheFolder, `n8n-${n8nVersion}`);
	const marker = path.join(folder, 'complete');
	if (existsSync(marker)) return folder;
	if (!isWhole(folder)) await installN8n(folder, say);
	writeFileSync(marker, `${n8nVersion}\n`);
	return folder;
}

/** Starts n8n and waits until it answers. `environment` comes from prepareUserFolder. */
export async function startN8n({ folder, environment, port, log }) {
	const url = `http://127.0.0.1:${port}`;
	return await startProcess({ folder, args: ['start'], environment: { ...environment, N8N_PORT: String(port) }, url, isReady, log });
}

/** Starts a worker of n8n's queue mode and waits until it takes runs. Its main must have made the database before. */
export async function startWorker({ folder, environment, port, concurrency, log }) {
	const url = `http://127.0.0.1:${port}`;
	const health = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port), N8N_WORKER_SERVER_ADDRESS: '127.0.0.1' };
	const args = ['worker', `--concurrency=${concurrency}`];
	return await startProcess({ folder, args, environment: { ...environment, ...health }, url, isReady: isWorkerReady, log });
}

async function startProcess({ folder, args, environment, url, isReady, log }) {
	let printed = '';
	const child = startChild(process.execPath, [commandFile(folder), ...args], {
		cwd: environment.N8N_USER_FOLDER,
		env: childEnvironment(environment),
		log: (text) => {
			printed = (printed + text).slice(-4000);
			log(text);
		},
	});
	const deadline = Date.now() + 180_000;
	while (!(await isReady(url))) {
		if (child.exitCode !== null) throw new Error(`n8n ended at its start (exit ${child.exitCode}):\n${printed}`);
		if (Date.now() > deadline) {
			await stopChild(child);
			throw new Error(`n8n did not answer within 3 minutes:\n${printed}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 300));
	}
	return { url, pid: child.pid, stop: () => stopChild(child), ended: new Promise((resolve) => child.once('close', resolve)) };
}

/** Runs one n8n command line command in the user folder, e.g. ['execute', '--id', 'x']; gives what it printed. */
export async function runN8nCommand({ folder, environment, args }) {
	return await runCommand(process.execPath, [commandFile(folder), ...args], {
		cwd: environment.N8N_USER_FOLDER,
		env: environment,
		what: `n8n ${args[0]}`,
	});
}

function commandFile(folder) {
	return path.join(folder, 'node_modules/n8n/bin/n8n');
}

/** Reads the answer to its end: one left half read breaks when the server goes. */
async function isOk(url) {
	const response = await fetch(url);
	await response.arrayBuffer();
	return response.ok;
}

async function isReady(url) {
	return (await isWorkerReady(url)) && (await isOk(`${url}/rest/settings`));
}

async function isWorkerReady(url) {
	try {
		return await isOk(`${url}/healthz/readiness`);
	} catch {
		return false;
	}
}

function isWhole(folder) {
	const manifest = path.join(folder, 'node_modules/n8n/package.json');
	if (!existsSync(manifest) || readJson(manifest).version !== n8nVersion) return false;
	return spawnSync(process.execPath, ['-e', 'require("sqlite3")'], { cwd: folder }).status === 0;
}

async function installN8n(folder, say) {
	checkBuildTools();
	say(`Fetching n8n ${n8nVersion} into ${folder}: about 3 GB, 3 to 10 minutes, once.`);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'n8n-host', private: true }));
	const npm = (args, what) => runCommand('npm', args, { cwd: folder, say, what });
	await npm(['install', `n8n@${n8nVersion}`, '--ignore-scripts', '--no-audit', '--no-fund'], 'installing n8n');
	say('Building its database driver: one to two minutes.');
	await npm(['rebuild', 'sqlite3', '--build-from-source', ...headersOption()], 'building sqlite3');
	if (!isWhole(folder)) throw new Error(`n8n was installed into ${folder}, but its database driver does not load.`);
}

function checkBuildTools() {
	const missing = ['make', 'g++', 'python3'].filter((tool) => spawnSync(tool, ['--version']).error);
	if (missing.length === 0) return;
	throw new Error(
		`${missing.join(', ')} not found: n8n's database driver is built here, once.\n` +
			'On Debian or Ubuntu: apt-get install -y make g++ python3',
	);
}

/** The headers that come with the Node in use: an npm without network settings of its own need not fetch them. */
function headersOption() {
	const home = path.resolve(realpathSync(process.execPath), '../..');
	const bundled = path.resolve(home, `node_modules/node-${process.platform}-${process.arch}`);
	const found = [home, bundled].find((folder) => existsSync(path.join(folder, 'include/node/node.h')));
	return found ? [`--nodedir=${found}`] : [];
}
