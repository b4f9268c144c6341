import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Connect the tools of an agent here to see what it reads: names, intents, cost, and tools that are too alike. Nothing is changed or called.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'audit',
		options: [
			{ name: 'One Item per Tool', value: 'tools', description: 'For a table, a filter or the intents of a Tool Router' },
			{ name: 'The Whole Audit', value: 'audit', description: 'One item with all the data and a readable table' },
		],
		description: 'What leaves this node',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput ?? "" }}',
		placeholder: 'e.g. Which parts are low in stock?',
		description: 'Ranks the tools as the Tool Router does, and says why. Empty for no ranking.',
	},
	{
		displayName: 'Intents',
		name: 'intentsFrom',
		type: 'options',
		default: 'tools',
		options: [
			{ name: 'JSON', value: 'json', description: 'The intents that a Tool Router is given' },
			{ name: 'Of the Tools', value: 'tools', description: 'What the tools say themselves' },
		],
		description: 'What each tool is for',
	},
	{
		displayName: 'Intents as JSON',
		name: 'intentsJson',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. {"stock_level": "How many spare parts are in stock"}',
		description: 'An object {tool: intent}, or rows with the columns tool, intent, tags, examples',
		displayOptions: { show: { intentsFrom: ['json'] } },
	},
	{
		displayName: 'Rows of the Ranking',
		name: 'topK',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000 },
		default: 20,
		description: 'How many tools of the ranking are given',
	},
];
