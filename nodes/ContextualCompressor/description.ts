import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName:
			'Put this node between RAG Retriever and the agent. It adds <code>context</code>, a numbered text for the prompt, and shortens <code>documents</code>.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		default: 'extract',
		options: [
			{ name: 'Keep Sentences', value: 'extract', description: 'The sentences that serve the question, word for word' },
			{ name: 'Keep Passages', value: 'filter', description: 'Whole passages that serve the question; the others are dropped' },
			{ name: 'Passages, Then Sentences', value: 'both', description: 'First drop passages, then keep the sentences of the rest that serve' },
		],
		description: 'What is kept of the passages',
	},
	{
		displayName: 'Keep at Most (%)',
		name: 'keep',
		type: 'number',
		default: 50,
		typeOptions: { minValue: 1, maxValue: 100 },
		description: 'Share of the characters that may stay',
	},
	{
		displayName: 'Keep at Most (Tokens)',
		name: 'maxTokens',
		type: 'number',
		default: 2000,
		typeOptions: { minValue: 1 },
		description: 'Estimated at 3.5 characters a token. The stricter of the two limits wins.',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		description: 'The question that the passages must serve',
	},
	{
		displayName: 'Documents',
		name: 'documents',
		type: 'json',
		default: '={{ $json.documents }}',
		required: true,
		description: "The passages: those of RAG Retriever, n8n's documents with pageContent, or texts",
	},
	{
		displayName: 'History',
		name: 'history',
		type: 'json',
		default: '={{ $json.history }}',
		description: 'Earlier turns of the conversation, oldest first: texts or messages with content. Empty for a first question.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Minimum Relevance (%)',
				name: 'minRelevance',
				type: 'number',
				default: 0,
				typeOptions: { minValue: 0, maxValue: 100 },
				displayOptions: { hide: { '/method': ['extract'] } },
				description: 'Passages below this share of the best passage’s relevance are dropped, even when there is room',
			},
		],
	},
];
