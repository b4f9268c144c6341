import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Connect the tools of the steps here. The agent sees one tool; each step runs as its own node.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Steps',
		name: 'steps',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add step',
		default: {},
		description: 'Run from top to bottom; when one fails the later ones are not run',
		options: [
			{
				displayName: 'Step',
				name: 'rows',
				values: [
					{ displayName: 'Tool', name: 'tool', type: 'string', default: '', required: true, placeholder: 'e.g. find_part', description: 'Name of a connected tool' },
					{
						displayName: 'Arguments',
						name: 'arguments',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '{}',
						placeholder: 'e.g. {"part": "{steps.find_part.reference}", "quantity": "{input.quantity}"}',
						description: 'JSON. {input.x} is what the agent gives, {steps.name.path} an earlier result. These are no n8n expressions.',
					},
					{ displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'e.g. find_part', description: 'By which later steps reach the result. The name of the tool when empty.' },
				],
			},
		],
	},
	{
		displayName: 'Tool Name',
		name: 'toolName',
		type: 'string',
		default: '',
		placeholder: 'e.g. order_part_by_reference',
		description: 'What the agent calls, in snake_case. Made from the names of the steps when empty.',
	},
	{
		displayName: 'Intent',
		name: 'intent',
		type: 'string',
		default: '',
		placeholder: 'e.g. Orders a spare part by its reference',
		description: 'One line: what it is for. Made from the intents of the steps when empty.',
	},
];
