import { createHash, randomBytes } from 'node:crypto';
import { McpSession } from './session';
import type { McpOptions, McpServer } from './server';

/** Long enough for the turns of an agent, short enough for a run that waits for a person. */
const IDLE_MS = 60_000;

interface Entry {
	readonly session: McpSession;
	timer: NodeJS.Timeout;
}

const open = new Map<string, Entry>();

/**
 * The session of one server within one scope (an execution): the nodes of a run are called again for every turn and share it.
 *
 * It is closed after a minute without use, and by `closeSessions`. Only a cache: a worker that has none opens its own.
 *
 * @param onNew called when this made a new session, so that its end can be arranged once
 */
export function sessionFor(scope: string, server: McpServer, options: McpOptions, onNew?: () => void): McpSession {
	const key = `${scope}\n${hashOf({ server, timeoutMs: options.timeoutMs })}`;
	const known = open.get(key);
	if (known !== undefined) {
		known.timer.refresh();
		known.session.use(options);
		return known.session;
	}
	const mark = `x${randomBytes(2).toString('hex')}`;
	const session: McpSession = new McpSession(server, options, (moment) => keepOpen(key, session, moment), mark);
	keepOpen(key, session, 'begin');
	onNew?.();
	return session;
}

/** Counts a minute from now; a session that was closed while idle and is used again by who holds it comes back. */
function keepOpen(key: string, session: McpSession, moment: 'begin' | 'end'): void {
	const known = open.get(key);
	if (known?.session === session) {
		known.timer.refresh();
		return;
	}
	// A request that ends after the session was closed opens nothing.
	if (known !== undefined || moment === 'end') return;
	const timer = setTimeout(() => void closeIfIdle(key), IDLE_MS);
	// An idle session alone must not keep the process alive.
	timer.unref();
	open.set(key, { session, timer });
}

/** Closes the sessions of a scope, all of them without one. Never throws. */
export async function closeSessions(scope?: string): Promise<void> {
	const keys = [...open.keys()].filter((key) => scope === undefined || key.startsWith(`${scope}\n`));
	await Promise.all(keys.map(closeEntry));
}

/** How many sessions are open in this process. */
export function openSessions(): number {
	return open.size;
}

/** A call that takes longer than the idle limit is no idleness. */
async function closeIfIdle(key: string): Promise<void> {
	const entry = open.get(key);
	if (entry !== undefined && entry.session.busy > 0) entry.timer.refresh();
	else await closeEntry(key);
}

async function closeEntry(key: string): Promise<void> {
	const entry = open.get(key);
	open.delete(key);
	if (entry === undefined) return;
	clearTimeout(entry.timer);
	await entry.session.close();
}

function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
