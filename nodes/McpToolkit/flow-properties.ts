import type { INodeProperties } from 'n8n-workflow';

const when = (...operation: string[]): INodeProperties['displayOptions'] => ({ show: { mode: ['main'], operation } });

/** A choice from what the server has, or typed. */
function locator(
	facts: { readonly displayName: string; readonly name: string; readonly description: string },
	search: { readonly method: string; readonly by: string; readonly placeholder: string },
	operation: string,
): INodeProperties {
	return {
		...facts,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: search.method, searchable: true, skipCredentialsCheckInRLC: true } },
			{ displayName: search.by, name: 'id', type: 'string', placeholder: search.placeholder },
		],
		displayOptions: when(operation),
	};
}

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
	locator(
		{ displayName: 'Tool', name: 'toolName', description: 'As the server names it' },
		{ method: 'searchTools', by: 'By Name', placeholder: 'e.g. search_work_orders' },
		'callTool',
	),
	{
		displayName: 'Arguments',
		name: 'toolArguments',
		type: 'json',
		default: '{}',
		description: 'JSON object with the arguments of the tool. They are checked against its schema before the call.',
		displayOptions: when('callTool'),
	},
	locator(
		{ displayName: 'Resource', name: 'uri', description: 'Address of the resource, or a template such as order://{id}' },
		{ method: 'searchResources', by: 'By Address', placeholder: 'e.g. file:///data/manual.md' },
		'readResource',
	),
	{
		displayName: 'Values for the Template',
		name: 'uriValues',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "ID": "e0" }',
		description: 'JSON object with the names in braces of the address',
		displayOptions: when('readResource'),
	},
	locator(
		{ displayName: 'Prompt', name: 'promptName', description: 'As the server names it' },
		{ method: 'searchPrompts', by: 'By Name', placeholder: 'e.g. weekly_report' },
		'getPrompt',
	),
	{
		displayName: 'Arguments',
		name: 'promptArguments',
		type: 'json',
		default: '{}',
		description: 'JSON object with the arguments of the prompt',
		displayOptions: when('getPrompt'),
	},
];
