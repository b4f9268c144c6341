import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class ReactEngineOllamaApi implements ICredentialType {
	name = 'reactEngineOllamaApi';
	displayName = 'ReactEngine Ollama API';
	documentationUrl = 'https://docs.ollama.com/api';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'http://127.0.0.1:11434',
			required: true,
			description: 'Address of the server. The key is sent to this address only. In Docker, use http://host.docker.internal:11434.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Leave empty for a server of your own; needed behind a proxy that asks for one, or for Ollama in the cloud',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '={{$credentials.apiKey ? "Bearer " + $credentials.apiKey : undefined}}' } },
	};

	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "").replace(/\\/(v1|api)$/, "")}}', url: '/api/tags' },
	};
}
