import type { INodeProperties } from 'n8n-workflow';

const onErase = { show: { operation: ['erase'] } };
const onRetention = { show: { operation: ['retention'] } };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'diagnose',
		options: [
			{ name: 'Apply Retention', value: 'retention', action: 'Remove what is old', description: 'Remove conversations and events after so many days; put it behind a Schedule Trigger' },
			{ name: 'Diagnose', value: 'diagnose', action: 'Diagnose the engine', description: 'Say what of this n8n is fit for the engine, and what to do where it is not' },
			{ name: 'Erase a Person', value: 'erase', action: 'Erase a person', description: 'Remove what the engine keeps of a person, for good' },
		],
	},
	{
		displayName: 'User',
		name: 'user',
		type: 'string',
		default: '={{ $json.user?.sub }}',
		displayOptions: onErase,
		description: 'The user as Access Guard names it (sub): all conversations of this user are removed',
	},
	{
		displayName: 'Texts',
		name: 'texts',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		displayOptions: onErase,
		placeholder: 'e.g. anna@example.com',
		description: 'What names the person in events and waiting questions, with commas or one a line: every event and waiting run that holds one is removed. 4 characters or more each.',
	},
	{ displayName: 'Keep Conversations (Days)', name: 'memoryDays', type: 'number', typeOptions: { minValue: 1 }, default: 90, displayOptions: onRetention, description: 'Counted from the last turn' },
	{ displayName: 'Keep Events (Days)', name: 'eventDays', type: 'number', typeOptions: { minValue: 1 }, default: 90, displayOptions: onRetention, description: 'Of events that were handled or set aside; waiting ones are never removed' },
];
