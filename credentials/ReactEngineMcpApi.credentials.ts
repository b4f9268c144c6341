import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

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

	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const token = String(credentials.token ?? '').trim();
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
