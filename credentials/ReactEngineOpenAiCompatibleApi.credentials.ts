import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class ReactEngineOpenAiCompatibleApi implements ICredentialType {
	name = 'reactEngineOpenAiCompatibleApi';
	displayName = 'ReactEngine OpenAI-Compatible API';
	documentationUrl = 'https://platform.openai.com/docs/api-reference/chat';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.deepinfra.com/v1/openai',
			description:
				'Address of the API, usually ending in /v1. The key is sent to this address only. Examples: https://api.openai.com/v1, https://openrouter.ai/api/v1, http://127.0.0.1:8000/v1.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Leave empty for a server that needs none',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '={{$credentials.apiKey ? "Bearer " + $credentials.apiKey : undefined}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/models' },
	};
}
