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
			'Connect this node to a ReAct Agent. The agent may ask questions with it, and asks here before it calls tools that need approval. One question is open at a time.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'How the Answer Comes',
		name: 'way',
		type: 'options',
		default: 'wait',
		options: [
			{
				name: 'The Execution Waits',
				value: 'wait',
				description: 'The address of the answer page is in the output of this node as <code>answerUrl</code>',
			},
			{
				name: 'The Run Ends, Another One Goes On',
				value: 'end',
				description: 'The agent outputs the question with a token: send it by chat, mail or form; a ReAct Agent with operation Resume goes on. Survives restarts.',
			},
		],
		description: 'Whether this execution stands still until the answer is there',
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
		displayOptions: { show: { way: ['wait'] } },
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'After this time the agent is told that nobody answered, which counts as a refusal. 0 waits without an end.',
	},
];
