import type { INodeProperties } from 'n8n-workflow';

const PRICE = { minValue: -1, numberPrecision: 4 };

export const properties: INodeProperties[] = [
	{
		displayName: 'Choose By',
		name: 'strategy',
		type: 'options',
		default: 'preferred',
		options: [
			{ name: 'Preference', value: 'preferred', description: 'The order of the list below, then the order of connection' },
			{ name: 'Price', value: 'cheapest', description: 'The lowest expected price of each request, from the prices below' },
			{ name: 'Speed', value: 'fastest', description: 'The shortest time to the first token, as measured in past runs' },
		],
		description: 'How one of the connected models is chosen for each request. The choice and its reason are in the run data.',
	},
	{
		displayName: 'Models in Order of Preference',
		name: 'models',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add model',
		options: [
			{
				displayName: 'Model',
				name: 'model',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. mistral/mistral-small-latest',
						description: 'Provider/model of a connected model; the provider may be left out, * stands for anything',
					},
					{
						displayName: 'Price of Input',
						name: 'inputPrice',
						type: 'number',
						default: -1,
						typeOptions: PRICE,
						description: 'Per million tokens, in one currency for all models; -1 when not known',
					},
					{
						displayName: 'Price of Output',
						name: 'outputPrice',
						type: 'number',
						default: -1,
						typeOptions: PRICE,
						description: 'Per million tokens, in one currency for all models; -1 when not known',
					},
					{
						displayName: 'Expected Latency (Milliseconds)',
						name: 'latencyMs',
						type: 'number',
						default: -1,
						typeOptions: { minValue: -1 },
						description: 'Time to the first token, used until it was measured; -1 when not known',
					},
				],
			},
		],
		description: 'First choice first. Connected models that are not listed come after, in the order of connection.',
	},
	{
		displayName: 'Default Model',
		name: 'defaultModel',
		type: 'string',
		default: '',
		placeholder: 'e.g. ollama/qwen3:8b',
		description: 'Goes first whenever price and speed do not decide. It must be connected and allowed. Empty takes the list above.',
	},
	{
		displayName: 'Fall Back',
		name: 'fallback',
		type: 'boolean',
		default: true,
		description: 'Whether the next model is asked when one is down, busy or silent. Wrong requests and wrong keys are not repeated.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Allow',
				name: 'allow',
				type: 'string',
				default: '',
				placeholder: 'e.g. mistral/*, ollama/*',
				description: 'Only these models may be used; names separated by commas, * stands for anything. Empty allows all.',
			},
			{
				displayName: 'Cool Down (Seconds)',
				name: 'coolDown',
				type: 'number',
				default: 60,
				typeOptions: { minValue: 0 },
				description: 'How long a model that failed too often is tried last',
			},
			{
				displayName: 'Deny',
				name: 'deny',
				type: 'string',
				default: '',
				placeholder: 'e.g. openai/*',
				description: 'These models may never be used, even if allowed above',
			},
			{
				displayName: 'Failures in a Row',
				name: 'breakAfter',
				type: 'number',
				default: 3,
				typeOptions: { minValue: 1 },
				description: 'After so many a model is tried last until it has cooled down',
			},
			{
				displayName: 'Policy (YAML)',
				name: 'yaml',
				type: 'string',
				typeOptions: { rows: 8 },
				default: '',
				placeholder: 'e.g. aliases: { small: mistral/mistral-small-latest }',
				description:
					'Goes over the fields. Keys: strategy, prefer, allow, deny, aliases, default, models (inputPrice, outputPrice, latencyMs), fallback, breakAfter, coolDownSeconds.',
			},
		],
	},
];
