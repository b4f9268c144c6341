import type { INodeProperties } from 'n8n-workflow';

import { senderProperties, testPayload } from '../../lib/n8n/event-properties';

const onCheck = { show: { operation: ['check'] } };
const mapping: INodeProperties[] = [
	{
		displayName: 'Event ID',
		name: 'eventId',
		type: 'string',
		default: '',
		displayOptions: onCheck,
		placeholder: 'e.g. {{ $json.body.deliveryNumber }}',
		description:
			'What tells two events apart, by expression. Empty takes the ID that the chosen sender gives, else a hash of the body. Not the ID of the record: two changes of one record are two events.',
	},
	{
		displayName: 'Task for the Agent (Query)',
		name: 'query',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '=A new event arrived:\n{{ JSON.stringify($json.body) }}',
		displayOptions: onCheck,
		description: 'The task for the agent, as <code>query</code>. Name the fields of the event that matter.',
	},
	{
		displayName: 'Record',
		name: 'record',
		type: 'string',
		default: '={{ $json.body }}',
		displayOptions: onCheck,
		description: 'The data of the event, as <code>record</code>',
	},
	{
		displayName: 'User',
		name: 'user',
		type: 'string',
		default: '',
		displayOptions: onCheck,
		placeholder: 'e.g. {{ $json.body.owner }}',
		description: 'For whom the agent works, as <code>user</code>: an ID, or an object with <code>sub</code> and <code>groups</code>. RAG Retriever and memory read it.',
	},
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Put this node after the trigger. With a Webhook node, turn on <b>Raw Body</b> in its options, so that signatures can be checked. Check that the chosen credential holds the key of this sender. Engine Storage only says where seen events are listed.',
		name: 'notice',
		type: 'notice',
		default: '',
		displayOptions: onCheck,
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'check',
		options: [
			{ name: 'Check', value: 'check', action: 'Check an event', description: 'Let an event through once' },
			{ name: 'Forget', value: 'forget', action: 'Forget an event', description: 'Let an event through again when it is delivered anew, because it could not be handled' },
		],
	},
	{
		displayName: 'Event ID',
		name: 'forgetId',
		type: 'string',
		required: true,
		default: '={{ $json.event.id }}',
		displayOptions: { show: { operation: ['forget'] } },
		description: 'The ID as the checking gate gave it',
	},
	...senderProperties({ operation: ['check'] }),
	...mapping,
	testPayload('The body of an event for test runs in the editor, when the incoming item is empty (Manual Trigger). A test run marks nothing as handled; a published workflow never uses it.', { operation: ['check'] }),
	{
		displayName: 'Remember Repeats Under',
		name: 'list',
		type: 'string',
		default: '={{ $workflow.id }}',
		description: 'Name of the list of seen events; repeats are noticed within one list. Gates with the same name share it; the default is one list for each workflow.',
	},
	{
		displayName: 'Raw Body Field',
		name: 'rawBodyField',
		type: 'string',
		default: 'data',
		displayOptions: onCheck,
		description: 'Binary field with the body as it came; the Webhook node calls it data',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: onCheck,
		options: [
			{ displayName: 'Keep IDs (Days)', name: 'keepDays', type: 'number', typeOptions: { minValue: 1 }, default: 30, description: 'How long a repeat is noticed' },
			{ displayName: 'Longest Body (kB)', name: 'maxKilobytes', type: 'number', typeOptions: { minValue: 1 }, default: 1024, description: 'A larger one is refused' },
			{ displayName: 'Tolerance (Seconds)', name: 'toleranceSeconds', type: 'number', typeOptions: { minValue: 1 }, default: 300, description: 'How old a signed delivery may be, and how far clocks may differ' },
		],
	},
];
