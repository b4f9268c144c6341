import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Connect tools and toolkits here, and this node to the agent. Without Embeddings the tools are matched by their words only.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		placeholder: 'e.g. Which parts are low in stock?',
		description: 'What the tools must fit. The default takes the query of the agent that this node is connected to.',
	},
	{
		displayName: 'Number of Tools',
		name: 'topK',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 8,
		description: 'How many tools the agent sees, beside those that are always on',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Always On',
				name: 'alwaysOn',
				type: 'string',
				default: '',
				placeholder: 'e.g. current_datetime, ask_user',
				description: 'Names of tools that every query gets, separated by commas',
			},
			{
				displayName: 'Pass Through up To',
				name: 'passthroughUpTo',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 12,
				description: 'With this many tools or fewer all are shown and none is ranked',
			},
		],
	},
];
