import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
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
	/** Sent with every request to this server and to no other; may hold secrets, so never log them. */
	readonly headers: { readonly [name: string]: string };
	/** Whose login is used, where it is not in the headers: two accounts never share a session. */
	readonly account?: string;
}

export type McpServer = StdioServer | HttpServer;

/** An access token that somebody else got and keeps, such as n8n's OAuth2 credential. Tokens are opaque: never decoded. */
export interface TokenSource {
	token(): string;
	/** A fresh token after the server refused the old one; undefined when there is none. */
	refresh(): Promise<string | undefined>;
}

/** How a login is got: from whoever keeps the token, or by OAuth2 itself. */
export type McpAuth =
	| { readonly kind: 'tokens'; readonly source: TokenSource }
	| {
			readonly kind: 'oauth2';
			readonly provider: OAuthClientProvider;
			/** Waits until the person came back from the login page and gives the code; absent where nobody can log in. */
			readonly codeAfterLogin?: () => Promise<string>;
	  };

/** Answers a request of the server for a model's words; params and result as in the protocol. */
export type Sampler = (params: Record<string, unknown>, signal: AbortSignal) => Promise<Record<string, unknown>>;

/** What a server that asks the user something is told. */
export interface ElicitationReply {
	readonly result: { readonly action: 'accept' | 'decline'; readonly content?: Record<string, unknown> };
	/** For the model, when it was declined: what to ask the user. */
	readonly note?: string;
}

/** Answers questions of the server at once: a request held open would not outlive a pause of the run. */
export type Elicitor = (params: Record<string, unknown>) => ElicitationReply;

export interface McpOptions {
	/** Milliseconds for connecting, for each page of a list and for each call without a timeout of its own. */
	readonly timeoutMs: number;
	readonly ports: Pick<Ports, 'fetch' | 'log'>;
	readonly auth?: McpAuth;
	/** Absent: the server is told that there is no model to ask. */
	readonly sample?: Sampler;
	/** Absent: every question is declined. */
	readonly elicit?: Elicitor;
	/** Called when the server says that its list of tools is no longer the same. */
	readonly onToolsChanged?: () => void;
	/** Called when the server says that a resource changed, or (without an address) its list of resources. */
	readonly onResourceChanged?: (uri?: string) => void;
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
