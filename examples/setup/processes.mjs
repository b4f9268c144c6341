/** Child processes that never outlive us: every long-lived child leads its own group and is ended with it. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';

const running = new Set();

/** The environment for children: this Node first in PATH, the parent's npm and Node settings left out. */
export function childEnvironment(extra = {}) {
	const kept = Object.entries(process.env).filter(([name]) => !/^(npm_(lifecycle|package|command|execpath|node_execpath)|NODE_OPTIONS|NODE_ENV|JEST_)/.test(name));
	const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;
	return { ...Object.fromEntries(kept), PATH, ...extra };
}

/**
 * Runs a command to its end. Says every 20 seconds that it is still at work.
 *
 * @returns what it printed on stdout
 * @throws when it ends with anything but 0, with the last lines it printed
 */
export async function runCommand(command, args, { cwd, env, say, what }) {
	const child = spawn(command, args, { cwd, env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	running.add(child);
	const out = [];
	const all = [];
	child.stdout.on('data', (chunk) => void out.push(chunk) + all.push(chunk));
	child.stderr.on('data', (chunk) => all.push(chunk));
	const startedAt = Date.now();
	const timer = setInterval(() => say?.(`  … ${what}: ${Math.round((Date.now() - startedAt) / 1000)} s`), 20_000);
	try {
		const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
		if (code !== 0) throw new Error(`${what} failed (exit ${code}).\n${lastLines(Buffer.concat(all).toString(), 25)}`);
		return Buffer.concat(out).toString();
	} finally {
		clearInterval(timer);
		running.delete(child);
	}
}

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;

/** Starts a long-lived Node child in its own process group; what it prints goes to `log`. It ends when this process does. */
export function startChild(command, args, { cwd, env, log }) {
	const watched = { ...env, REACTENGINE_PARENT: String(process.pid), NODE_OPTIONS: `${env?.NODE_OPTIONS ?? ''} --import ${endWithParent}`.trim() };
	const child = spawn(command, args, { cwd, env: watched, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	running.add(child);
	child.once('close', () => running.delete(child));
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log(chunk.toString()));
	return child;
}

/** Ends a child and its group: politely, then after `graceMs` by force. Resolves when it is gone. */
export async function stopChild(child, graceMs = 10_000) {
	if (child.exitCode !== null || child.signalCode !== null) return signalGroup(child, 'SIGKILL');
	const gone = new Promise((resolve) => child.once('close', resolve));
	signalGroup(child, 'SIGTERM');
	const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
	await gone;
	clearTimeout(force);
	signalGroup(child, 'SIGKILL');
}

function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

process.once('exit', () => {
	for (const child of running) signalGroup(child, 'SIGKILL');
});

/** A port of 127.0.0.1 that is free now. */
export async function freePort() {
	const server = createServer();
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** True when nothing listens on this port of 127.0.0.1. */
export async function isPortFree(port) {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

function lastLines(text, count) {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}
