/**
 * The client that the official conformance suite runs: `client.mjs <server url>`, the scenario in MCP_CONFORMANCE_SCENARIO, its
 * context (client ID, secret) as JSON in MCP_CONFORMANCE_CONTEXT. Everything below goes through our own connection code, as built.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const load = createRequire(import.meta.url);
const part = (name) => load(path.join(root, 'dist/lib/mcp', name));
const { McpSession } = part('session.js');
const { mcpTools } = part('mcp-tools.js');
const { elicitorFor } = part('elicitation.js');
const { authorizationCodeAuth, clientCredentialsAuth } = part('oauth2.js');

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

/** The suite's login page sends the person straight back. */
async function logIn(page) {
	const response = await fetch(page, { redirect: 'manual' });
	return new URL(response.headers.get('location')).searchParams.get('code');
}

function auth() {
	if (!scenario.startsWith('auth/')) return undefined;
	if (scenario.startsWith('auth/client-credentials')) {
		return clientCredentialsAuth({ clientId: context.client_id, clientSecret: context.client_secret, scope: '', issuer: '' });
	}
	const client = context.client_id && { client_id: context.client_id, client_secret: context.client_secret };
	return authorizationCodeAuth({
		redirectUrl: 'http://localhost:3000/callback',
		clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
		...(client && { client }),
		logIn,
	});
}

const server = { transport: 'http', url, headers: {} };
const log = (level, message, facts) => process.env.CONFORMANCE_LOG && console.error(level, message, JSON.stringify(facts));
const login = auth();
const session = new McpSession(server, {
	timeoutMs: 20_000,
	ports: { fetch: globalThis.fetch, log },
	elicit: elicitorFor({ answers: {}, useDefaults: true }),
	...(login && { auth: login }),
});
try {
	const { tools } = await mcpTools(session, { server, include: [], exclude: [], prefix: '' });
	const signal = new AbortController().signal;
	for (const tool of tools) await tool.run(tool.name === 'add_numbers' ? { a: 5, b: 3 } : {}, { signal });
} finally {
	await session.close();
}
