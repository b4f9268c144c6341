import type { INodeProperties } from 'n8n-workflow';

const when = (...operation: string[]): INodeProperties['displayOptions'] => ({ show: { mode: ['main'], operation } });

/** What the node does as a step in the flow. */
export const flowProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'callTool',
		displayOptions: { show: { mode: ['main'] } },
		options: [
			{ name: 'Call a Tool', value: 'callTool', action: 'Call a tool', description: 'Adds the result to the item' },
			{ name: 'Get a Prompt', value: 'getPrompt', action: 'Get a prompt', description: 'Adds the text of a prepared instruction to the item' },
			{ name: 'List Prompts', value: 'listPrompts', action: 'List prompts', description: 'One item for each prompt' },
			{ name: 'List Resources', value: 'listResources', action: 'List resources', description: 'One item for each resource and template of addresses' },
			{ name: 'List Tools', value: 'listTools', action: 'List tools', description: 'One item for each tool, also for those that cannot be used, with the reason' },
			{ name: 'Read a Resource', value: 'readResource', action: 'Read a resource', description: 'Adds the content to the item' },
		],
	},
	{
		displayName: 'Tool',
		name: 'toolName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. search_work_orders',
		description: 'Name as the server gives it; List Tools shows them',
		displayOptions: when('callTool'),
	},
	{
		displayName: 'Arguments',
		name: 'toolArguments',
		type: 'json',
		default: '{}',
		description: 'JSON object with the arguments of the tool. They are checked against its schema before the call.',
		displayOptions: when('callTool'),
	},
	{
		displayName: 'Address',
		name: 'uri',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. file:///data/manual.md',
		description: 'Address of the resource, or a template such as order://{ID}; List Resources shows them',
		displayOptions: when('readResource'),
	},
	{
		displayName: 'Values for the Template',
		name: 'uriValues',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "ID": "e0" }',
		description: 'JSON object with the names in braces of the address',
		displayOptions: when('readResource'),
	},
	{
		displayName: 'Prompt',
		name: 'promptName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. weekly_report',
		description: 'Name as the server gives it; List Prompts shows them',
		displayOptions: when('getPrompt'),
	},
	{
		displayName: 'Arguments',
		name: 'promptArguments',
		type: 'json',
		default: '{}',
		description: 'JSON object with the arguments of the prompt',
		displayOptions: when('getPrompt'),
	},
];
