import { CodedError } from '../core/errors';
import type { Ports } from '../core/ports';

/** A server that is started as a process of this machine and spoken to over its input and output. */
export interface StdioServer {
	readonly transport: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly env: { readonly [name: string]: string };
	readonly cwd?: string;
}

/** A server behind an address. `auto` tries streamable HTTP, then the older SSE. */
export interface HttpServer {
	readonly transport: 'http' | 'sse' | 'auto';
	readonly url: string;
	/** Sent with every request; may hold secrets, so never log them. */
	readonly headers: { readonly [name: string]: string };
}

export type McpServer = StdioServer | HttpServer;

export interface McpOptions {
	/** Milliseconds for connecting, for each page of the tool list and for each call. */
	readonly timeoutMs: number;
	readonly ports: Pick<Ports, 'fetch' | 'log'>;
	/** Called when the server says that its list of tools is no longer the same. */
	readonly onToolsChanged?: () => void;
}

/** How a server is called in messages: its command line, or its address without query and credentials. */
export function labelOf(server: McpServer): string {
	if (server.transport === 'stdio') return [server.command, ...server.args].join(' ');
	const { origin, pathname } = urlOf(server);
	return origin + pathname;
}

/**
 * The address of a server.
 *
 * @throws CodedError BAD_INPUT when it is not an http or https address
 */
export function urlOf(server: HttpServer): URL {
	const url = URL.canParse(server.url) ? new URL(server.url) : undefined;
	if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
	throw new CodedError('BAD_INPUT', `"${server.url}" is not the address of an MCP server.`, {
		remedy: 'Enter an address such as http://localhost:3000/mcp.',
	});
}
