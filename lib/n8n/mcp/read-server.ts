import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { assertCredentialAllowsUrl } from 'n8n-workflow';

import { CodedError } from '../../core/errors';
import { assertCommandAllowed } from '../../mcp/allowed-command';
import { clientCredentialsAuth } from '../../mcp/oauth2';
import { parseEnv, splitWords } from '../../mcp/parse-env';
import { parseHeaders } from '../../mcp/parse-headers';
import { urlOf, type HttpServer, type McpAuth, type McpServer, type TokenSource } from '../../mcp/server';
import { asRecord } from '../as-record';

/** What is needed of a node to find its server; an item's node and a trigger give it in different ways. */
export interface ServerReader {
	readonly node: INode;
	parameter(name: string): unknown;
	credential(type: string): Promise<ICredentialDataDecryptedObject>;
	/** A fresh access token of n8n's OAuth2 credential. */
	refresh(type: string): Promise<string | undefined>;
}

/** A server with the way to log in there. */
export interface ReachableServer {
	readonly server: McpServer;
	readonly auth?: McpAuth;
}

const OAUTH2 = 'mcpOAuth2Api';

/**
 * How the node reaches its server, with the secrets of its credential. A secret goes only to the server that it was entered for.
 *
 * @throws CodedError BAD_INPUT for what is missing, not allowed or does not fit together
 */
export async function readServer(reader: ServerReader): Promise<ReachableServer> {
	const transport = (reader.parameter('transport') ?? 'auto') as McpServer['transport'];
	const authentication = textOf(reader, 'authentication');
	const secrets = authentication === 'credential' ? await reader.credential('reactEngineMcpApi') : {};
	if (transport === 'stdio') return { server: commandOf(reader, secrets) };
	const server = { transport, url: textOf(reader, 'url'), headers: {} };
	switch (authentication) {
		case 'credential':
			return addressed(server, secrets, reader.node);
		case 'oAuth2':
			return await loggedIn(server, reader);
		case 'token':
			return { server: { ...server, headers: { Authorization: `Bearer ${itemToken(reader)}` } } };
		default:
			return { server };
	}
}

function textOf(reader: ServerReader, name: string): string {
	return String(reader.parameter(name) ?? '').trim();
}

function commandOf(reader: ServerReader, secrets: ICredentialDataDecryptedObject): McpServer {
	const command = textOf(reader, 'command');
	if (command === '') throw new CodedError('BAD_INPUT', 'No command is entered.', { remedy: 'Enter the command that starts the MCP server.' });
	assertCommandAllowed(command, process.env);
	const { cwd } = asRecord(reader.parameter('options'));
	const fields = asRecord(reader.parameter('envFields')).variables;
	const named = (Array.isArray(fields) ? (fields as { name?: unknown; value?: unknown }[]) : []).filter(({ name }) => String(name ?? '').trim() !== '');
	const ofFields = parseEnv(JSON.stringify(Object.fromEntries(named.map(({ name, value }) => [String(name).trim(), String(value ?? '')]))));
	const env = { ...parseEnv(textOf(reader, 'env')), ...ofFields, ...parseEnv(String(secrets.secretEnvironment ?? '')) };
	return { transport: 'stdio', command, args: splitWords(textOf(reader, 'args')), env, ...(cwd ? { cwd: String(cwd) } : {}) };
}

function itemToken(reader: ServerReader): string {
	const token = textOf(reader, 'token');
	if (token !== '' && !/[\r\n]/.test(token)) return token;
	throw new CodedError('BAD_INPUT', 'The token is empty for this item.', {
		remedy: 'Check the expression in Token, or choose another authentication.',
	});
}

function addressed(server: HttpServer, secrets: ICredentialDataDecryptedObject, node: INode): ReachableServer {
	const headers = parseHeaders(String(secrets.secretHeaders ?? ''));
	if (secrets.kind === 'clientCredentials') {
		assertSameServer(server, secrets, node);
		const [clientId, clientSecret, scope, issuer] = ['clientId', 'clientSecret', 'scope', 'issuer'].map((name) => String(secrets[name] ?? '').trim());
		const client = { clientId: clientId ?? '', clientSecret: clientSecret ?? '', scope: scope ?? '', issuer: issuer ?? '' };
		return { server: { ...server, headers, account: client.clientId }, auth: clientCredentialsAuth(client) };
	}
	const token = String(secrets.token ?? '').trim();
	const all = token === '' ? headers : { ...headers, Authorization: `Bearer ${token}` };
	if (Object.keys(all).length > 0) assertSameServer(server, secrets, node);
	return { server: { ...server, headers: all } };
}

function assertSameServer(server: HttpServer, secrets: ICredentialDataDecryptedObject, node: INode): void {
	const { origin } = urlOf(server);
	const own = String(secrets.url ?? '').trim();
	if (own === '') {
		throw new CodedError('BAD_INPUT', 'The MCP credential has no server URL.', {
			remedy: `Enter the address of its server, such as ${server.url}: its token is sent nowhere else.`,
		});
	}
	assertOrigin(origin, own);
	assertCredentialAllowsUrl({ node, credentialData: secrets, url: server.url });
}

function assertOrigin(origin: string, entered: string): void {
	const expected = urlOf({ transport: 'auto', url: entered, headers: {} }).origin;
	if (expected === origin) return;
	throw new CodedError('BAD_INPUT', `The credential is for ${expected}, the server is ${origin}.`, {
		remedy: 'Choose the credential of this server, or correct one of the two addresses.',
	});
}

/** n8n's own OAuth2 credential: n8n did the login and keeps the token; it is used as it is and refreshed by n8n. */
async function loggedIn(server: HttpServer, reader: ServerReader): Promise<ReachableServer> {
	const credential = await reader.credential(OAUTH2);
	const { origin } = urlOf(server);
	for (const entered of [credential.serverUrl, credential.resourceUrl]) {
		if (typeof entered === 'string' && entered.trim() !== '') assertOrigin(origin, entered.trim());
	}
	assertCredentialAllowsUrl({ node: reader.node, credentialData: credential, url: server.url });
	const token = asRecord(credential.oauthTokenData).access_token;
	if (typeof token !== 'string' || token === '') {
		throw new CodedError('BAD_INPUT', 'The OAuth2 credential is not connected.', { remedy: 'Open the credential and press Connect.', status: 401 });
	}
	const { id, name } = reader.node.credentials?.[OAUTH2] ?? {};
	const source: TokenSource = { token: () => token, refresh: async () => await reader.refresh(OAUTH2) };
	return { server: { ...server, account: `${OAUTH2} ${id ?? name ?? ''}` }, auth: { kind: 'tokens', source } };
}
