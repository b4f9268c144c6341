import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { PRESETS } from '../providers/openai-compatible/presets';
import { fieldsOf } from './provider-credentials';

// n8n's editor leaves out of the panel every field that a field of the credentials names in `show`, and a field whose options
// the credentials name one by one. Hence `hide` here: Provider and Server must stay visible.
const NOT_OWN_SERVER = ['local', 'mistral', 'replay'];

/** Credentials of the remote providers, as nodes with a `provider` drop-down declare them. */
export const providerCredentials: INodeCredentialDescription[] = [
	{ name: 'reactEngineMistralApi', required: true, displayOptions: { show: { provider: ['mistral'] } } },
	{
		name: 'reactEngineOllamaApi',
		required: true,
		displayOptions: { show: { provider: ['ollama'], authentication: ['credential'] } },
	},
	{
		name: 'reactEngineOpenAiCompatibleApi',
		required: true,
		displayOptions: { show: { provider: ['openai-compatible'], authentication: ['credential'] }, hide: { preset: ['llamacpp'] } },
	},
	{
		name: 'reactEngineLlamaCppApi',
		required: true,
		displayOptions: { show: { provider: ['openai-compatible'], authentication: ['credential'], preset: ['llamacpp'] } },
	},
];

/** Which server, and with or without key. */
export const serverProperties: INodeProperties[] = [
	{
		displayName: 'Server',
		name: 'preset',
		type: 'options',
		default: 'vllm',
		options: Object.entries(PRESETS)
			.map(([value, { label, baseUrl }]) => ({ name: presetName(value, label), value, description: presetHint(value, baseUrl) }))
			// Not localeCompare: its first call loads the rules of all languages, 20 ms at each start of n8n.
			.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
		description: 'The kind of server. It fills in the usual address and the habits of its API.',
		displayOptions: { hide: { provider: [...NOT_OWN_SERVER, 'ollama'] } },
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		default: 'none',
		options: [
			{ name: 'None', value: 'none', description: 'For a server of your own, such as Ollama or llama.cpp' },
			{ name: 'API Key (Credential)', value: 'credential', description: 'Address and key come from the credential' },
		],
		description: 'Whether the server asks for a key',
		displayOptions: { hide: { provider: NOT_OWN_SERVER } },
	},
	urlProperty('openai-compatible', 'e.g. http://127.0.0.1:8000/v1', 'Address of the server, which usually ends in /v1. Empty takes the usual address of the chosen server.'),
	urlProperty('ollama', 'e.g. http://127.0.0.1:11434', 'Address of Ollama. Empty takes the usual one on this machine.'),
];

function urlProperty(provider: string, placeholder: string, description: string): INodeProperties {
	return {
		displayName: 'Base URL',
		name: fieldsOf(provider).baseUrl,
		type: 'string',
		default: '',
		placeholder,
		description,
		hint: 'When n8n runs in Docker, 127.0.0.1 is the container: use http://host.docker.internal or the name of the service',
		displayOptions: { show: { provider: [provider], authentication: ['none'] } },
	};
}

function presetName(value: string, label: string): string {
	if (value === 'ollama') return 'Ollama (OpenAI Route)';
	return value === 'generic' ? 'Other (OpenAI-Compatible)' : label;
}

function presetHint(value: string, baseUrl: string): string {
	if (value === 'ollama') return 'Better choose the provider Ollama: this route cannot set the length of the context, and long prompts are cut';
	return baseUrl === '' ? 'Any other server; enter its address' : `Usual address: ${baseUrl}`;
}

/**
 * A field for the model's name: a searchable list, or typed. Each provider has its own.
 *
 * @param provider     value of the drop-down for which it is shown
 * @param first        name that is filled in; '' for none
 * @param placeholder  an example of a name
 */
export function modelProperty(provider: string, first: string, placeholder: string): INodeProperties {
	return {
		displayName: 'Model',
		name: fieldsOf(provider).model,
		type: 'resourceLocator',
		default: { mode: first === '' ? 'list' : 'id', value: first },
		required: true,
		description: 'The model to use. The list comes from the server; a name can also be typed.',
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchModels', searchable: true } },
			{ displayName: 'By Name', name: 'id', type: 'string', placeholder },
		],
		displayOptions: { show: { provider: [provider] } },
	};
}
