import type { INodeProperties } from 'n8n-workflow';

import { senderProperties } from '../../lib/n8n/event-properties';

export const properties: INodeProperties[] = [
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. erp-tickets',
		description: 'The last part of the address that the sender calls',
	},
	{
		displayName: 'After Keeping',
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
		displayName: 'Path of the Event ID',
		name: 'idPath',
		type: 'string',
		default: '',
		placeholder: 'e.g. event.reference',
		description: 'Where the body tells two events apart, with dots into objects. Empty takes what the chosen sender gives, else a hash of the body. Not the ID of the record: two changes of one record are two events.',
	},
	{
		displayName: 'Path of the Key',
		name: 'keyPath',
		type: 'string',
		default: '',
		placeholder: 'e.g. machine.number',
		description: 'Events with the same key are handled in order, and can be gathered. Empty: each event stands alone.',
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
