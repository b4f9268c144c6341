import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName: 'Put this node after a Webhook or Chat Trigger. Allowed items get <code>user</code> with sub, email, groups and scopes; the token itself is taken out.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Token',
		name: 'authorization',
		type: 'string',
		default: '={{ $json.headers?.authorization ?? $json.metadata?.token }}',
		required: true,
		description: 'The default takes the Authorization header of a Webhook, else <code>metadata.token</code>, as the chat widget can send it. For a cookie, give the cookie header and the name under Options.',
	},
	{
		displayName: 'Required Scopes',
		name: 'scopes',
		type: 'string',
		default: '',
		placeholder: 'e.g. assistant.use, reports.read',
		description: 'All of them must be granted by the token; with blanks or commas between',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{ displayName: 'Clock Tolerance (Seconds)', name: 'toleranceSeconds', type: 'number', typeOptions: { minValue: 0, maxValue: 600 }, default: 60, description: 'How far the clocks of issuer and n8n may differ' },
			{ displayName: 'Cookie Name', name: 'cookie', type: 'string', default: '', placeholder: 'e.g. session', description: 'When Token is a cookie header: the cookie that holds the token' },
			{ displayName: 'Email Claim', name: 'emailClaim', type: 'string', default: 'email', placeholder: 'e.g. preferred_username' },
			{ displayName: 'Groups Claim', name: 'groupsClaim', type: 'string', default: 'groups', placeholder: 'e.g. realm_access.roles', description: 'Where the groups stand in the token; dots lead into objects. Keycloak: realm_access.roles. Entra application roles: roles; Entra groups come as object IDs, not as names.' },
			{ displayName: 'User Claim', name: 'subClaim', type: 'string', default: 'sub', placeholder: 'e.g. oid', description: 'What tells users apart and never changes' },
		],
	},
];
