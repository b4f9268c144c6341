import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Tools',
		name: 'groups',
		type: 'multiOptions',
		default: ['arithmetic', 'dates'],
		required: true,
		options: [
			{ name: 'Arithmetic', value: 'arithmetic', description: '1 tool: exact calculation of expressions' },
			{ name: 'Chart', value: 'chart', description: '1 tool: bars, lines, points, pies as a picture attached to the answer' },
			{ name: 'Dates', value: 'dates', description: '11 tools: current date, timestamps, differences, working days, periods such as "last quarter"' },
			{ name: 'Decimals, Fractions, Complex Numbers', value: 'numbers', description: '7 tools: exact sums of money, rounding rules, 1/3 + 1/6, 3+4i' },
			{ name: 'Lists', value: 'lists', description: '4 tools: take a field out, filter, sort, group what an earlier tool gave' },
			{ name: 'Statistics', value: 'statistics', description: '23 tools: mean, median, spread, percentiles, trend of a list of numbers' },
			{ name: 'Text', value: 'text', description: '6 tools: count, extract, compare, show changes, search by pattern' },
			{ name: 'Units', value: 'units', description: '1 tool: convert lengths, weights, temperatures, pressures…' },
		],
		description: 'Which groups of tools the agent gets',
		hint: 'The model reads every tool at every turn. With more than a dozen put a Tool Router between this node and the agent: it shows the few that fit.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Number and Date Format',
				name: 'locale',
				type: 'options',
				default: 'auto',
				options: [
					{ name: 'Both, With a Question Back When Unclear', value: 'auto', description: '1,500 and 03/04/2025 are not guessed' },
					{ name: 'English (1,234.56)', value: 'en', description: 'Month first: 03/04/2025 is 4 March' },
					{ name: 'French (1 234,56)', value: 'fr', description: 'Day first: 03/04/2025 is 3 April' },
				],
				description: 'How numbers and dates are read when the agent does not say',
			},
			{
				displayName: 'Timezone',
				name: 'timezone',
				type: 'string',
				default: '',
				placeholder: 'e.g. Europe/Paris',
				description: 'Where dates are read and shown. The workflow timezone when empty.',
			},
		],
	},
];
