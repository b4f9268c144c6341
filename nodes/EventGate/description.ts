import type { INodeProperties } from 'n8n-workflow';

const onCheck = { show: { operation: ['check'] } };
const onSignature = { show: { operation: ['check'], check: ['signature'] } };
const onCustom = { show: { operation: ['check'], check: ['signature'], sender: ['custom'] } };
const onToken = { show: { operation: ['check'], check: ['token'] } };

const custom: INodeProperties[] = [
	{ displayName: 'Signature Header', name: 'header', type: 'string', default: 'x-signature', required: true, displayOptions: onCustom, description: 'The header that holds the signature' },
	{ displayName: 'Text Before the Signature', name: 'prefix', type: 'string', default: '', placeholder: 'e.g. sha256=', displayOptions: onCustom, description: 'What stands before the signature in the header' },
	{
		displayName: 'Algorithm',
		name: 'algorithm',
		type: 'options',
		default: 'sha256',
		displayOptions: onCustom,
		options: [
			{ name: 'HMAC SHA-1', value: 'sha1' },
			{ name: 'HMAC SHA-256', value: 'sha256' },
			{ name: 'HMAC SHA-512', value: 'sha512' },
		],
	},
	{
		displayName: 'Encoding',
		name: 'encoding',
		type: 'options',
		default: 'hex',
		displayOptions: onCustom,
		options: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hexadecimal', value: 'hex' },
		],
	},
	{
		displayName: 'What Is Signed',
		name: 'content',
		type: 'options',
		default: 'body',
		displayOptions: onCustom,
		options: [
			{ name: 'Body', value: 'body' },
			{ name: 'ID.Timestamp.Body', value: 'id.timestamp.body', description: 'Joined by dots' },
			{ name: 'Method, Address, Body, Timestamp', value: 'method url body timestamp', description: 'Joined without anything between' },
			{ name: 'Timestamp.Body', value: 'timestamp.body', description: 'Joined by a dot' },
		],
	},
	{ displayName: 'Timestamp Header', name: 'timestampHeader', type: 'string', default: '', placeholder: 'e.g. x-timestamp', displayOptions: onCustom, description: 'Empty when the sender gives no time: then an old delivery can only be told by its ID' },
	{
		displayName: 'Timestamp In',
		name: 'timestampUnit',
		type: 'options',
		default: 's',
		displayOptions: onCustom,
		options: [
			{ name: 'Milliseconds', value: 'ms' },
			{ name: 'Seconds', value: 's' },
		],
	},
	{ displayName: 'ID Header', name: 'idHeader', type: 'string', default: '', placeholder: 'e.g. x-delivery', displayOptions: onCustom, description: 'Only where the ID is signed too' },
];

const mapping: INodeProperties[] = [
	{
		displayName: 'Event ID',
		name: 'eventId',
		type: 'string',
		default: '',
		displayOptions: onCheck,
		placeholder: 'e.g. {{ $json.body.event }}',
		description:
			'What tells two events apart, by expression. Empty takes the ID that the chosen sender gives, else a hash of the body. Not the ID of the record: two changes of one record are two events.',
	},
	{
		displayName: 'Query',
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
		displayName: 'Put this node after the trigger. With a Webhook node, turn on <b>Raw Body</b> in its options, so that signatures can be checked.',
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
	{
		displayName: 'Check By',
		name: 'check',
		type: 'options',
		default: 'signature',
		displayOptions: onCheck,
		options: [
			{ name: 'Nothing', value: 'none', description: 'The trigger has checked already, or the event comes from inside: only repeats are dropped' },
			{ name: 'Signature', value: 'signature', description: 'The sender signs each delivery with a shared secret (HMAC)' },
			{ name: 'Token', value: 'token', description: 'The sender sends a shared secret along: Odoo, Pipedrive, Salesforce…' },
		],
	},
	{
		displayName: 'Sender',
		name: 'sender',
		type: 'options',
		default: 'standard',
		displayOptions: onSignature,
		options: [
			{ name: 'Custom', value: 'custom', description: 'Any sender that signs with HMAC' },
			{ name: 'ERPNext (Frappe)', value: 'erpnext' },
			{ name: 'GitHub', value: 'github', description: 'Also systems that sign as GitHub does' },
			{ name: 'HubSpot', value: 'hubspot', description: 'Signature version 3' },
			{ name: 'Shopify', value: 'shopify' },
			{ name: 'Standard Webhooks', value: 'standard', description: 'The headers begin with "webhook-": standardwebhooks.com' },
			{ name: 'Stripe', value: 'stripe', description: 'Also systems that sign as Stripe does' },
		],
	},
	...custom,
	{
		displayName: 'Public Address',
		name: 'publicUrl',
		type: 'string',
		default: '={{ $json.webhookUrl }}',
		displayOptions: { show: { operation: ['check'], check: ['signature'], sender: ['hubspot', 'custom'] } },
		description: 'The whole address that the sender calls, with its query, where it is signed too (HubSpot)',
	},
	{
		displayName: 'Token In',
		name: 'tokenIn',
		type: 'options',
		default: 'header',
		displayOptions: onToken,
		options: [
			{ name: 'Basic Auth', value: 'basic', description: 'The key is user:password' },
			{ name: 'Bearer', value: 'bearer', description: 'The header Authorization' },
			{ name: 'Header', value: 'header' },
			{ name: 'Query Parameter', value: 'query', description: 'Shows in logs of proxies: only where the sender can do nothing else' },
		],
	},
	{
		displayName: 'Token Name',
		name: 'placeName',
		type: 'string',
		default: 'x-token',
		displayOptions: { show: { operation: ['check'], check: ['token'], tokenIn: ['header', 'query'] } },
		description: 'Name of the header or query parameter',
	},
	...mapping,
	{
		displayName: 'List of Events',
		name: 'list',
		type: 'string',
		default: '={{ $workflow.id }}',
		description: 'Repeats are noticed within one list. Gates with the same text share a list; the default is one list for each workflow.',
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
	{
		displayName: 'Raw Body Field',
		name: 'rawBodyField',
		type: 'string',
		default: 'data',
		displayOptions: onCheck,
		description: 'Binary field with the body as it came; the Webhook node calls it data',
	},
];
