import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** The event of test runs in the editor. */
export function testPayload(description: string, where: NonNullable<IDisplayOptions['show']> = {}): INodeProperties {
	return {
		displayName: 'Test Payload',
		name: 'testPayload',
		type: 'json',
		default: '{\n  "ticket": 12,\n  "machine": "Excavator 12",\n  "text": "Hydraulic leak"\n}',
		...(Object.keys(where).length > 0 && { displayOptions: { show: where } }),
		description,
	};
}

/**
 * Fields by which a node says how senders prove who they are, shown under `where`.
 *
 * @param where  a condition on the node's other fields; {} for always
 */
export function senderProperties(where: NonNullable<IDisplayOptions['show']>): INodeProperties[] {
	const onCheck = { show: where };
	const onSignature = { show: { ...where, check: ['signature'] } };
	const onCustom = { show: { ...where, check: ['signature'], sender: ['custom'] } };
	const onToken = { show: { ...where, check: ['token'] } };
	return [...checkProperties(onCheck, onSignature), ...customProperties(onCustom), ...addressProperties(where), ...tokenProperties(onToken, where)];
}

type Shown = IDisplayOptions;

function checkProperties(onCheck: Shown, onSignature: Shown): INodeProperties[] {
	return [
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
	];
}

function customProperties(onCustom: Shown): INodeProperties[] {
	return [
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
}

function addressProperties(where: NonNullable<Shown['show']>): INodeProperties[] {
	return [
		{
			displayName: 'Public Address',
			name: 'publicUrl',
			type: 'string',
			default: '={{ $json.webhookUrl }}',
			displayOptions: { show: { ...where, check: ['signature'], sender: ['hubspot', 'custom'] } },
			description: 'The whole address that the sender calls, with its query, where it is signed too (HubSpot)',
		},
	];
}

function tokenProperties(onToken: Shown, where: NonNullable<Shown['show']>): INodeProperties[] {
	const onCustom = { show: { ...where, check: ['token'], tokenSender: ['custom'] } };
	return [
		{
			displayName: 'Sender',
			name: 'tokenSender',
			type: 'options',
			default: 'custom',
			displayOptions: onToken,
			options: [
				{ name: 'Custom', value: 'custom', description: 'Any sender that sends a secret along' },
				{ name: 'GitLab', value: 'gitlab', description: 'Secret token: the header X-Gitlab-Token' },
				{ name: 'Odoo', value: 'odoo', description: 'Send Webhook Notification to the address with ?token=… behind it: Odoo signs nothing' },
				{ name: 'Pipedrive', value: 'pipedrive', description: 'HTTP Auth of the webhook: the key is user:password' },
				{ name: 'Salesforce', value: 'salesforce', description: 'HTTP callout of a flow with a named credential: the header Authorization, Bearer' },
			],
		},
		{
			displayName: 'Token In',
			name: 'tokenIn',
			type: 'options',
			default: 'header',
			displayOptions: onCustom,
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
			displayOptions: { show: { ...where, check: ['token'], tokenSender: ['custom'], tokenIn: ['header', 'query'] } },
			description: 'Name of the header or query parameter',
		},
	];
}
