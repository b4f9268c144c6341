import type { INodeProperties } from 'n8n-workflow';

const onPerson = { show: { operation: ['erase', 'export'] } };
const onBackup = { show: { operation: ['backup'] } };
const onRestore = { show: { operation: ['restore'] } };
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
			{ name: 'Back Up', value: 'backup', action: 'Back up what is kept', description: 'Knowledge bases and conversations as files, one item each, while others go on writing' },
			{ name: 'Diagnose', value: 'diagnose', action: 'Diagnose the engine', description: 'Say what of this n8n is fit for the engine, and what to do where it is not' },
			{ name: 'Erase a Person', value: 'erase', action: 'Erase a person', description: 'Remove what the engine keeps of a person, for good' },
			{ name: 'Export a Person', value: 'export', action: 'Export a person', description: 'Everything that the engine keeps of a person, and what n8n itself may hold' },
			{ name: 'Restore', value: 'restore', action: 'Restore a backup', description: 'From a file that Back Up made, here or in RAG Index, also into another storage' },
			{ name: 'Verify', value: 'verify', action: 'Verify what is kept', description: 'Read every store of this storage and say which is damaged and what to do' },
		],
	},
	{
		displayName: 'User',
		name: 'user',
		type: 'string',
		default: '={{ $json.user?.sub }}',
		displayOptions: onPerson,
		description: 'The user as Access Guard names it (sub): all conversations of this user are meant',
	},
	{
		displayName: 'Texts',
		name: 'texts',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		displayOptions: onPerson,
		placeholder: 'e.g. anna@example.com',
		description: 'What names the person in events, waiting questions, logs and recordings, with commas or one a line: everything that holds one is meant, whatever the case of its letters. 4 characters or more each.',
	},
	{
		displayName: 'What',
		name: 'what',
		type: 'options',
		default: 'everything',
		displayOptions: onBackup,
		options: [
			{ name: 'Conversations', value: 'memory', description: 'Of all memories of this storage' },
			{ name: 'Everything', value: 'everything', description: 'All knowledge bases and conversations of this storage' },
			{ name: 'One Knowledge Base', value: 'knowledgeBase' },
		],
		description: 'What is backed up: one item and one file for each knowledge base and for the conversations',
	},
	{
		displayName: 'Knowledge Base',
		name: 'knowledgeBase',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. procedures',
		displayOptions: { show: { operation: ['backup'], what: ['knowledgeBase'] } },
		description: 'Its name, as in RAG Index',
	},
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		displayOptions: onBackup,
		description: 'Name of the binary field that gets the file',
		hint: 'Write it to disk, a drive or S3 with the next node',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		displayOptions: onRestore,
		description: 'Name of the binary field that holds the file of a backup; the file says what it is of',
	},
	{
		displayName: 'Into Knowledge Base',
		name: 'into',
		type: 'string',
		default: '',
		placeholder: 'e.g. procedures-restored',
		displayOptions: onRestore,
		description: 'For a backup of a knowledge base: a name. Empty takes the one in the backup.',
	},
	{
		displayName: 'Replace What Is There',
		name: 'replace',
		type: 'boolean',
		default: false,
		displayOptions: onRestore,
		description: 'Whether a knowledge base or a memory that is not empty may be restored into: what the backup does not have is removed from it, after everything else is restored. Off, nothing is overwritten.',
	},
	{ displayName: 'Keep Conversations (Days)', name: 'memoryDays', type: 'number', typeOptions: { minValue: 1 }, default: 90, displayOptions: onRetention, description: 'Counted from the last turn' },
	{ displayName: 'Keep Events (Days)', name: 'eventDays', type: 'number', typeOptions: { minValue: 1 }, default: 90, displayOptions: onRetention, description: 'Of events that were handled or set aside; waiting ones are never removed' },
];
