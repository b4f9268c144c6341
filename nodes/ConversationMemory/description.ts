import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

/** Both are evaluated by the editor: plain JavaScript that sees `$parameter` only. */
export const inputs: INodeTypeDescription['inputs'] = `={{ ((mode) => mode === "main"
	? [{ type: "${NodeConnectionTypes.Main}" }]
	: [{ type: "${NodeConnectionTypes.AiLanguageModel}", displayName: "Model for Summaries", maxConnections: 1 }]
)($parameter.mode) }}`;
export const outputs: INodeTypeDescription['outputs'] = `={{ ((mode) => mode === "main"
	? [{ type: "${NodeConnectionTypes.Main}" }]
	: [{ type: "${NodeConnectionTypes.AiMemory}", displayName: "Memory" }]
)($parameter.mode) }}`;

const ofOneConversation = { hide: { operation: ['export', 'delete'] } };
const ofOnePerson = { show: { mode: ['main'], operation: ['export', 'delete'] } };
const withWindow = { hide: { operation: ['save', 'clear', 'export', 'delete'] } };

export const properties: INodeProperties[] = [
	{
		displayName: 'Use As',
		name: 'mode',
		type: 'options',
		noDataExpression: true,
		default: 'memory',
		options: [
			{ name: 'Memory of an Agent or a Chat', value: 'memory', description: "For ReAct Agent, Chat Engine, n8n's AI Agent and Chat Trigger" },
			{ name: 'Step in the Flow', value: 'main', description: 'Loads, saves, exports or deletes conversations' },
		],
		description: 'How the node is used. It changes what it can be connected to.',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'load',
		displayOptions: { show: { mode: ['main'] } },
		options: [
			{ name: 'Delete a Conversation', value: 'clear', description: 'Forgets the conversation of the item', action: 'Delete a conversation' },
			{ name: "Delete a Person's Data", value: 'delete', description: 'Deletes all conversations of one person, for good', action: 'Delete a person s data' },
			{ name: "Export a Person's Data", value: 'export', description: 'Gives all conversations of one person', action: 'Export a person s data' },
			{ name: 'Load a Conversation', value: 'load', description: 'Adds the earlier turns as the field history', action: 'Load a conversation' },
			{ name: 'Save a Turn', value: 'save', description: 'Keeps a question and its answer', action: 'Save a turn' },
		],
	},
	{
		displayName: 'Memory',
		name: 'memory',
		type: 'string',
		default: 'conversations',
		required: true,
		placeholder: 'e.g. maintenance-chat',
		description: 'Name of the memory. Nodes with the same name and the same storage share its conversations.',
		hint: 'Kept in the storage of the Engine Storage credential, else in files in the data folder of n8n. In queue mode use Postgres.',
	},
	{
		displayName: 'Session',
		name: 'session',
		type: 'string',
		default: '={{ $json.sessionId }}',
		displayOptions: ofOneConversation,
		description: 'What tells conversations apart: the session of a chat, a ticket, a work order',
		hint: 'Without one, as after a schedule or an ERP event, the conversation lasts for this execution (see the option Without a Session)',
	},
	{
		displayName: 'User',
		name: 'userFrom',
		type: 'options',
		noDataExpression: true,
		default: 'item',
		displayOptions: ofOneConversation,
		options: [
			{ name: 'User of the Item', value: 'item', description: 'Who is named in the field <code>user</code> of the item, as Access Guard writes it' },
			{ name: 'Fixed', value: 'fixed', description: 'Always the same one' },
		],
		description: 'Whose conversations these are. A session of one user is never read for another, also when it has the same name.',
	},
	{
		displayName: 'User Name',
		name: 'fixedUser',
		type: 'string',
		noDataExpression: true,
		default: '',
		displayOptions: { show: { userFrom: ['fixed'] }, hide: { operation: ['export', 'delete'] } },
		description: 'Name of the user; empty for nobody in particular',
	},
	{
		displayName: 'Question',
		name: 'question',
		type: 'string',
		default: '={{ $json.originalQuery ?? $json.query ?? $json.chatInput }}',
		required: true,
		displayOptions: { show: { mode: ['main'], operation: ['save'] } },
		description: 'What the user said',
	},
	{
		displayName: 'Answer',
		name: 'answer',
		type: 'string',
		default: '={{ $json.output }}',
		required: true,
		displayOptions: { show: { mode: ['main'], operation: ['save'] } },
		description: 'What was answered',
	},
	{
		displayName: 'Person',
		name: 'person',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.user.sub }}',
		displayOptions: ofOnePerson,
		description: 'The user whose data is meant, as the items named them when the conversations were held',
	},
	{
		displayName: 'Every Memory of This Storage',
		name: 'everyMemory',
		type: 'boolean',
		default: true,
		displayOptions: ofOnePerson,
		description: 'Whether the conversations of all memories are meant, not only of the one named above',
	},
	{
		displayName: 'Turns',
		name: 'turns',
		type: 'number',
		default: 10,
		typeOptions: { minValue: 1, maxValue: 200 },
		displayOptions: withWindow,
		description: 'How many turns are read word for word: a question, its tool calls and its answer are one turn and are never parted',
	},
	{
		displayName: 'Tokens',
		name: 'maxTokens',
		type: 'number',
		default: 6000,
		typeOptions: { minValue: 100 },
		displayOptions: withWindow,
		description: 'How many tokens these turns have at most, estimated at 3.5 characters each; the newest turn is always read',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: ofOneConversation,
		options: [
			{
				displayName: 'Refuse Items Without a User',
				name: 'requireUser',
				type: 'boolean',
				default: false,
				description: 'Whether an item that names no user is an error',
			},
			{
				displayName: 'Tokens of the Summary',
				name: 'maxSummaryTokens',
				type: 'number',
				default: 500,
				typeOptions: { minValue: 20, maxValue: 4000 },
				description: 'How long the summary of older turns is at most. It is written when a model is connected, once for several turns.',
			},
			{
				displayName: 'User Field',
				name: 'userField',
				type: 'string',
				noDataExpression: true,
				default: 'user',
				placeholder: 'e.g. body.user',
				description: 'Path of the field that holds the user: a name, or an object with <code>sub</code>',
			},
			{
				displayName: 'Without a Session',
				name: 'noSession',
				type: 'options',
				default: 'execution',
				options: [
					{ name: 'A Conversation of This Execution', value: 'execution' },
					{ name: 'An Error', value: 'error' },
					{ name: 'One Conversation of the User', value: 'user' },
				],
				description: 'What happens when Session is empty',
			},
		],
	},
];
