import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class ReactEngineMistralApi implements ICredentialType {
	name = 'reactEngineMistralApi';
	displayName = 'ReactEngine Mistral API';
	documentationUrl = 'https://docs.mistral.ai/getting-started/quickstart/';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'A key from the console of Mistral',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://api.mistral.ai',
			description: 'Change it only for a regional server or a proxy. The key is sent to this address.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{($credentials.baseUrl || "https://api.mistral.ai").replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: '/v1/models',
		},
	};
}
