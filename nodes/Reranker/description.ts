import type { INodeProperties } from 'n8n-workflow';

const dtypes = [
	{ name: '4-Bit (Q4)', value: 'q4', description: 'The file model_q4.onnx' },
	{ name: '4-Bit, 16-Bit Parts (Q4f16)', value: 'q4f16', description: 'The file model_q4f16.onnx' },
	{ name: '8-Bit (Q8)', value: 'q8', description: 'The file model_quantized.onnx' },
	{ name: '8-Bit Signed (Int8)', value: 'int8', description: 'The file model_int8.onnx' },
	{ name: '8-Bit Unsigned (Uint8)', value: 'uint8', description: 'The file model_uint8.onnx' },
	{ name: 'BitsAndBytes 4-Bit (Bnb4)', value: 'bnb4', description: 'The file model_bnb4.onnx' },
	{ name: 'Full (Fp32)', value: 'fp32', description: 'The file model.onnx' },
	{ name: 'Half (Fp16)', value: 'fp16', description: 'The file model_fp16.onnx' },
];

const model = (method: string, name: string, hint: string): INodeProperties => ({
	displayName: 'Model',
	name: 'localModel',
	type: 'string',
	default: name,
	required: true,
	placeholder: `e.g. ${name}`,
	description: 'Name on the Hugging Face hub, kept below <code>.n8n/reactengine/models</code> in the n8n user folder, or an absolute path',
	hint,
	displayOptions: { show: { method: [method] } },
});

export const properties: INodeProperties[] = [
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		default: 'cross-encoder',
		options: [
			{ name: 'Chat Model as Judge', value: 'judge', description: 'The connected model grades the passages: slowest, needs no further model' },
			{ name: 'Cross-Encoder', value: 'cross-encoder', description: 'A model made for this reads query and passage together, on this machine: best' },
			{
				name: 'Late Interaction',
				value: 'late-interaction',
				description: 'A sentence encoder compares word by word, on this machine; used beside the first score',
			},
		],
		description: 'How passages are compared with the query',
	},
	model('cross-encoder', 'jinaai/jina-reranker-v2-base-multilingual', 'The default reads French, English and many other languages'),
	model('late-interaction', 'Xenova/multilingual-e5-small', 'The model of the Embeddings node can be used here too'),
	{
		displayName: 'Data Type',
		name: 'dtype',
		type: 'options',
		default: 'q8',
		options: dtypes,
		description: 'Which file of the model is used. Smaller ones are faster and nearly as good.',
		displayOptions: { hide: { method: ['judge'] } },
	},
	{
		displayName: 'Weight',
		name: 'weight',
		type: 'number',
		default: 1,
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		description: 'Share of the new score; the rest is the score of the search',
		displayOptions: { show: { method: ['cross-encoder'] } },
	},
	{
		displayName: 'Weight',
		name: 'weight',
		type: 'number',
		default: 0.3,
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		description: 'Share of the new score; the rest is the score of the search. Alone, late interaction often makes results worse.',
		displayOptions: { show: { method: ['late-interaction'] } },
	},
	{
		displayName: 'Limit',
		name: 'topK',
		type: 'number',
		default: 6,
		typeOptions: { minValue: 1 },
		description: 'Passages that n8n\'s own nodes get at most; our retriever has a limit of its own',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { hide: { method: ['judge'] } },
		options: [
			{
				displayName: 'Download if Missing',
				name: 'download',
				type: 'boolean',
				default: true,
				description: 'Whether the model is fetched from the hub at its first use. Afterwards nothing is fetched.',
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
			},
		],
	},
];
