import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

/** Tested by Access Guard (`testAccess`), which reads the keys. */
export class ReactEngineAccessApi implements ICredentialType {
	name = 'reactEngineAccessApi';
	displayName = 'Access Rules API';
	documentationUrl = 'https://github.com/n8n-nodes-reactengine/n8n-nodes-reactengine#readme';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Keys From',
			name: 'kind',
			type: 'options',
			default: 'issuer',
			options: [
				{ name: 'Issuer (OpenID Connect)', value: 'issuer', description: 'Keycloak, Entra, Auth0, Okta, Google…: its keys are found by its address' },
				{ name: 'Key Set (JWKS)', value: 'key-set', description: 'The address of a key set' },
				{ name: 'Shared Secret', value: 'secret', description: 'Tokens signed with HS256, HS384 or HS512' },
			],
		},
		{
			displayName: 'Issuer',
			name: 'issuer',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://login.example.com/realms/company',
			description: 'Exactly as tokens have it in the claim iss. Required for OpenID Connect, checked for the others when given.',
		},
		{
			displayName: 'Key Set Address',
			name: 'keySetUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://login.example.com/keys',
			displayOptions: { show: { kind: ['key-set'] } },
		},
		{
			displayName: 'Shared Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			displayOptions: { show: { kind: ['secret'] } },
			description: '32 random characters or more',
		},
		{
			displayName: 'Audience',
			name: 'audience',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. n8n-assistant',
			description: 'For whom tokens must be made (claim aud); several with commas',
		},
	];
}
