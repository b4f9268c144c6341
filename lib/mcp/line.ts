import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { messageOf } from '../core/errors';
import { answerOrFail } from './answer-or-fail';
import { bearerFetch } from './bearer-fetch';
import { listenerWithoutLogin } from './listener-login';
import { loadSdk } from './load-sdk';
import type { ProcessEnd } from './mcp-error';
import { urlOf, type HttpServer, type McpOptions, type StdioServer } from './server';

const STDERR_CHARS = 2000;
const STDERR_LINES = 10;
const GOODBYE_MS = 2000;

/** A transport with what is needed to log in over it, to end it and to explain its end. */
export interface Line {
	readonly transport: Transport;
	/** Fulfilled once a process that ended early has told its exit code. */
	readonly end: () => Promise<ProcessEnd | undefined>;
	readonly sayGoodbye: () => Promise<void>;
	/** Trades the code of a login page for tokens; absent where there is no login. */
	readonly finishAuth?: (code: string) => Promise<void>;
}

/** A line to a process that it starts. The environment is HOME, PATH and the like and what the server declares, no more. */
export function stdioLine(server: StdioServer): Line {
	const { StdioClientTransport } = loadSdk('client/stdio.js');
	const { command, args, env, cwd } = server;
	const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe', ...(cwd && { cwd }) });
	let stderr = '';
	transport.stderr?.on('data', (chunk: Buffer) => {
		stderr = (stderr + chunk.toString('utf8')).slice(-STDERR_CHARS);
	});
	const start = transport.start.bind(transport);
	let exit: Promise<number | null | undefined> | undefined;
	transport.start = async () => {
		const started = start();
		// The SDK keeps the process to itself and drops its exit code, which is what a builder needs most.
		const process: unknown = Reflect.get(transport, '_process');
		if (isProcess(process)) {
			exit = new Promise((resolve) => {
				process.once('exit', resolve);
				// What cannot be started never exits.
				process.once('error', () => resolve(undefined));
			});
		}
		await started;
	};
	const end = async (): Promise<ProcessEnd> => {
		const exitCode = await Promise.race([exit, wait(GOODBYE_MS)]);
		return { exitCode, stderr: stderr.trimEnd().split('\n').slice(-STDERR_LINES).join('\n') };
	};
	return { transport, end, sayGoodbye: () => Promise.resolve() };
}

/** A line over the network. Headers go to the server's own address only: the SDK would send them to its login server too. */
export function httpLine(server: HttpServer, kind: 'http' | 'sse', options: McpOptions): Line {
	const url = urlOf(server);
	const { auth } = options;
	const authProvider = auth?.kind === 'oauth2' ? auth.provider : undefined;
	const dressed = withHeaders(options.ports.fetch, server, (target) => (kind === 'sse' ? target.origin === url.origin : isSamePlace(target, url)));
	const fetch = auth?.kind === 'tokens' ? bearerFetch(dressed, auth.source) : dressed;
	const end = (): Promise<undefined> => Promise.resolve(undefined);
	const login = authProvider && { authProvider };
	if (kind === 'sse') {
		const { SSEClientTransport } = loadSdk('client/sse.js');
		const transport = new SSEClientTransport(url, { fetch, ...login });
		return { transport, end, sayGoodbye: () => Promise.resolve(), finishAuth: (code) => transport.finishAuth(code) };
	}
	const { StreamableHTTPClientTransport: Http } = loadSdk('client/streamableHttp.js');
	const logFailure = (error: unknown): void => options.ports.log('debug', 'MCP listener stream', { message: messageOf(error) });
	const reopen = (): void => void transport.resumeStream('').catch(logFailure);
	const guarded = answerOrFail(authProvider === undefined ? fetch : listenerWithoutLogin(fetch, reopen));
	const transport: StreamableHTTPClientTransport = new Http(url, { fetch: guarded, ...login });
	const sayGoodbye = async (): Promise<void> => {
		// close() alone leaves the session open on the server.
		await Promise.race([transport.terminateSession(), wait(GOODBYE_MS)]);
	};
	return { transport, end, sayGoodbye, finishAuth: (code) => transport.finishAuth(code) };
}

type Fetch = typeof globalThis.fetch;

function withHeaders(fetch: Fetch, { headers }: HttpServer, isOurs: (target: URL) => boolean): Fetch {
	if (Object.keys(headers).length === 0) return fetch;
	return (input, init) => {
		const target = new URL(input instanceof Request ? input.url : input);
		if (!isOurs(target)) return fetch(input, init);
		const all = new Headers(init?.headers);
		for (const [name, value] of Object.entries(headers)) all.set(name, value);
		return fetch(input, { ...init, headers: all });
	};
}

function isSamePlace(one: URL, other: URL): boolean {
	return one.origin === other.origin && one.pathname === other.pathname;
}

interface StartedProcess {
	once(event: 'exit' | 'error', listener: (code: number | null) => void): void;
}

function isProcess(value: unknown): value is StartedProcess {
	return typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function';
}

function wait(ms: number): Promise<undefined> {
	return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
