import type { INodeProperties } from 'n8n-workflow';

import { senderProperties } from '../../lib/n8n/event-properties';

export const properties: INodeProperties[] = [
	{
		displayName:
			'This node only takes events in. The work starts in an <b>Event Queue Trigger</b> with the same List of Events, in this workflow or another one. Without a queue, choose <b>Start a Run at Once</b>: the next node then does the work.',
		name: 'notice',
		type: 'notice',
		default: '',
		displayOptions: { show: { handling: ['queue'] } },
	},
	{
		displayName: 'URL Path',
		name: 'path',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. erp-tickets',
		description: 'The last part of the address that the sender calls',
	},
	{
		displayName: 'After the Event Is Saved',
		name: 'handling',
		type: 'options',
		default: 'queue',
		options: [
			{ name: 'Leave It to an Event Queue Trigger', value: 'queue', description: 'Safe: a kill right after the answer loses nothing; order, retries and limits are set there' },
			{ name: 'Start a Run at Once', value: 'run', description: 'Each event starts this workflow once; a run that fails is not tried again' },
		],
		description: 'What happens to an event that was taken in',
	},
	{
		displayName: 'List of Events',
		name: 'list',
		type: 'string',
		default: 'events',
		required: true,
		description: 'Where events are kept; give the Event Queue Trigger the same name',
	},
	...senderProperties({}),
	{
		displayName: 'Event ID Field',
		name: 'idPath',
		type: 'string',
		default: '',
		placeholder: 'e.g. event.reference',
		description: 'The field of the body that tells two events apart, with dots into objects. Empty takes what the chosen sender gives, else a hash of the body. Not the ID of the record: two changes of one record are two events.',
	},
	{
		displayName: 'Keep in Order By',
		name: 'keyPath',
		type: 'string',
		default: '',
		placeholder: 'e.g. machine.number',
		description: 'A field of the body, with dots into objects. Events with the same value in it (their key) are handled in order, and can be gathered. Empty: each event stands alone.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{ displayName: 'Longest Body (kB)', name: 'maxKilobytes', type: 'number', typeOptions: { minValue: 1 }, default: 1024, description: 'A larger one is refused' },
			{ displayName: 'Tolerance (Seconds)', name: 'toleranceSeconds', type: 'number', typeOptions: { minValue: 1 }, default: 300, description: 'How old a signed delivery may be, and how far clocks may differ' },
		],
	},
];
