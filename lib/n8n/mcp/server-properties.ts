import type { INodeProperties } from 'n8n-workflow';

const ON_THIS_HOST = { show: { transport: ['stdio'] } };
const AT_AN_ADDRESS = { show: { transport: ['auto', 'http', 'sse'] } };

/** How the server is reached and who asks; shared with MCP Resource Trigger. */
export const serverProperties: INodeProperties[] = [
	{
		displayName: 'Transport',
		name: 'transport',
		type: 'options',
		default: 'auto',
		options: [
			{ name: 'Address, Automatic', value: 'auto', description: 'Streamable HTTP, then SSE for older servers' },
			{ name: 'Address, SSE Only', value: 'sse', description: 'For servers from before 2025' },
			{ name: 'Address, Streamable HTTP', value: 'http', description: 'The current way over the network' },
			{ name: 'Command on This Machine (Stdio)', value: 'stdio', description: 'Starts the server as a process where n8n runs' },
		],
		description: 'How the server is reached',
	},
	{
		displayName: 'Server URL',
		name: 'url',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. http://localhost:3333/mcp',
		description: 'Address of the MCP endpoint, as seen from n8n',
		displayOptions: AT_AN_ADDRESS,
	},
	{
		displayName: 'Command',
		name: 'command',
		type: 'string',
		noDataExpression: true,
		default: '',
		required: true,
		placeholder: 'e.g. npx',
		description: 'Started on the machine or in the container that runs n8n. The administrator can limit it with REACTENGINE_MCP_COMMANDS.',
		displayOptions: ON_THIS_HOST,
	},
	{
		displayName: 'Arguments',
		name: 'args',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. -y @modelcontextprotocol/server-filesystem "/data/my files"',
		description: 'Separated by spaces; quotes keep spaces. Nothing is run by a shell.',
		displayOptions: ON_THIS_HOST,
	},
	{
		displayName: 'Environment',
		name: 'envFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Variable',
		default: {},
		description: 'Variables for the command, besides HOME, PATH and the like. Put secrets into a credential instead.',
		displayOptions: ON_THIS_HOST,
		options: [
			{
				displayName: 'Variable',
				name: 'variables',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', noDataExpression: true, default: '', placeholder: 'e.g. HOST' },
					{ displayName: 'Value', name: 'value', type: 'string', noDataExpression: true, default: '', placeholder: 'e.g. 127.0.0.1' },
				],
			},
		],
	},
	{
		displayName: 'Environment as Text',
		name: 'env',
		type: 'string',
		noDataExpression: true,
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. HOST=127.0.0.1 MODE="read only"',
		description: 'The same as text: NAME=value on one or several lines, or JSON. The fields above win.',
		displayOptions: ON_THIS_HOST,
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		default: 'none',
		options: [
			{ name: 'Credential', value: 'credential', description: 'A bearer token, headers, a client ID with secret, or secret environment variables' },
			{ name: 'Login in the Browser (OAuth2)', value: 'oAuth2', description: 'n8n logs in at the server\'s login page and keeps the token fresh' },
			{ name: 'None', value: 'none' },
			{ name: 'Token of the Item', value: 'token', description: 'A bearer token that comes with each item: one for each tenant' },
		],
	},
	{
		displayName: 'Token',
		name: 'token',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.user.token }}',
		description: 'Expression that gives the bearer token. For one token that is always the same, use a credential.',
		displayOptions: { show: { authentication: ['token'], transport: ['auto', 'http', 'sse'] } },
	},
];
