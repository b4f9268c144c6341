import type { INodeProperties } from 'n8n-workflow';

const REMOTE_ONLY = { show: { '/provider': ['mistral', 'ollama', 'openai-compatible'] } };
const NOT_REPLAY = { hide: { '/provider': ['replay'] } };
const OLLAMA_ONLY = { show: { '/provider': ['ollama'] } };

/** Options of the Chat Model node, in the order of their names. */
export const modelOptions: INodeProperties[] = [
	{
		displayName: 'Attempts',
		name: 'maxAttempts',
		type: 'number',
		default: 4,
		typeOptions: { minValue: 1, maxValue: 10 },
		description: 'How often a request is sent in all when the server is busy or limits the rate. Its Retry-After is kept.',
		displayOptions: REMOTE_ONLY,
	},
	{
		displayName: 'Extra Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add header',
		options: [
			{
				displayName: 'Header',
				name: 'header',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'e.g. X-Title' },
					{ displayName: 'Value', name: 'value', type: 'string', default: '' },
				],
			},
		],
		description: 'Sent with each request. Keys belong in the credential, not here.',
		displayOptions: REMOTE_ONLY,
	},
	{
		displayName: 'Grammar (GBNF)',
		name: 'grammar',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. root ::= "yes" | "no"',
		description: 'Rules that every reply is held to. Left out of requests with tools or a schema, which llama.cpp does not combine with it.',
		displayOptions: { show: { '/provider': ['openai-compatible'], '/preset': ['llamacpp'] } },
	},
	{
		displayName: 'Hide Prompts in Log',
		name: 'hidePrompts',
		type: 'boolean',
		default: true,
		description: 'Whether the stream log keeps only the lengths of what was sent. Secrets are always taken out.',
	},
	{
		displayName: 'Keep Alive',
		name: 'keepAlive',
		type: 'string',
		default: '30m',
		placeholder: 'e.g. 30m',
		description: 'How long Ollama keeps the model in memory after a reply; -1 for ever, 0 not at all',
		displayOptions: OLLAMA_ONLY,
	},
	{
		displayName: 'Longest Context (Tokens)',
		name: 'maxContextTokens',
		type: 'number',
		default: 32768,
		typeOptions: { minValue: 2048 },
		description: 'The context is as long as each request needs, up to this. A longer one needs more memory at the server.',
		displayOptions: OLLAMA_ONLY,
	},
	{
		displayName: 'Maximum Concurrent Requests',
		name: 'maxConcurrent',
		type: 'number',
		default: 2,
		typeOptions: { minValue: 1, maxValue: 100 },
		description: 'Most requests that this n8n sends to the server at once; the others wait in order. Spares a server of your own.',
		displayOptions: NOT_REPLAY,
	},
	{
		displayName: 'Maximum Tokens',
		name: 'maxTokens',
		type: 'number',
		default: 2048,
		typeOptions: { minValue: 1 },
		description: 'Longest reply of one turn. Without this option the server decides.',
		displayOptions: NOT_REPLAY,
	},
	{
		displayName: 'Record Exchanges',
		name: 'recordAs',
		type: 'string',
		default: '',
		placeholder: 'e.g. monthly-report',
		description:
			'A name under which requests and replies are kept, without secrets, in the engine storage. The provider Replay plays them without a model.',
		displayOptions: NOT_REPLAY,
	},
	{
		displayName: 'Stream Granularity',
		name: 'granularity',
		type: 'options',
		default: 'token',
		options: [
			{ name: 'Sentence', value: 'sentence', description: 'Whole sentences or lines, for readers that speak or translate' },
			{ name: 'Token', value: 'token', description: 'Each piece as the model sends it' },
			{ name: 'Whole', value: 'whole', description: 'The reply at once, when it is complete' },
		],
		description: 'How much text is passed on at a time while a reply is made',
	},
	{
		displayName: 'Stream Log',
		name: 'streamLog',
		type: 'string',
		default: '',
		placeholder: 'e.g. chat-model',
		description: 'Name of a file in the logs folder of the engine storage, to which each reply is added as JSON lines, with its times',
	},
	{
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		default: 0,
		typeOptions: { minValue: -1, maxValue: 2, numberPrecision: 2 },
		description: '0 gives the steadiest answers and is used without this option. -1 leaves it to the server, for models that refuse a temperature.',
		displayOptions: NOT_REPLAY,
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		default: 120,
		typeOptions: { minValue: 1 },
		description: 'Longest silence of the server. A long answer that keeps arriving is not cut.',
		displayOptions: REMOTE_ONLY,
	},
	{
		displayName: 'Use Engine Storage Credential',
		name: 'ownStorage',
		type: 'boolean',
		default: true,
		description:
			'Whether recordings and stream logs are kept, and recordings looked for, in the storage of an Engine Storage credential. Without this option it is the default storage of this n8n.',
	},
];
