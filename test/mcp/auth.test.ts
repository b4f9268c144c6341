import { bearerFetch } from '../../lib/mcp/bearer-fetch';
import { authorizationCodeAuth, clientCredentialsAuth } from '../../lib/mcp/oauth2';
import type { HttpServer, McpAuth } from '../../lib/mcp/server';
import { McpSession } from '../../lib/mcp/session';
import { startFakeAuthServer, type FakeAuthServer } from './fake-auth-server';
import { call, startFakeServer, testOptions, type FakeServer } from './fake-server';

let auth: FakeAuthServer;
let server: FakeServer;
let session: McpSession;

beforeEach(async () => {
	auth = await startFakeAuthServer(() => server.url);
	server = await startFakeServer(({ reply, message }) => reply(message.method === 'tools/list' ? { tools: [{ name: 'a' }] } : { content: [] }), {
		onGet: (response) => void response.writeHead(405).end(),
		admit: ({ headers }) => (auth.accepts(headers.authorization) ? undefined : `Bearer resource_metadata="${auth.url}/resource", scope="orders"`),
	});
});

afterEach(async () => {
	await session.close();
	await server.stop();
	await auth.stop();
});

function open(login: McpAuth, headers: HttpServer['headers'] = {}): McpSession {
	session = new McpSession({ transport: 'http', url: server.url, headers }, { ...testOptions(), auth: login });
	return session;
}

const machine = { clientId: 'machine', clientSecret: 's3cret', scope: '', issuer: '' };
const count = (line: string): number => auth.seen.filter((entry) => entry === line).length;

describe('OAuth2 client credentials', () => {
	it('M14 gets an opaque token through the metadata, keeps it for the next session, and gets a new one when it is refused', async () => {
		const kept = new Map();
		expect(await open(clientCredentialsAuth(machine, kept)).listTools()).toHaveLength(1);
		await session.close();
		await open(clientCredentialsAuth(machine, kept)).listTools();
		expect(count('POST /token client_credentials')).toBe(1);
		auth.revoke();
		await call(session, 'create_order');
		expect(count('POST /token client_credentials')).toBe(2);
		expect(server.seen.filter((line) => line === 'POST tools/call')).toHaveLength(1);
	});

	it('names the login that was refused', async () => {
		await expect(open(clientCredentialsAuth({ ...machine, clientSecret: 'wrong' }, new Map())).listTools()).rejects.toMatchObject({
			code: 'BAD_INPUT', status: 401, message: expect.stringContaining('invalid_client'), remedy: expect.stringContaining('client secret'),
		});
	});

	it('gives the secret to no other login server than the one that was entered', async () => {
		const login = clientCredentialsAuth({ ...machine, issuer: 'https://login.example' }, new Map());
		await expect(open(login).listTools()).rejects.toMatchObject({ message: expect.stringContaining('https://login.example') });
		expect(auth.seen.join()).not.toContain('/token');
	});
});

describe('OAuth2 with a login page', () => {
	const login = (): McpAuth => authorizationCodeAuth({
		redirectUrl: 'http://127.0.0.1:1/back',
		logIn: async (page) => {
			const { headers } = await fetch(page, { redirect: 'manual' });
			return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
		},
	});

	it('registers, proves with PKCE that it asked, and refreshes once when the token is refused', async () => {
		await open(login()).listTools();
		expect(auth.seen.filter((line) => !/well-known|resource/.test(line))).toEqual(['POST /register', 'GET /authorize', 'POST /token authorization_code']);
		auth.revoke();
		await call(session, 'create_order');
		expect(count('POST /token refresh_token')).toBe(1);
		expect(count('GET /authorize')).toBe(1);
	});

	it('says that a login is needed where nobody can log in', async () => {
		const waiting = authorizationCodeAuth({ redirectUrl: 'http://127.0.0.1:1/back', logIn: async () => '' });
		const auth401 = waiting.kind === 'oauth2' ? { kind: waiting.kind, provider: waiting.provider } : waiting;
		await expect(open(auth401).listTools()).rejects.toMatchObject({ code: 'BAD_INPUT', status: 401, message: expect.stringContaining('needs a login') });
	});

	it('SDK fault: headers of the server would go to its login server too; here they do not', async () => {
		await open(login(), { 'X-API-Key': 'k3y' }).listTools();
		expect(auth.headers.some((headers) => 'x-api-key' in headers)).toBe(false);
		expect(server.headers.every((headers) => headers['x-api-key'] === 'k3y')).toBe(true);
	});

	it('SDK fault: a listener that is refused beside the first request would log in a second time; here it waits', async () => {
		await server.stop();
		let open401 = true;
		server = await startFakeServer(({ reply }) => reply({ tools: [{ name: 'a' }] }), {
			onGet: (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n'),
			admit: ({ headers, method }, rpc) => {
				if (rpc === 'initialize' || (method === 'POST' && rpc?.startsWith('notifications/'))) return undefined;
				open401 = !auth.accepts(headers.authorization);
				return open401 ? `Bearer resource_metadata="${auth.url}/resource"` : undefined;
			},
		});
		await open(login()).listTools();
		expect([count('POST /register'), count('GET /authorize'), count('POST /token authorization_code')]).toEqual([1, 1, 1]);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(server.seen.filter((line) => line === 'GET')).toHaveLength(2);
	});
});

describe('a token that somebody else keeps', () => {
	const kept = (refresh: () => Promise<string | undefined>): McpAuth => ({ kind: 'tokens', source: { token: () => 'old', refresh } });

	it('is refreshed once for requests that are refused together, and the call runs once', async () => {
		let refreshed = 0;
		const token = await freshToken();
		open(kept(async () => {
			refreshed += 1;
			await new Promise((resolve) => setTimeout(resolve, 50));
			return token;
		}));
		await Promise.all([call(session, 'create_order'), call(session, 'create_order', { n: 2 })]);
		expect(refreshed).toBe(1);
		expect(server.seen.filter((line) => line === 'POST tools/call')).toHaveLength(2);
	});

	it.each([['nothing', undefined], ['a token that is refused as well', 'other']])('is a real error when the refresh gives %s', async (_title, fresh) => {
		await expect(open(kept(async () => fresh)).listTools()).rejects.toMatchObject({ status: 401, message: expect.stringContaining('refused the credential') });
	});

	it('replaces no token that was already replaced', async () => {
		const used: (string | null)[] = [];
		let answer = 401;
		const fetch: typeof globalThis.fetch = async (_input, init) => {
			used.push(new Headers(init?.headers).get('authorization'));
			const status = answer;
			answer = 200;
			return new Response('', { status });
		};
		const tokens = bearerFetch(fetch, { token: () => 'old', refresh: async () => 'new' });
		await tokens('http://x/');
		await tokens('http://x/');
		expect(used).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
		await session.close();
	});
});

async function freshToken(): Promise<string> {
	const response = await fetch(`${auth.url}/token`, {
		method: 'POST', body: 'grant_type=client_credentials',
		headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${Buffer.from('machine:s3cret').toString('base64')}` },
	});
	return ((await response.json()) as { access_token: string }).access_token;
}
