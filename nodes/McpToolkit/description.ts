import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

const ON_THIS_HOST = { show: { transport: ['stdio'] } };
const AT_AN_ADDRESS = { show: { transport: ['auto', 'http', 'sse'] } };

export const credentials: INodeCredentialDescription[] = [
	{ name: 'reactEngineMcpApi', required: true, displayOptions: { show: { authentication: ['credential'] } } },
];

export const properties: INodeProperties[] = [
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
		name: 'env',
		type: 'string',
		noDataExpression: true,
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. HOST=127.0.0.1 MODE="read only"',
		description: 'Variables for the command as NAME=value or JSON. Put secrets into a credential instead.',
		displayOptions: ON_THIS_HOST,
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		default: 'none',
		options: [
			{ name: 'Credential', value: 'credential', description: 'A bearer token, headers, or secret environment variables' },
			{ name: 'None', value: 'none' },
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Exclude Tools',
				name: 'exclude',
				type: 'string',
				default: '',
				placeholder: 'e.g. delete_*, admin_reset',
				description: 'Names or patterns with *, separated by commas',
			},
			{
				displayName: 'Include Tools',
				name: 'include',
				type: 'string',
				default: '',
				placeholder: 'e.g. search_*, get_part',
				description: 'Only these are offered: names or patterns with *, separated by commas. All without this option.',
			},
			{
				displayName: 'Prefix of Tool Names',
				name: 'prefix',
				type: 'string',
				default: '',
				placeholder: 'e.g. erp',
				description: 'Tells the tools of two servers apart: erp gives erp_search',
			},
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeoutSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 60,
				description: 'For connecting and for each call. A server that reports progress gets more.',
			},
			{
				displayName: 'Working Directory',
				name: 'cwd',
				type: 'string',
				noDataExpression: true,
				default: '',
				placeholder: 'e.g. /data/server',
				description: 'Where the command is started',
				displayOptions: { show: { '/transport': ['stdio'] } },
			},
		],
	},
];
