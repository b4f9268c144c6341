/**
 * MCP: tools, resources and prompts of servers that speak the Model Context Protocol.
 *
 * In: how to reach a server (a command, or an address with headers or a login). Out: core tools whose names are safe for
 * models and whose schemas are exactly as declared. Sessions are made anew when a server forgot them; a call that may have
 * run is only repeated when the tool says that this is harmless. The SDK loads at the first connection. Nothing here knows
 * n8n.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { messageOf, raise } from '../core/errors';
import { innerSignal } from '../core/inner-signal';
import { answerServer, capabilitiesOf } from './answer-server';
import { httpLine, stdioLine, type Line } from './line';
import { loadSdk } from './load-sdk';
import { isLoginNeeded, toMcpError } from './mcp-error';
import type { McpOptions, McpServer } from './server';

/** A server that reports progress may take this many times the timeout. */
const MOST_TIMEOUTS = 10;
/** Logins in a row (first scope, more scope) before a refusal is final. */
const MAX_LOGINS = 3;

export interface RequestSettings {
	/** Milliseconds; those of the connection without. */
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal;
}

/** One open connection. Its errors are the SDK's own; `explain` turns them into ours. */
export interface McpConnection {
	request(method: string, params: Record<string, unknown>, settings?: RequestSettings): Promise<Record<string, unknown>>;
	explain(error: unknown): Promise<Error>;
	/** What the server said it can do. */
	readonly can: (capability: 'tools' | 'resources' | 'prompts' | 'subscribe') => boolean;
	/** True once the server or its process closed it. */
	readonly isClosed: () => boolean;
	/** Ends the session (DELETE), the streams and the process. Never throws. */
	close(): Promise<void>;
}

/**
 * Connects and initializes.
 *
 * @throws CodedError that names the server: command missing, process ended (exit code, last error lines), address wrong,
 *   credential refused, login needed, server down, timeout
 */
export async function connectMcp(server: McpServer, options: McpOptions, signal?: AbortSignal): Promise<McpConnection> {
	if (server.transport === 'stdio') return open(() => stdioLine(server), server, options, signal);
	const kind = server.transport === 'sse' ? 'sse' : 'http';
	const first = open(() => httpLine(server, kind, options), server, options, signal);
	if (server.transport !== 'auto') return first;
	return first.catch((error: unknown) => {
		if (!isOlderServer(error)) throw error;
		options.ports.log('info', 'MCP server does not speak streamable HTTP; trying SSE', { status: statusIn(error) });
		return open(() => httpLine(server, 'sse', options), server, options, signal);
	});
}

/** Opens a line; where a person has to log in first, waits for that and opens a new one. */
async function open(newLine: () => Line, server: McpServer, options: McpOptions, signal?: AbortSignal): Promise<McpConnection> {
	for (let logins = 0; ; logins++) {
		const facts = { server, options, line: newLine() };
		const outcome = await tryToOpen(facts, signal);
		if (outcome.ok) return outcome.connection;
		const loggedIn = logins < MAX_LOGINS && isLoginNeeded(outcome.error) && (await logIn(facts));
		if (!loggedIn) throw signal?.aborted ? signal.reason : toMcpError(outcome.error, server, await facts.line.end());
	}
}

interface Facts {
	readonly server: McpServer;
	readonly options: McpOptions;
	readonly line: Line;
}

type Attempt = { readonly ok: true; readonly connection: McpConnection } | { readonly ok: false; readonly error: unknown };

async function tryToOpen(facts: Facts, signal?: AbortSignal): Promise<Attempt> {
	const { options, line } = facts;
	const { Client: SdkClient } = loadSdk('client/index.js');
	// With the default validator one bad output schema makes the whole list of tools fail.
	const { CfWorkerJsonSchemaValidator } = loadSdk('validation/cfworker');
	const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
	const identity = { name: 'n8n-nodes-reactengine', version: '1' };
	const client: Client = new SdkClient(identity, { capabilities: capabilitiesOf(options), jsonSchemaValidator });
	// Background noise of the SDK (late progress, a refused listener stream): worth a line in the log, no failure.
	client.onerror = (error) => options.ports.log('debug', 'MCP', { message: messageOf(error) });
	answerServer(client, options);
	let closed = false;
	client.onclose = () => {
		closed = true;
	};
	try {
		await client.connect(line.transport, { timeout: options.timeoutMs, ...(signal && { signal }) });
		return { ok: true, connection: connectionOf(client, facts, () => closed) };
	} catch (error) {
		await closeQuietly(client, options);
		return { ok: false, error };
	}
}

/** True once a person has logged in; false where nobody can. */
async function logIn({ options: { auth }, line }: Facts): Promise<boolean> {
	if (auth?.kind !== 'oauth2' || auth.codeAfterLogin === undefined || line.finishAuth === undefined) return false;
	await line.finishAuth(await auth.codeAfterLogin());
	return true;
}

function connectionOf(client: Client, facts: Facts, isClosed: () => boolean): McpConnection {
	const { server, options, line } = facts;
	const send = requester(client, options);
	const capabilities = client.getServerCapabilities() ?? {};
	return {
		request: async (method, params, settings = {}) => {
			for (let logins = 0; ; logins++) {
				try {
					return await send(method, params, settings);
				} catch (error) {
					// A request that needs a login, or a wider one, has not run.
					const again = logins < MAX_LOGINS && isLoginNeeded(error) && (await logIn(facts));
					if (!again) raise(error);
				}
			}
		},
		explain: async (error) => toMcpError(error, server, isClosed() ? await line.end() : undefined),
		can: (capability) => (capability === 'subscribe' ? capabilities.resources?.subscribe === true : capabilities[capability] !== undefined),
		isClosed,
		close: async () => {
			if (!isClosed()) await line.sayGoodbye().catch((error: unknown) => logFailure(error, options));
			await closeQuietly(client, options);
		},
	};
}

function requester(client: Client, options: McpOptions) {
	// Loose on purpose: the SDK's own result schemas refuse a whole list for one odd tool, and answers with new kinds of content.
	const { ResultSchema } = loadSdk('types.js');
	return async (method: string, params: Record<string, unknown>, { timeoutMs = options.timeoutMs, signal }: RequestSettings) => {
		const request = { method, params } as Parameters<Client['request']>[0];
		const what = typeof params.name === 'string' ? params.name : method;
		// The SDK never lets go of a signal; a run has one signal for hundreds of calls.
		const inner = signal && innerSignal(signal);
		const limits = { timeout: timeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: timeoutMs * MOST_TIMEOUTS };
		const onprogress = (progress: object): void => options.ports.log('info', `MCP progress of ${what}`, { ...progress });
		return client.request(request, ResultSchema, { ...limits, onprogress, ...(inner && { signal: inner.signal }) }).finally(inner?.release);
	};
}

function isOlderServer(error: unknown): boolean {
	const status = statusIn(error);
	return status === 404 || status === 405 || status === 400;
}

function statusIn(error: unknown): number | undefined {
	return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

async function closeQuietly(client: Client, options: McpOptions): Promise<void> {
	await client.close().catch((error: unknown) => logFailure(error, options));
}

function logFailure(error: unknown, options: McpOptions): void {
	options.ports.log('debug', 'MCP connection did not close cleanly', { message: messageOf(error) });
}
