import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { modelProperty, providerCredentials, serverProperties } from '../../lib/n8n/provider-properties';
import { localProperties } from './local/description';
import { modelOptions } from './options/description';

/** Only files need a storage, and only when they are not to lie in the default one. */
const STORAGE_CHOSEN = { show: { 'options.ownStorage': [true] } };

export const credentials: INodeCredentialDescription[] = [
	...providerCredentials,
	{ name: 'reactEngineStorageApi', required: true, displayOptions: STORAGE_CHOSEN, testedBy: 'testStorage' },
];

const EXAMPLE_SCRIPT = `[
  { "thought": "I add the two numbers.", "calls": [{ "tool": "calculate", "arguments": { "expression": "2 + 40" }, "as": "sum" }] },
  { "answer": "The result is {{sum.result}}. No model is called: this is a script. Choose a provider in Chat Model." }
]`;

export const properties: INodeProperties[] = [
	{
		displayName: 'Provider',
		name: 'provider',
		type: 'options',
		default: 'mistral',
		options: [
			{ name: 'Local (On This Machine)', value: 'local', description: 'A small ONNX language model through Transformers.js; no text leaves this machine' },
			{ name: 'Mistral', value: 'mistral', description: 'The API of Mistral, through its own SDK' },
			{ name: 'Ollama', value: 'ollama', description: 'Ollama on this machine or in the network, through its native route' },
			{
				name: 'OpenAI-Compatible',
				value: 'openai-compatible',
				description: 'Servers such as vLLM, LM Studio, llama.cpp, DeepInfra, OpenRouter, OpenAI and others',
			},
			{ name: 'Replay (No Model)', value: 'replay', description: 'Plays a script of turns, for demonstrations and tests' },
		],
		description: 'Where the model runs. Changing it needs no rewiring.',
	},
	...localProperties,
	...serverProperties,
	modelProperty('mistral', 'mistral-small-latest', 'e.g. mistral-small-latest'),
	modelProperty('ollama', '', 'e.g. qwen3:8b'),
	modelProperty('openai-compatible', '', 'e.g. qwen3:8b'),
	{
		displayName:
			'No model is called: the turns of this script are played. It chooses the tools; figures come by reference from their results, such as <code>{{sum.result}}</code>.',
		name: 'replayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { provider: ['replay'], replayFrom: ['script'] } },
	},
	{
		displayName: 'Play',
		name: 'replayFrom',
		type: 'options',
		default: 'script',
		options: [
			{ name: 'Recording', value: 'recording', description: 'What a real model said, recorded with the option Record Exchanges' },
			{ name: 'Script', value: 'script', description: 'Turns written by hand' },
		],
		description: 'What is played',
		displayOptions: { show: { provider: ['replay'] } },
	},
	{
		displayName: 'Recording',
		name: 'recordingName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. monthly-report',
		description: 'Name that was given when it was recorded. A request that was not recorded stops with the first message that differs.',
		displayOptions: { show: { provider: ['replay'], replayFrom: ['recording'] } },
	},
	{
		displayName: 'Script Name',
		name: 'scriptName',
		type: 'string',
		default: 'script',
		description: 'Shown in reports as replay/name',
		displayOptions: { show: { provider: ['replay'], replayFrom: ['script'] } },
	},
	{
		displayName: 'Script',
		name: 'script',
		type: 'json',
		typeOptions: { rows: 12 },
		default: EXAMPLE_SCRIPT,
		required: true,
		noDataExpression: true,
		description:
			'A list of turns. A turn is {thought, calls: [{tool, arguments, as}]} or {thought, answer}. Texts may quote results: {{label.rows[0].cost | money:EUR}}; filters are number, money, percent, bullets, table and more.',
		displayOptions: { show: { provider: ['replay'], replayFrom: ['script'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: modelOptions,
	},
];
