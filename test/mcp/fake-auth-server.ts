import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OAuth2 server: metadata, registration, a login page that logs everybody in, tokens that mean nothing to others. */
export interface FakeAuthServer {
	readonly url: string;
	/** Each request as "POST /token client_credentials". */
	readonly seen: string[];
	readonly headers: IncomingMessage['headers'][];
	/** The Authorization header of a request is one of the tokens that are valid now. */
	accepts(authorization: string | undefined): boolean;
	/** Makes all access tokens invalid; refresh tokens stay unless `also`. */
	revoke(also?: 'refresh tokens'): void;
	stop(): Promise<void>;
}

const CLIENT = 'Basic ' + Buffer.from('machine:s3cret').toString('base64');

/** @param mcpUrl tells the address of the MCP server whose metadata it serves at `/resource` */
export async function startFakeAuthServer(mcpUrl: () => string): Promise<FakeAuthServer> {
	const seen: string[] = [];
	const headers: IncomingMessage['headers'][] = [];
	const tokens = new Set<string>();
	const refreshTokens = new Set<string>();
	const codes = new Map<string, string>();
	const issue = (): object => {
		const [token, refresh] = [`opaque.${randomBytes(6).toString('hex')}`, randomBytes(6).toString('hex')];
		tokens.add(token);
		refreshTokens.add(refresh);
		return { access_token: token, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 };
	};
	const grant = (form: URLSearchParams, authorization: string | undefined): object | undefined => {
		switch (form.get('grant_type')) {
			case 'client_credentials':
				return authorization === CLIENT ? issue() : undefined;
			case 'refresh_token':
				return refreshTokens.delete(form.get('refresh_token') ?? '') ? issue() : undefined;
			default: {
				const challenge = codes.get(form.get('code') ?? '');
				const proof = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
				return challenge !== undefined && challenge === proof ? issue() : undefined;
			}
		}
	};
	const http = createServer((request, response) => void answer(request, response));
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { pathname, searchParams } = new URL(request.url ?? '/', url);
		const body = Buffer.concat((await request.toArray()) as Buffer[]).toString('utf8');
		const form = new URLSearchParams(body);
		seen.push([request.method, pathname, ...(pathname === '/token' ? [form.get('grant_type')] : [])].join(' '));
		headers.push(request.headers);
		const json = (value: object, status = 200): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		if (pathname === '/resource') return json({ resource: mcpUrl(), authorization_servers: [url] });
		if (pathname.startsWith('/.well-known/')) return json(metadata(url));
		if (pathname === '/register') return json({ client_id: 'registered', ...(JSON.parse(body) as object) }, 201);
		if (pathname === '/authorize') {
			const code = randomBytes(6).toString('hex');
			codes.set(code, searchParams.get('code_challenge') ?? '');
			const back = new URL(searchParams.get('redirect_uri') ?? url);
			back.searchParams.set('code', code);
			back.searchParams.set('state', searchParams.get('state') ?? '');
			response.writeHead(302, { location: back.href }).end();
			return;
		}
		const granted = grant(form, request.headers.authorization);
		return granted === undefined ? json({ error: 'invalid_client', error_description: 'no such client' }, 401) : json(granted);
	}
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	return {
		url, seen, headers,
		accepts: (authorization = '') => tokens.has(authorization.replace(/^Bearer /, '')),
		revoke: (also) => {
			tokens.clear();
			if (also) refreshTokens.clear();
		},
		stop: async () => {
			http.closeAllConnections();
			await new Promise((resolve) => http.close(resolve));
		},
	};
}

function metadata(url: string): object {
	return {
		issuer: url,
		authorization_endpoint: `${url}/authorize`,
		token_endpoint: `${url}/token`,
		registration_endpoint: `${url}/register`,
		response_types_supported: ['code'],
		grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
		code_challenge_methods_supported: ['S256'],
		token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
		scopes_supported: ['orders'],
	};
}
