import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

export class ReactEngineLlamaCppApi implements ICredentialType {
	name = 'reactEngineLlamaCppApi';
	displayName = 'ReactEngine llama.cpp API';
	documentationUrl = 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'http://127.0.0.1:8080/v1',
			required: true,
			description: 'Address of llama-server, ending in /v1. The key is sent to this address only.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'What llama-server was given as --api-key; empty when it was given none',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '={{$credentials.apiKey ? "Bearer " + $credentials.apiKey : undefined}}' } },
	};

	/** `/props` asks for the key; the list of models is open to everyone. */
	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "").replace(/\\/v1$/, "")}}', url: '/props' },
	};
}
