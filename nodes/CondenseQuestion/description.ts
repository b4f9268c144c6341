import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName:
			'Put this node before RAG Retriever. A first question, a greeting or an order passes unchanged, without a model call. <code>condensing</code> says what was done.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Question',
		name: 'query',
		type: 'string',
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		description: 'What the user said last. It is kept as <code>originalQuery</code>; the new question is <code>query</code>.',
	},
	{
		displayName: 'History',
		name: 'history',
		type: 'json',
		default: '={{ $json.history }}',
		description: 'Earlier turns as a list <code>[{"role": "user", "content": "…"}]</code>, for example from Conversation Memory as a step of the flow. Empty for a first question.',
	},
	{
		displayName: 'Skip',
		name: 'skip',
		type: 'boolean',
		default: false,
		description: 'Whether the question passes unchanged, whatever the history',
	},
];
