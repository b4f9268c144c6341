import type { INodeProperties } from 'n8n-workflow';

import { modelProperty, providerCredentials, serverProperties } from '../../lib/n8n/provider-properties';

export const credentials = providerCredentials;

const EXAMPLE_SCRIPT = `[
  { "thought": "I add the two numbers.", "calls": [{ "tool": "calculate", "arguments": { "expression": "2 + 40" }, "as": "sum" }] },
  { "answer": "The result is {{sum.result}}." }
]`;

export const properties: INodeProperties[] = [
	{
		displayName: 'Provider',
		name: 'provider',
		type: 'options',
		default: 'mistral',
		options: [
			{ name: 'Mistral', value: 'mistral', description: 'The API of Mistral, through its own SDK' },
			{
				name: 'OpenAI-Compatible',
				value: 'openai-compatible',
				description: 'Ollama, vLLM, LM Studio, llama.cpp, DeepInfra, OpenRouter, OpenAI and others',
			},
			{ name: 'Replay (No Model)', value: 'replay', description: 'Plays a script of turns, for demonstrations and tests' },
		],
		description: 'Where the model runs. Changing it needs no rewiring.',
	},
	...serverProperties,
	modelProperty('mistral', 'mistral-small-latest', 'e.g. mistral-small-latest'),
	modelProperty('openai-compatible', '', 'e.g. qwen3:8b'),
	{
		displayName:
			'No model is called: the turns of this script are played. It chooses the tools; figures come by reference from their results, such as <code>{{sum.result}}</code>.',
		name: 'replayNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { provider: ['replay'] } },
	},
	{
		displayName: 'Script Name',
		name: 'scriptName',
		type: 'string',
		default: 'script',
		description: 'Shown in reports as replay/name',
		displayOptions: { show: { provider: ['replay'] } },
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
		displayOptions: { show: { provider: ['replay'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { hide: { provider: ['replay'] } },
		options: [
			{
				displayName: 'Attempts',
				name: 'maxAttempts',
				type: 'number',
				default: 4,
				typeOptions: { minValue: 1, maxValue: 10 },
				description: 'How often a request is sent in all when the server is busy or limits the rate. Its Retry-After is kept.',
			},
			{
				displayName: 'Maximum Tokens',
				name: 'maxTokens',
				type: 'number',
				default: 2048,
				typeOptions: { minValue: 1 },
				description: 'Longest reply of one turn. Without this option the server decides.',
			},
			{
				displayName: 'Temperature',
				name: 'temperature',
				type: 'number',
				default: 0,
				typeOptions: { minValue: -1, maxValue: 2, numberPrecision: 2 },
				description: '0 gives the steadiest answers and is used without this option. -1 leaves it to the server, for models that refuse a temperature.',
			},
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeout',
				type: 'number',
				default: 120,
				typeOptions: { minValue: 1 },
				description: 'Longest silence of the server. A long answer that keeps arriving is not cut.',
			},
		],
	},
];
