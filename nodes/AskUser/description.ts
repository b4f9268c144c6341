import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';

export const webhooks: IWebhookDescription[] = (['GET', 'POST'] as const).map((httpMethod) => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '',
	restartWebhook: true,
	isFullPath: true,
}));

export const properties: INodeProperties[] = [
	{
		displayName:
			'Connect this node to an agent. When the agent asks, the execution waits; the address of the answer page is in the output of this node. One question is open at a time.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'When to Ask',
		name: 'intent',
		type: 'string',
		default: 'Ask a person when something needed cannot be found with the other tools, or before a decision that is theirs.',
		typeOptions: { rows: 2 },
		description: 'What the model is told about this tool',
	},
	{
		displayName: 'Wait at Most (Hours)',
		name: 'waitHours',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'After this time the agent is told that nobody answered. 0 waits without an end.',
	},
];
