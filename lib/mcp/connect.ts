/**
 * MCP: tools of servers that speak the Model Context Protocol.
 *
 * In: how to reach a server (a command, or an address with headers). Out: core tools whose names are safe for models and
 * whose schemas are exactly as declared. Sessions are made anew when a server forgot them; a call that may have run is only
 * repeated when the tool says that this is harmless. The SDK loads at the first connection. Nothing here knows n8n.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { messageOf } from '../core/errors';
import { answerOrFail } from './answer-or-fail';
import { loadSdk } from './load-sdk';
import { toMcpError, type ProcessEnd } from './mcp-error';
import { urlOf, type HttpServer, type McpOptions, type McpServer, type StdioServer } from './server';

const STDERR_CHARS = 2000;
const STDERR_LINES = 10;
const GOODBYE_MS = 2000;
/** A server that reports progress may take this many times the timeout. */
const MOST_TIMEOUTS = 10;

/** One open connection. Its errors are the SDK's own; `explain` turns them into ours. */
export interface McpConnection {
	request(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
	explain(error: unknown): Promise<Error>;
	/** True once the server or its process closed it. */
	readonly isClosed: () => boolean;
	/** Ends the session (DELETE), the streams and the process. Never throws. */
	close(): Promise<void>;
}

/** A transport with what is needed to end it and to explain its end. */
interface Line {
	readonly transport: Transport;
	/** Fulfilled once a process that ended early has told its exit code. */
	readonly end: () => Promise<ProcessEnd | undefined>;
	readonly sayGoodbye: () => Promise<void>;
}

/**
 * Connects and initializes.
 *
 * @throws CodedError that names the server: command missing, process ended (exit code, last error lines), address wrong,
 *   credential refused, server down, timeout
 */
export async function connectMcp(server: McpServer, options: McpOptions, signal?: AbortSignal): Promise<McpConnection> {
	if (server.transport === 'stdio') return open(stdioLine(server), server, options, signal);
	const first = httpLine(server, server.transport === 'sse' ? 'sse' : 'http', options);
	if (server.transport !== 'auto') return open(first, server, options, signal);
	return open(first, server, options, signal).catch((error: unknown) => {
		if (!isOlderServer(error)) throw error;
		options.ports.log('info', 'MCP server does not speak streamable HTTP; trying SSE', { status: statusIn(error) });
		return open(httpLine(server, 'sse', options), server, options, signal);
	});
}

async function open(line: Line, server: McpServer, options: McpOptions, signal?: AbortSignal): Promise<McpConnection> {
	const { Client: SdkClient } = loadSdk('client/index.js');
	const { ToolListChangedNotificationSchema } = loadSdk('types.js');
	// With the default validator one bad output schema makes the whole list of tools fail.
	const { CfWorkerJsonSchemaValidator } = loadSdk('validation/cfworker');
	const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();
	const client: Client = new SdkClient({ name: 'n8n-nodes-reactengine', version: '1' }, { capabilities: {}, jsonSchemaValidator });
	// Background noise of the SDK (late progress, a refused listener stream): worth a line in the log, no failure.
	client.onerror = (error) => options.ports.log('debug', 'MCP', { message: messageOf(error) });
	client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged?.());
	let closed = false;
	client.onclose = () => {
		closed = true;
	};
	await client.connect(line.transport, { timeout: options.timeoutMs, ...(signal && { signal }) }).catch(async (error: unknown) => {
		await closeQuietly(client, options);
		throw signal?.aborted ? signal.reason : toMcpError(error, server, await line.end());
	});
	return connectionOf(client, line, { server, options, isClosed: () => closed });
}

interface Facts {
	readonly server: McpServer;
	readonly options: McpOptions;
	readonly isClosed: () => boolean;
}

function connectionOf(client: Client, line: Line, { server, options, isClosed }: Facts): McpConnection {
	// Loose on purpose: the SDK's own result schemas refuse a whole list for one odd tool, and answers with new kinds of content.
	const { ResultSchema } = loadSdk('types.js');
	return {
		request: async (method, params, signal) => {
			const request = { method, params } as Parameters<Client['request']>[0];
			return client.request(request, ResultSchema, {
				timeout: options.timeoutMs,
				resetTimeoutOnProgress: true,
				maxTotalTimeout: options.timeoutMs * MOST_TIMEOUTS,
				onprogress: (progress) => options.ports.log('debug', 'MCP progress', { ...progress }),
				...(signal && { signal }),
			});
		},
		explain: async (error) => toMcpError(error, server, isClosed() ? await line.end() : undefined),
		isClosed,
		close: async () => {
			if (!isClosed()) await line.sayGoodbye().catch((error: unknown) => logFailure(error, options));
			await closeQuietly(client, options);
		},
	};
}

function stdioLine(server: StdioServer): Line {
	const { StdioClientTransport } = loadSdk('client/stdio.js');
	const { command, args, env, cwd } = server;
	const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe', ...(cwd && { cwd }) });
	let stderr = '';
	transport.stderr?.on('data', (chunk: Buffer) => {
		stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_CHARS);
	});
	const start = transport.start.bind(transport);
	let exit: Promise<number | null> | undefined;
	transport.start = async () => {
		const started = start();
		// The SDK keeps the process to itself and drops its exit code, which is what a builder needs most.
		const process: unknown = Reflect.get(transport, '_process');
		if (isProcess(process)) exit = new Promise((resolve) => process.once('exit', resolve));
		await started;
	};
	const end = async (): Promise<ProcessEnd> => {
		const exitCode = await Promise.race([exit, wait(GOODBYE_MS)]);
		return { exitCode, stderr: stderr.trimEnd().split('\n').slice(-STDERR_LINES).join('\n') };
	};
	return { transport, end, sayGoodbye: () => Promise.resolve() };
}

function httpLine(server: HttpServer, kind: 'http' | 'sse', options: McpOptions): Line {
	const url = urlOf(server);
	const requestInit = { headers: { ...server.headers } };
	const end = (): Promise<undefined> => Promise.resolve(undefined);
	const { fetch } = options.ports;
	if (kind === 'sse') {
		const { SSEClientTransport } = loadSdk('client/sse.js');
		return { transport: new SSEClientTransport(url, { requestInit, fetch }), end, sayGoodbye: () => Promise.resolve() };
	}
	const { StreamableHTTPClientTransport: Http } = loadSdk('client/streamableHttp.js');
	const transport = new Http(url, { requestInit, fetch: answerOrFail(fetch) });
	const sayGoodbye = async (): Promise<void> => {
		// close() alone leaves the session open on the server.
		await Promise.race([transport.terminateSession(), wait(GOODBYE_MS)]);
	};
	return { transport, end, sayGoodbye };
}

function isProcess(value: unknown): value is { once(event: 'exit', listener: (code: number | null) => void): void } {
	return typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function';
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

function wait(ms: number): Promise<undefined> {
	return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
