import { raise } from '../core/errors';
import type { RequestSettings } from './connect';

type Ask = (method: string, params: Record<string, unknown>, settings: RequestSettings) => Promise<Record<string, unknown>>;

/** How long the server keeps the result of a task. */
const KEPT_MS = 600_000;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/**
 * Runs a tool that only runs as a task: starts it, asks how it goes until it ended, takes the result. When the signal aborts or
 * the time is over the task is cancelled on the server.
 *
 * @param begin sends the call; what is asked afterwards only reads
 */
export async function runTask(
	begin: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
	ask: Ask,
	call: { readonly name: string; readonly args: Record<string, unknown>; readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Record<string, unknown>> {
	const started = await begin({ name: call.name, arguments: call.args, task: { ttl: KEPT_MS } });
	const task = started.task as { taskId?: unknown; pollInterval?: unknown } | undefined;
	// A server may answer at once.
	if (typeof task?.taskId !== 'string') return started;
	const params = { taskId: task.taskId };
	const limit = AbortSignal.timeout(call.timeoutMs);
	const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit;
	try {
		for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 1.5)) {
			const { status } = await ask('tasks/get', params, { signal });
			// For one that waits for an answer of ours, asking for the result lets the server ask.
			if (status !== 'working') break;
			await pause(typeof task.pollInterval === 'number' ? Math.min(task.pollInterval, wait) : wait, signal);
		}
		return await ask('tasks/result', params, { signal, timeoutMs: call.timeoutMs });
	} catch (error) {
		if (signal.aborted) await ask('tasks/cancel', params, {}).catch(() => undefined);
		return raise(error);
	}
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const stop = (): void => {
			clearTimeout(timer);
			reject(signal.reason as Error);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', stop);
			resolve();
		}, ms);
		signal.addEventListener('abort', stop, { once: true });
	});
}
