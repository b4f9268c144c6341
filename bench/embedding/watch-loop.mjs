/**
 * How long an event loop is held: in this process while it works, and at the same time in a process that does nothing at all, which
 * tells what the machine's load alone costs.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/**
 * Watches this process's event loop until the function that it gives is called, which gives the longest of:
 * - `wall`: milliseconds between two ticks of a timer of 1 ms, less that one;
 * - `own`: processor time of this process between them;
 * - `running`: `wall` less the time for which the thread was ready and waited for a processor (Linux only, else as `wall`);
 * and `p99` of the loop's delay.
 */
export function watchLoop() {
	const longest = { wall: 0, own: 0, running: 0 };
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	let at = performance.now();
	let used = process.cpuUsage();
	let waited = waitedMs();
	const timer = setInterval(() => {
		const wall = performance.now() - at;
		const spent = process.cpuUsage(used);
		const waits = waitedMs();
		longest.wall = Math.max(longest.wall, wall - 1);
		longest.own = Math.max(longest.own, Math.min(wall, (spent.user + spent.system) / 1000));
		longest.running = Math.max(longest.running, wall - 1 - (waits - waited));
		waited = waitedMs();
		used = process.cpuUsage();
		at = performance.now();
	}, 1);
	return () => {
		clearInterval(timer);
		delay.disable();
		return { ...longest, p99: delay.percentile(99) / 1e6 - 1 };
	};
}

/** Milliseconds that the main thread was ready to run and did not get a processor. */
function waitedMs() {
	return process.platform === 'linux' ? Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6 : 0;
}

/** An idle process with a watch of its own; `during` runs a function and gives the longest times of both over all calls so far. */
export async function startIdle() {
	const child = fork(fileURLToPath(import.meta.url), ['--idle']);
	const ask = async (what) => {
		child.send(what);
		return await new Promise((resolve) => child.once('message', resolve));
	};
	const seen = { own: {}, idle: {} };
	const during = async (fn) => {
		await ask('begin');
		const end = watchLoop();
		const result = await fn();
		add(seen.own, end());
		add(seen.idle, await ask('end'));
		return result;
	};
	return { during, seen, stop: () => child.kill() };
}

function add(total, found) {
	for (const [name, value] of Object.entries(found)) total[name] = Math.max(total[name] ?? 0, value);
}

if (process.argv[2] === '--idle') {
	let end;
	process.on('message', (what) => {
		if (what === 'begin') end = watchLoop();
		process.send(what === 'begin' ? {} : end());
	});
	process.on('disconnect', () => process.exit());
}
