import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

/** Both are evaluated by the editor: plain JavaScript that sees `$parameter` only. */
export const inputs: INodeTypeDescription['inputs'] = `={{ ((mode) => [
	...(mode === "main" ? [{ type: "${NodeConnectionTypes.Main}" }] : []),
	{ type: "${NodeConnectionTypes.AiEmbedding}", displayName: "Embeddings", maxConnections: 1 },
])($parameter.mode) }}`;
export const outputs: INodeTypeDescription['outputs'] = `={{ ((mode) => ({
	main: [{ type: "${NodeConnectionTypes.Main}" }],
	tool: [{ type: "${NodeConnectionTypes.AiTool}", displayName: "Tool" }],
	retriever: [{ type: "${NodeConnectionTypes.AiRetriever}", displayName: "Retriever" }],
})[mode])($parameter.mode) }}`;

export const properties: INodeProperties[] = [
	{
		displayName: 'Use As',
		name: 'mode',
		type: 'options',
		noDataExpression: true,
		default: 'main',
		options: [
			{ name: 'Step in the Flow', value: 'main', description: 'Adds the passages found to each item' },
			{ name: 'Tool for an Agent', value: 'tool', description: 'The agent searches when it needs to' },
			{ name: 'Retriever for a Chain', value: 'retriever', description: "For n8n's Question and Answer Chain and other nodes with a Retriever input" },
		],
		description: 'How the node is used. It changes what it can be connected to.',
	},
	{
		displayName: 'Knowledge Base',
		name: 'knowledgeBase',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. procedures',
		description: 'Name of the knowledge base, as given in RAG Index',
		hint: 'Without an Engine Storage credential it is looked for in the default storage of this n8n',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		displayOptions: { show: { mode: ['main'] } },
		description: 'What to look for. Codes such as N-92c are found as written, with or without their hyphens.',
	},
	{
		displayName: 'What It Is For',
		name: 'intent',
		type: 'string',
		default: '',
		placeholder: 'e.g. Find maintenance procedures and safety rules of our machines',
		displayOptions: { show: { mode: ['tool'] } },
		description: 'One line that tells the agent when to search here. Empty gives a general one.',
	},
	{
		displayName: 'Passages',
		name: 'topK',
		type: 'number',
		default: 20,
		typeOptions: { minValue: 1, maxValue: 200 },
		displayOptions: { show: { mode: ['main'] } },
		description: 'How many passages at most. Contextual Compressor can reduce many to what the question needs.',
	},
	{
		displayName: 'Passages',
		name: 'topK',
		type: 'number',
		default: 6,
		typeOptions: { minValue: 1, maxValue: 10 },
		displayOptions: { show: { mode: ['tool', 'retriever'] } },
		description: 'How many passages at most',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Meaning or Words',
				name: 'balance',
				type: 'options',
				default: 'auto',
				options: [
					{ name: 'Automatic', value: 'auto', description: 'Words count more for codes, quotes and very short queries' },
					{ name: 'Fixed', value: 'fixed', description: 'By the option Weight of Meaning' },
				],
				description: 'How the two ways of searching are weighed',
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				default: 'field',
				displayOptions: { show: { '/mode': ['main'] } },
				options: [
					{ name: 'One Field', value: 'field', description: 'All passages as a list in <code>documents</code>' },
					{ name: 'One Item per Passage', value: 'items', description: 'Each passage in <code>document</code> of its own item' },
				],
				description: 'How the passages leave the node',
			},
			{
				displayName: 'Weight of Meaning (%)',
				name: 'meaningWeight',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 0, maxValue: 100 },
				displayOptions: { show: { balance: ['fixed'] } },
				description: '0 compares words only, 100 meaning only',
			},
		],
	},
];
