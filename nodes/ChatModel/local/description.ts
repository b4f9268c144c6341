import type { INodeProperties } from 'n8n-workflow';

const LOCAL_ONLY = { show: { provider: ['local'] } };

/** What a local language model is asked for. */
export const localProperties: INodeProperties[] = [
	{
		displayName: 'Model',
		name: 'localModel',
		type: 'string',
		default: 'onnx-community/Qwen3-0.6B-ONNX',
		required: true,
		placeholder: 'e.g. onnx-community/Qwen3-0.6B-ONNX',
		description:
			'Name of a folder below <code>.n8n/reactengine/models</code> in the n8n user folder, or an absolute path. It must hold a chat or instruct model in ONNX format.',
		hint: 'Small models suit short tasks on texts that may not leave the machine; for agents with tools take a larger model on a server',
		displayOptions: LOCAL_ONLY,
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
		displayOptions: LOCAL_ONLY,
	},
];
