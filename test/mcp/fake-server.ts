import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolAnnotations } from '../../lib/core/tool';
import type { McpOptions } from '../../lib/mcp/server';
import type { McpSession } from '../../lib/mcp/session';

export interface RpcMessage {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Record<string, unknown>;
}

export interface Exchange {
	readonly message: RpcMessage;
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** How many messages of this method came before this one. */
	readonly earlier: number;
	/** Answers with a JSON-RPC result. */
	reply(result: unknown): void;
	/** Answers with a JSON-RPC error under HTTP 200. */
	refuse(code: number, message: string): void;
	/** Answers with an HTTP status. */
	status(code: number, text?: string): void;
}

export interface FakeServer {
	readonly url: string;
	/** Each request as "POST tools/call", "GET", "DELETE". */
	readonly seen: string[];
	readonly headers: IncomingMessage['headers'][];
	stop(): Promise<void>;
}

export type Misbehaviour = (exchange: Exchange) => void;

export interface FakeServerSettings {
	readonly onGet?: (response: ServerResponse) => void;
	/** The WWW-Authenticate header of a request that is refused with 401, undefined to let it in. */
	readonly admit?: (request: IncomingMessage, method?: string) => string | undefined;
	/** What it says of its logins, at its well-known address. */
	readonly resourceMetadata?: () => object;
	/** Capabilities besides tools. */
	readonly capabilities?: object;
}

/**
 * An MCP server over HTTP that can misbehave: `handle` gets every message but initialize and notifications; `onGet` what a
 * listener stream gets (405 by default). Refused requests are seen as "401".
 */
export async function startFakeServer(
	handle: Misbehaviour,
	settings: FakeServerSettings | FakeServerSettings['onGet'] = {},
): Promise<FakeServer> {
	const { onGet, admit, capabilities, resourceMetadata }: FakeServerSettings = typeof settings === 'function' ? { onGet: settings } : settings;
	const refused = (request: IncomingMessage, response: ServerResponse, method?: string): boolean => {
		const challenge = admit?.(request, method);
		if (challenge === undefined) return false;
		seen.push('401');
		response.writeHead(401, { 'www-authenticate': challenge }).end();
		return true;
	};
	const seen: string[] = [];
	const headers: IncomingMessage['headers'][] = [];
	const counts = new Map<string, number>();
	const http = createServer((request, response) => {
		if (resourceMetadata && request.url?.startsWith('/.well-known/oauth-protected-resource')) {
			return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resourceMetadata()));
		}
		headers.push(request.headers);
		if (request.method !== 'POST') {
			seen.push(request.method ?? '');
			if (request.method !== 'DELETE' && refused(request, response)) return;
			if (request.method === 'GET' && onGet) return onGet(response);
			response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
			return;
		}
		void readJson(request).then((message) => {
			const method = message.method ?? 'answer';
			if (refused(request, response, method)) return;
			seen.push(`POST ${method}`);
			const earlier = counts.get(method) ?? 0;
			counts.set(method, earlier + 1);
			const exchange = exchangeOf({ message, request, response, earlier });
			if (method === 'initialize') return exchange.reply(initialized(capabilities));
			if (message.id === undefined) return exchange.status(202);
			handle(exchange);
		});
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const stop = async (): Promise<void> => {
		http.closeAllConnections();
		await new Promise((resolve) => http.close(resolve));
	};
	return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen, headers, stop };
}

/** Options of a connection with a short timeout; the log lines are kept. */
export function testOptions(timeoutMs = 3000): McpOptions & { readonly lines: string[] } {
	const lines: string[] = [];
	const log = (_level: string, message: string, facts?: Record<string, unknown>): void => {
		lines.push(`${message} ${JSON.stringify(facts)}`);
	};
	return { timeoutMs, ports: { fetch: globalThis.fetch, log }, lines };
}

function initialized(more: object = {}): object {
	return { protocolVersion: '2025-06-18', capabilities: { tools: {}, ...more }, serverInfo: { name: 'fake', version: '1' } };
}

function exchangeOf(facts: Pick<Exchange, 'message' | 'request' | 'response' | 'earlier'>): Exchange {
	const { message, response } = facts;
	const send = (status: number, body: string, type: string): void => {
		const session = message.method === 'initialize' ? { 'mcp-session-id': `s-${facts.earlier + 1}` } : {};
		response.writeHead(status, { 'content-type': type, ...session }).end(body);
	};
	const json = (value: object): void => send(200, JSON.stringify({ jsonrpc: '2.0', id: message.id, ...value }), 'application/json');
	return {
		...facts,
		reply: (result) => json({ result }),
		refuse: (code, text) => json({ error: { code, message: text } }),
		status: (code, text = '') => send(code, text, 'text/plain'),
	};
}

async function readJson(request: IncomingMessage): Promise<RpcMessage> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcMessage;
}

/** Calls a tool and gives the bare result of the server. */
export async function call(
	session: McpSession,
	name: string,
	args: Record<string, unknown> = {},
	{ signal, ...annotations }: ToolAnnotations & { readonly signal?: AbortSignal } = {},
): Promise<Record<string, unknown>> {
	return (await session.callTool({ name, args, annotations, ...(signal && { signal }) })).result;
}
