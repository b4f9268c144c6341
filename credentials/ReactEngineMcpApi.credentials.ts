import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { clientCredentialsToken } from '../lib/mcp/oauth2';
import { parseHeaders } from '../lib/mcp/parse-headers';

export class ReactEngineMcpApi implements ICredentialType {
	name = 'reactEngineMcpApi';
	displayName = 'ReactEngine MCP API';
	documentationUrl = 'https://modelcontextprotocol.io/docs/learn/server-concepts';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Server URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://localhost:3333/mcp',
			description: 'Address of the MCP server. The token and the headers are sent to this server only. Leave empty for a command.',
		},
		{
			displayName: 'Kind',
			name: 'kind',
			type: 'options',
			default: 'token',
			options: [
				{ name: 'Client ID and Secret (OAuth2 Client Credentials)', value: 'clientCredentials' },
				{ name: 'Token, Headers or Variables', value: 'token' },
			],
			description: 'How n8n shows who it is. For a login in the browser use n8n\'s MCP OAuth2 credential instead.',
		},
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			displayOptions: { show: { kind: ['clientCredentials'] } },
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: { show: { kind: ['clientCredentials'] } },
		},
		{
			displayName: 'Login Server',
			name: 'issuer',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://login.example.com',
			description: 'The only server that gets the secret. Empty takes the one that the MCP server names.',
			displayOptions: { show: { kind: ['clientCredentials'] } },
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: '',
			placeholder: 'e.g. orders:read',
			description: 'Separated by spaces. Empty takes what the server asks for.',
			displayOptions: { show: { kind: ['clientCredentials'] } },
		},
		{
			displayName: 'Bearer Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Sent as it is in the header Authorization',
			displayOptions: { show: { kind: ['token'] } },
		},
		{
			displayName: 'Headers',
			name: 'secretHeaders',
			type: 'string',
			typeOptions: { password: true, rows: 3 },
			default: '',
			placeholder: 'e.g. X-API-Key: abc',
			description: 'More headers, "Name: value" on a line each, or a JSON object',
		},
		{
			displayName: 'Environment',
			name: 'secretEnvironment',
			type: 'string',
			typeOptions: { password: true, rows: 3 },
			default: '',
			placeholder: 'e.g. API_KEY=abc',
			description: 'Secret variables for a server that is started by a command, as NAME=value or JSON',
		},
	];

	/** Only for what goes through n8n's own requests, such as the test: the nodes log in themselves. */
	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		if (credentials.kind !== 'clientCredentials') return {};
		const textOf = (name: string): string => String(credentials[name] ?? '').trim();
		const client = { clientId: textOf('clientId'), clientSecret: textOf('clientSecret'), scope: textOf('scope'), issuer: textOf('issuer') };
		return { sessionToken: await clientCredentialsToken(client, textOf('url'), fetchBy(this)) };
	}

	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const token = String((credentials.kind === 'clientCredentials' ? credentials.sessionToken : credentials.token) ?? '').trim();
		const bearer = token === '' ? {} : { Authorization: `Bearer ${token}` };
		return { ...options, headers: { ...options.headers, ...parseHeaders(String(credentials.secretHeaders ?? '')), ...bearer } };
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.url}}',
			url: '',
			method: 'POST',
			headers: { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
			body: {
				jsonrpc: '2.0',
				id: 1,
				method: 'initialize',
				params: {
					protocolVersion: '2025-06-18',
					capabilities: {},
					clientInfo: { name: 'n8n-nodes-reactengine', version: '1' },
				},
			},
		},
	};
}

/** n8n's requests, which obey its egress rules, as a fetch. */
function fetchBy({ helpers }: IHttpRequestHelper): typeof globalThis.fetch {
	return async (input, init) => {
		const answer = (await helpers.httpRequest({
			url: String(input instanceof Request ? input.url : input),
			method: (init?.method ?? 'GET') as IHttpRequestMethods,
			headers: Object.fromEntries(new Headers(init?.headers)),
			...(init?.body !== undefined && init.body !== null && { body: String(init.body) }),
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as { statusCode: number; body: unknown; headers: Record<string, string> };
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		return new Response(text, { status: answer.statusCode, headers: { 'content-type': String(answer.headers['content-type'] ?? 'application/json') } });
	};
}
