import type { INodeProperties } from 'n8n-workflow';

import { modelProperty, providerCredentials, serverProperties } from '../../lib/n8n/provider-properties';

export const credentials = providerCredentials;

const LOCAL_ONLY = { show: { '/provider': ['local'] } };
const REMOTE_ONLY = { show: { '/provider': ['mistral', 'ollama', 'openai-compatible'] } };

export const properties: INodeProperties[] = [
	{
		displayName: 'Provider',
		name: 'provider',
		type: 'options',
		default: 'local',
		options: [
			{ name: 'Local (On This Machine)', value: 'local', description: 'An ONNX model through Transformers.js; no text leaves this machine' },
			{ name: 'Mistral', value: 'mistral', description: 'The API of Mistral' },
			{ name: 'Ollama', value: 'ollama', description: 'Ollama on this machine or in the network' },
			{ name: 'OpenAI-Compatible', value: 'openai-compatible', description: 'Servers such as vLLM, DeepInfra, OpenAI and others' },
		],
		description: 'Where texts are turned into vectors. An index must be read with the model it was made with.',
	},
	{
		displayName: 'Model',
		name: 'localModel',
		type: 'string',
		default: 'onnx-community/all-MiniLM-L6-v2-ONNX',
		required: true,
		placeholder: 'e.g. onnx-community/all-MiniLM-L6-v2-ONNX',
		description: 'Name of a folder below <code>.n8n/reactengine/models</code> in the n8n user folder, or an absolute path',
		hint: 'The default reads English only. For French and other languages use multilingual-e5-small in ONNX format, such as Xenova/multilingual-e5-small',
		displayOptions: { show: { provider: ['local'] } },
	},
	{
		displayName: 'Data Type',
		name: 'dtype',
		type: 'options',
		default: 'q4',
		options: [
			{ name: '4-Bit (Q4)', value: 'q4', description: 'The file model_q4.onnx' },
			{ name: '4-Bit, 16-Bit Parts (Q4f16)', value: 'q4f16', description: 'The file model_q4f16.onnx' },
			{ name: '8-Bit (Q8)', value: 'q8', description: 'The file model_quantized.onnx' },
			{ name: '8-Bit Signed (Int8)', value: 'int8', description: 'The file model_int8.onnx' },
			{ name: '8-Bit Unsigned (Uint8)', value: 'uint8', description: 'The file model_uint8.onnx' },
			{ name: 'BitsAndBytes 4-Bit (Bnb4)', value: 'bnb4', description: 'The file model_bnb4.onnx' },
			{ name: 'Full (Fp32)', value: 'fp32', description: 'The file model.onnx' },
			{ name: 'Half (Fp16)', value: 'fp16', description: 'The file model_fp16.onnx' },
		],
		description: 'Which file of the model is used. Smaller ones are faster and nearly as good.',
		displayOptions: { show: { provider: ['local'] } },
	},
	...serverProperties,
	modelProperty('mistral', 'mistral-embed', 'e.g. mistral-embed'),
	modelProperty('ollama', '', 'e.g. nomic-embed-text'),
	modelProperty('openai-compatible', '', 'e.g. nomic-embed-text'),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Batch Size',
				name: 'batchSize',
				type: 'number',
				default: 64,
				typeOptions: { minValue: 1, maxValue: 2048 },
				description: 'Texts in one request',
				displayOptions: REMOTE_ONLY,
			},
			{
				displayName: 'Dimension',
				name: 'dimension',
				type: 'number',
				default: 1024,
				typeOptions: { minValue: 1 },
				description: 'Length of the vectors, for models that let you choose. Vectors of another length are refused.',
				displayOptions: REMOTE_ONLY,
			},
			{
				displayName: 'Expected SHA-256',
				name: 'expectedSha256',
				type: 'string',
				default: '',
				placeholder: 'e.g. 56fb7a55115e9001…',
				description: 'The model is used only when its weights have this hash',
				displayOptions: LOCAL_ONLY,
			},
			{
				displayName: 'Passage Prefix',
				name: 'passagePrefix',
				type: 'string',
				default: '',
				placeholder: 'e.g. passage:',
				description: 'Put before each passage, as some models ask. Known models get theirs without this option.',
			},
			{
				displayName: 'Pooling',
				name: 'pooling',
				type: 'options',
				default: 'mean',
				options: [
					{ name: 'First Token', value: 'cls', description: 'For the BGE and Arctic families' },
					{ name: 'Mean', value: 'mean', description: 'For most models' },
				],
				description: 'How a text gets one vector. Known models get theirs without this option.',
				displayOptions: LOCAL_ONLY,
			},
			{
				displayName: 'Query Prefix',
				name: 'queryPrefix',
				type: 'string',
				default: '',
				placeholder: 'e.g. query:',
				description: 'Put before each query, as some models ask. Known models get theirs without this option.',
			},
			{
				displayName: 'Runtime',
				name: 'backend',
				type: 'options',
				default: 'auto',
				options: [
					{ name: 'Automatic', value: 'auto', description: 'The native library; WebAssembly where it cannot be loaded, as in the Docker image of n8n' },
					{ name: 'WebAssembly', value: 'wasm', description: 'Slower and hungrier, but runs anywhere' },
				],
				description: 'What runs the model',
				displayOptions: LOCAL_ONLY,
			},
			{
				displayName: 'Timeout (Seconds)',
				name: 'timeout',
				type: 'number',
				default: 120,
				typeOptions: { minValue: 1 },
				description: 'Longest silence of the server',
				displayOptions: REMOTE_ONLY,
			},
		],
	},
];
