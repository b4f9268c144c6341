import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { serverProperties } from '../../lib/n8n/mcp/server-properties';

export const credentials: INodeCredentialDescription[] = [
	{ name: 'reactEngineMcpApi', required: true, displayOptions: { show: { authentication: ['credential'] } } },
	{ name: 'mcpOAuth2Api', required: true, displayOptions: { show: { authentication: ['oAuth2'] } } },
];

export const properties: INodeProperties[] = [
	// A trigger has no items that could bring a token.
	...serverProperties.filter(({ name }) => name !== 'token').map(withoutToken),
	{
		displayName: 'Resources',
		name: 'uris',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. file:///data/plan.md, order://*',
		description: 'Addresses, or patterns with * over the list of the server, separated by commas or on a line each. Empty watches all that it lists.',
		hint: 'List Resources of MCP Toolkit shows them',
	},
	{
		displayName: 'Notice Changes By',
		name: 'notice',
		type: 'options',
		noDataExpression: true,
		default: 'subscribe',
		options: [
			{ name: 'Checking From Time to Time', value: 'poll', description: 'For servers whose notices do not arrive' },
			{ name: 'Notices of the Server', value: 'subscribe', description: 'At once, where the server can; it is checked from time to time as well' },
		],
		description: 'Only a content that differs from the last one starts the workflow, however often the server tells',
	},
	{
		displayName: 'Check Every (Seconds)',
		name: 'checkSeconds',
		type: 'number',
		typeOptions: { minValue: 5, maxValue: 86400 },
		default: 60,
		description: 'Also catches what changed while n8n or the server was down',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeoutSeconds',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 3600 },
				default: 60,
				description: 'For connecting and for each answer',
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

function withoutToken(property: INodeProperties): INodeProperties {
	if (property.name !== 'authentication') return property;
	return { ...property, options: property.options?.filter((option) => !('value' in option && option.value === 'token')) };
}
