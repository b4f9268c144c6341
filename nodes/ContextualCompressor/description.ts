import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

/** Both are evaluated by the editor: plain JavaScript that sees `$parameter` only. */
export const inputs: INodeTypeDescription['inputs'] = `={{ ((mode, method) => [
	mode === "retriever"
		? { type: "${NodeConnectionTypes.AiRetriever}", displayName: "Retriever", required: true, maxConnections: 1 }
		: { type: "${NodeConnectionTypes.Main}" },
	...(["quotes", "summary", "chain"].includes(method)
		? [{ type: "${NodeConnectionTypes.AiLanguageModel}", displayName: "Model", required: method !== "chain", maxConnections: 1 }]
		: []),
	{ type: "${NodeConnectionTypes.AiEmbedding}", displayName: "Embeddings", maxConnections: 1 },
	{ type: "${NodeConnectionTypes.AiReranker}", displayName: "Reranker", maxConnections: 1 },
])($parameter.mode, $parameter.method) }}`;
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter.mode === "retriever"
	? [{ type: "${NodeConnectionTypes.AiRetriever}", displayName: "Retriever" }]
	: [{ type: "${NodeConnectionTypes.Main}" }] }}`;

const inFlow = { show: { mode: ['main'] } };

export const properties: INodeProperties[] = [
	{
		displayName:
			'Put this node between RAG Retriever, which may find 20 to 50 passages, and the agent. It adds <code>context</code>, a numbered text for the prompt, and shortens <code>documents</code>.',
		name: 'notice',
		type: 'notice',
		default: '',
		displayOptions: inFlow,
	},
	{
		displayName:
			'Connect this node between a retriever and a chain: it looks for more passages than the chain needs and hands on what serves the question.',
		name: 'retrieverNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { mode: ['retriever'] } },
	},
	{
		displayName: 'Use As',
		name: 'mode',
		type: 'options',
		noDataExpression: true,
		default: 'main',
		options: [
			{ name: 'Step in the Flow', value: 'main', description: 'Shortens the documents of each item' },
			{
				name: 'Retriever for a Chain',
				value: 'retriever',
				description: "Between a retriever and n8n's Question and Answer Chain, Chat Engine or another node with a Retriever input",
			},
		],
		description: 'How the node is used. It changes what it can be connected to.',
	},
	{
		displayName: 'Method',
		name: 'method',
		type: 'options',
		noDataExpression: true,
		default: 'recommended',
		options: [
			{ name: 'Keep Passages', value: 'filter', description: 'Whole passages that serve the question; the others are dropped' },
			{ name: 'Keep Sentences', value: 'extract', description: 'The sentences of all passages that serve the question, word for word' },
			{ name: 'Own Order of Steps', value: 'chain', description: 'Several ways one after another, as you list them' },
			{ name: 'Passages, Then Sentences', value: 'both', description: 'First drop passages, then keep the sentences of the rest that serve' },
			{
				name: 'Quotes Picked by the Model',
				value: 'quotes',
				description: 'The model picks sentences; what does not stand in the passage word for word is dropped and reported',
			},
			{
				name: 'Recommended: Best Passages, Then Sentences',
				value: 'recommended',
				description: 'The best sentences of all passages (of the best ones, when a Reranker is connected), word for word. No chat model is called.',
			},
			{ name: 'Summaries by the Model', value: 'summary', description: 'In the model’s words, passage by passage; each cites the ID of its passage' },
		],
		description: 'What is kept of the passages. A connected Reranker always goes first.',
	},
	{
		displayName: 'Steps',
		name: 'chain',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Step',
		default: { steps: [{ step: 'filter' }, { step: 'extract' }] },
		displayOptions: { show: { method: ['chain'] } },
		options: [
			{
				displayName: 'Step',
				name: 'steps',
				values: [
					{
						displayName: 'Step',
						name: 'step',
						type: 'options',
						default: 'extract',
						options: [
							{ name: 'Keep Passages', value: 'filter' },
							{ name: 'Keep Sentences', value: 'extract' },
							{ name: 'Quotes Picked by the Model', value: 'quotes' },
							{ name: 'Summaries by the Model', value: 'summary' },
						],
						description: 'What is done with what the step before left',
					},
				],
			},
		],
		description: 'Done in this order. Each step leaves three times the room to the next one; the last one keeps to the limits.',
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
		description: 'Of the text for the prompt, estimated at 3.5 characters a token. The stricter of the two limits wins.',
	},
	{
		displayName: 'Passages to Look For',
		name: 'searched',
		type: 'number',
		default: 20,
		typeOptions: { minValue: 1, maxValue: 200 },
		displayOptions: { show: { mode: ['retriever'] } },
		description: 'How many passages the connected retriever is asked for, before they are shortened',
	},
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		displayOptions: inFlow,
		description: 'The question that the passages must serve',
	},
	{
		displayName: 'Documents',
		name: 'documents',
		type: 'json',
		default: '={{ $json.documents }}',
		required: true,
		displayOptions: inFlow,
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
				displayName: 'Best Passages',
				name: 'keepPassages',
				type: 'number',
				default: 8,
				typeOptions: { minValue: 1, maxValue: 100 },
				description: 'How many passages the Reranker (8 unless set here), or the recommended method (all), lets pass at most',
			},
			{
				displayName: 'Calls at a Time',
				name: 'maxParallel',
				type: 'number',
				default: 4,
				typeOptions: { minValue: 1, maxValue: 20 },
				displayOptions: { show: { '/method': ['quotes', 'summary', 'chain'] } },
				description: 'How many passages the model reads at the same time, one call each',
			},
			{
				displayName: 'Cut Long Sentences',
				name: 'cutLongSentences',
				type: 'boolean',
				default: true,
				description: 'Whether a sentence that is too long for the limit is cut at its commas and brackets; the cut is shown as […]',
			},
			{
				displayName: 'If Nothing Serves',
				name: 'ifNothing',
				type: 'options',
				default: 'keep',
				options: [
					{ name: 'Keep the First Passages', value: 'keep', description: 'As many as fit, as they are' },
					{ name: 'Keep None', value: 'none', description: 'No documents and an empty context' },
				],
				description: 'What to do when nothing would be left. Either way the output says so.',
			},
			{
				displayName: 'Judge Sentences Too',
				name: 'judgesSentences',
				type: 'boolean',
				default: false,
				description: 'Whether the connected Reranker compares the single sentences as well: better with a cross-encoder, slower',
			},
			{
				displayName: 'Minimum Relevance (%)',
				name: 'minRelevance',
				type: 'number',
				default: 0,
				typeOptions: { minValue: 0, maxValue: 100 },
				displayOptions: { show: { '/method': ['filter', 'both', 'chain'] } },
				description: 'Passages below this share of the best passage’s relevance are dropped, even when there is room',
			},
		],
	},
];
