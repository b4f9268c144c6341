import type { INodeProperties } from 'n8n-workflow';

import { testPayload } from '../../lib/n8n/event-properties';

export const properties: INodeProperties[] = [
	{
		displayName: 'List of Events',
		name: 'list',
		type: 'string',
		default: 'events',
		required: true,
		description: 'The same name as in the Business Event Trigger that keeps the events',
	},
	{
		displayName: 'Gather',
		name: 'gather',
		type: 'options',
		default: 'each',
		options: [
			{ name: 'All of a Key Together', value: 'all', description: 'One run with an item for each waiting event of the key' },
			{ name: 'Each Event', value: 'each', description: 'One run for each event; those of one key in order' },
			{ name: 'Only the Last of a Key', value: 'last', description: 'One run for the newest event; older ones of the key count as handled with it' },
		],
		description: 'What one run gets',
	},
	{
		displayName: 'Wait Until Quiet For (Seconds)',
		name: 'quietSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		displayOptions: { show: { gather: ['all', 'last'] } },
		description: 'A run starts when no event of the key came for so long',
	},
	testPayload('The body of an event for test runs in the editor, when none is waiting. A test run marks nothing as handled.'),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{ displayName: 'Keep Handled Events (Days)', name: 'keepDays', type: 'number', typeOptions: { minValue: 1 }, default: 30, description: 'How long a repeat is noticed' },
			{ displayName: 'Longest Run (Minutes)', name: 'leaseMinutes', type: 'number', typeOptions: { minValue: 1 }, default: 60, description: 'After this an event counts as not handled, for example because n8n was killed, and comes again' },
			{ displayName: 'Look Every (Seconds)', name: 'everySeconds', type: 'number', typeOptions: { minValue: 1 }, default: 1 },
			{ displayName: 'Runs at Once', name: 'atOnce', type: 'number', typeOptions: { minValue: 1 }, default: 5, description: 'How many runs of this trigger may go on at the same time' },
			{ displayName: 'Runs per Minute', name: 'perMinute', type: 'number', typeOptions: { minValue: 0 }, default: 0, description: 'How many runs may start within a minute; 0 for no limit' },
			{ displayName: 'Tries', name: 'maxAttempts', type: 'number', typeOptions: { minValue: 1 }, default: 5, description: 'How often a failing event is tried before it is set aside' },
			{ displayName: 'Wait Before a Retry (Seconds)', name: 'retrySeconds', type: 'number', typeOptions: { minValue: 1 }, default: 30, description: 'It doubles with each try, up to an hour' },
		],
	},
];
