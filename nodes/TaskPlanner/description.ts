import type { INodeProperties } from 'n8n-workflow';

const onPlan = { show: { operation: ['plan'] } };
const onReturned = { show: { operation: ['next', 'replan', 'synthesise'] } };
const onModel = { show: { operation: ['plan', 'replan', 'synthesise'] } };

export const properties: INodeProperties[] = [
	{
		displayName:
			'1. Plan here. 2. Let a person look, change, approve. 3. A second Task Planner (<b>Next Steps</b>) loops with a ReAct Agent. 4. A third (<b>Synthesise</b>) takes the output <b>Finished</b>. See the example “Plan, approve, execute, report”. Tools are not called here; connect them so that the plan may name them.',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'plan',
		options: [
			{ name: 'Next Steps', value: 'next', action: 'Get the next steps', description: 'Takes steps back, done or not, and gives those that can be done now, with the results they need. No model.' },
			{ name: 'Plan', value: 'plan', action: 'Plan a task', description: 'One item for each step' },
			{ name: 'Re-Plan', value: 'replan', action: 'Plan the rest anew', description: 'Writes the open steps anew from the results so far' },
			{ name: 'Synthesise', value: 'synthesise', action: 'Join the results', description: 'One answer to the task from the results of its steps' },
		],
	},
	{
		displayName: 'Task',
		name: 'query',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		displayOptions: onPlan,
		placeholder: 'e.g. Prepare the yearly overhaul of excavator 12: history, parts, procedure, cost',
		description: 'The default takes it from the previous node',
	},
	{
		displayName: 'Maximum Steps',
		name: 'maxSteps',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 8,
		displayOptions: { show: { operation: ['plan', 'replan'] } },
		description: 'A longer plan is sent back once, then joined to this length; nothing is dropped',
	},
	{ displayName: 'Plan', name: 'plan', type: 'json', default: '={{ $json.plan }}', displayOptions: onReturned, description: 'The plan as Task Planner gave it' },
	{ displayName: 'Step', name: 'step', type: 'json', default: '={{ $json.step }}', displayOptions: onReturned, description: 'The step of this item as Task Planner gave it, or as you changed it' },
	{ displayName: 'Result', name: 'result', type: 'string', default: '={{ $json.output }}', displayOptions: onReturned, description: 'What came of the step; empty for a step that was not done. An item with <code>error</code> is a failed step.' },
	{
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		displayOptions: onModel,
		placeholder: 'e.g. First the history of the machine, then the stock. Never plan purchases above 500 €.',
		description: 'Rules of your own for the plan or the answer, besides the built-in ones',
	},
	{ displayName: 'Context', name: 'context', type: 'string', default: '={{ $json.context }}', displayOptions: onPlan, description: 'Text of documents for the task, for example from a Contextual Compressor. The model treats it as data.' },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Language',
				name: 'language',
				type: 'options',
				default: 'auto',
				options: [
					{ name: 'As the Task', value: 'auto' },
					{ name: 'English', value: 'en' },
					{ name: 'French', value: 'fr' },
				],
				description: 'Language in which the model is spoken to',
			},
			{
				displayName: 'Tokens for All Steps',
				name: 'maxTokens',
				type: 'number',
				default: 0,
				description: 'Shared out among the steps as <code>step.maxTokens</code>, for Max Tokens of the ReAct Agent. 0 sets none.',
			},
		],
	},
];
