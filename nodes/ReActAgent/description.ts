import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { DEFAULT_INSTRUCTIONS } from '../../lib/react/prompts';

const fixedInputs = [
	{ type: NodeConnectionTypes.Main },
	{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Model', required: true, maxConnections: 1 },
];
const fallbackInput = { type: NodeConnectionTypes.AiLanguageModel, displayName: 'Fallback Model', required: true, maxConnections: 1 };
const laterInputs = [
	{ type: NodeConnectionTypes.AiTool, displayName: 'Tools' },
	{ type: NodeConnectionTypes.AiMemory, displayName: 'Memory', maxConnections: 1 },
];
const parserInput = { type: NodeConnectionTypes.AiOutputParser, displayName: 'Output Parser', required: true, maxConnections: 1 };

/** The second model input and the parser's appear when they are asked for. */
export const inputs = `={{ [...${JSON.stringify(fixedInputs)}, ...($parameter.hasFallback ? [${JSON.stringify(fallbackInput)}] : []), ...${JSON.stringify(laterInputs)}, ...($parameter.hasOutputParser ? [${JSON.stringify(parserInput)}] : [])] }}` as INodeTypeDescription['inputs'];

/** The options that every agent node has. */
export const agentOptions: INodeProperties[] = [
	{
		displayName: 'Allowed Tools',
		name: 'allowedTools',
		type: 'string',
		default: '={{ $json.tools }}',
		placeholder: 'e.g. find_records, current_datetime',
		description: 'Names of the only tools this item may use, as a list or separated by commas. Empty allows all connected tools. Enforced again at each call.',
	},
	{
		displayName: 'Answer Detail',
		name: 'answerDetail',
		type: 'options',
		default: 'standard',
		options: [
			{ name: 'Brief', value: 'brief', description: 'One to three sentences' },
			{ name: 'Expert', value: 'expert', description: 'In full for a specialist, with units, sources and open points' },
			{ name: 'Standard', value: 'standard' },
		],
		description: 'How much the answer says; adds a line to the instructions',
	},
	{
		displayName: 'Answer Language',
		name: 'language',
		type: 'options',
		default: 'auto',
		options: [
			{ name: 'As the Question', value: 'auto' },
			{ name: 'English', value: 'en' },
			{ name: 'French', value: 'fr' },
		],
		description: 'Language of the texts that the engine itself adds for the model',
	},
	{
		displayName: 'Approval',
		name: 'approval',
		type: 'options',
		default: 'destructive',
		options: [
			{ name: 'Before Tools Marked as Destructive', value: 'destructive' },
			{ name: 'Only Before the Tools Named Below', value: 'never' },
		],
		description: 'When a person must approve a call. With a waiting Ask User node the execution waits there; without one the run ends with the question and a token.',
	},
	{
		displayName: 'Approval for Tools',
		name: 'approvalTools',
		type: 'string',
		default: '',
		placeholder: 'e.g. create_work_order, send_mail',
		description: 'Names of tools whose calls a person must approve, separated by commas',
	},
	{
		displayName: 'History',
		name: 'history',
		type: 'json',
		default: '={{ $json.history }}',
		description: 'Earlier turns as a list <code>[{"role": "user", "content": "…"}]</code>. A connected memory comes first; an empty list <code>[]</code> begins the conversation anew.',
	},
	{
		displayName: 'Items at Once',
		name: 'itemsAtOnce',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 1,
		description: 'How many items call the model at the same time. Their tools still run one after another.',
	},
	{
		displayName: 'Max Context Tokens',
		name: 'maxContextTokens',
		type: 'number',
		typeOptions: { minValue: 500 },
		default: 60000,
		description: 'Above this the older tool results of the run are shortened in what the model sees; it can read them again',
	},
	{
		displayName: 'Max Cost',
		name: 'maxCost',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 4 },
		default: '',
		description: 'Cost of one item, in the currency of Prices. Without a price the cost is unknown and this limit is not reached.',
	},
	{
		displayName: 'Max History Tokens',
		name: 'maxHistoryTokens',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 8000,
		description: 'How much of the earlier conversation is sent along, newest turns first, whole turns only',
	},
	{
		displayName: 'Max Observation Characters',
		name: 'maxObservationCharacters',
		type: 'number',
		typeOptions: { minValue: 200 },
		default: 20000,
		description: 'How much of one tool result the model sees at once. It can read the rest page by page.',
	},
	{
		displayName: 'Max Seconds',
		name: 'maxSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description: 'Time for one item, waits for a person not counted. n8n sets no time limit for tools of other packages.',
	},
	{
		displayName: 'Max Steps',
		name: 'maxSteps',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 12,
		description: 'How many times the model may be called for one item',
	},
	{
		displayName: 'Max Tokens',
		name: 'maxTokens',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 200000,
		description: 'Tokens in and out for one item, as the model reports them',
	},
	{
		displayName: 'Output Schema',
		name: 'outputSchema',
		type: 'json',
		default: '',
		placeholder: '{"type": "object", "properties": {"machine": {"type": "string"}}, "required": ["machine"]}',
		description: 'JSON Schema of the answer: <code>output</code> is then an object, with the raw text in <code>rawOutput</code>',
	},
	{
		displayName: 'Prices',
		name: 'prices',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add price',
		default: {},
		description: 'Prices for a million tokens, to report what a run cost',
		options: [
			{
				displayName: 'Price',
				name: 'price',
				values: [
					{ displayName: 'Model', name: 'model', type: 'string', default: '', placeholder: 'e.g. mistral-small-latest' },
					{ displayName: 'In', name: 'in', type: 'number', default: 0 },
					{ displayName: 'Out', name: 'out', type: 'number', default: 0 },
					{ displayName: 'Cached In', name: 'cached', type: 'number', default: 0 },
				],
			},
		],
	},
	{
		displayName: 'Check Figures',
		name: 'checkFigures',
		type: 'boolean',
		default: false,
		description:
			'Whether to trace each number, date and code of the answer to a tool result, a passage or the question. What cannot be traced is listed in <code>run.figures</code> and marked by Run Report.',
	},
	{
		displayName: 'Protocol',
		name: 'protocol',
		type: 'options',
		default: 'auto',
		options: [
			{ name: 'Automatic', value: 'auto', description: "The model's own tool calls, else JSON steps, else text" },
			{ name: 'JSON Steps', value: 'json', description: 'Each step is one JSON object held to a schema, for models without tool calls' },
			{ name: 'Native Tool Calls', value: 'native' },
			{ name: 'Text (Thought / Action / Observation)', value: 'text', description: 'For models without tool calls' },
		],
		description: 'How the model asks for a tool',
	},
	{
		displayName: 'Run Detail',
		name: 'detail',
		type: 'options',
		default: 'summary',
		options: [
			{ name: 'Full', value: 'full', description: 'Every step with whole results' },
			{ name: 'None', value: 'none', description: 'Only tokens, time and why the run ended' },
			{ name: 'Summary', value: 'summary', description: 'Every step, long texts cut' },
		],
		description: 'How much the <code>run</code> field of the output holds',
	},
	{
		displayName: 'Stream',
		name: 'streamChoice',
		type: 'options',
		default: 'answer',
		options: [
			{ name: 'Answer', value: 'answer' },
			{ name: 'Answer and Tool Calls', value: 'tools' },
			{ name: 'Everything', value: 'everything', description: 'Thoughts and results too' },
		],
		description: 'What a streamed chat or webhook response shows',
	},
	{
		displayName: 'Stream Pieces',
		name: 'streamGranularity',
		type: 'options',
		default: 'token',
		options: [
			{ name: 'As the Model Sends Them', value: 'token' },
			{ name: 'Sentences', value: 'sentence' },
			{ name: 'Whole Blocks', value: 'whole' },
		],
		description: 'How much text comes at once in a streamed response',
	},
	{
		displayName: 'Temperature',
		name: 'temperature',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 2, numberPrecision: 1 },
		default: 0,
		description: 'How freely the model chooses its words; 0 is steadiest',
	},
];

/** Also for an agent that is a tool. */
export const planFirst: INodeProperties = {
	displayName: 'Plan First',
	name: 'planFirst',
	type: 'boolean',
	default: false,
	description:
		'Whether the agent first writes a plan, then does it step by step and answers from the results. A step that fails has the open steps planned anew, once. The plan stands in <code>run.plan</code>; its calls count for the limits, so raise Max Steps and expect a higher cost. To approve or change a plan, use Task Planner.',
};

const onRun = { show: { operation: ['run'] } };
const onResume = { show: { operation: ['resume'] } };

const resume: INodeProperties[] = [
	{
		displayName: 'Token',
		name: 'token',
		type: 'string',
		typeOptions: { password: true },
		displayOptions: onResume,
		default: '={{ $json.token }}',
		required: true,
		description: 'The token from the <code>question</code> that the run ended with. It works once, for 30 days.',
	},
	{
		displayName: 'Answer',
		name: 'answer',
		type: 'string',
		displayOptions: onResume,
		default: '={{ $json.answer }}',
		description: 'The answer to the question; for an approval, a note for the agent',
	},
	{
		displayName: 'Approved',
		name: 'approved',
		type: 'string',
		displayOptions: onResume,
		default: '={{ $json.approved }}',
		placeholder: 'e.g. true, yes, oui',
		description: 'For an approval: anything but a clear yes (true, yes, oui, approve) is a refusal',
	},
	{
		displayName: 'Edited Arguments',
		name: 'editedArguments',
		type: 'json',
		displayOptions: onResume,
		default: '={{ $json.editedArguments }}',
		description: "Arguments in place of the agent's, for an approval",
	},
	{
		displayName: 'Answered By',
		name: 'by',
		type: 'string',
		displayOptions: onResume,
		default: '={{ $json.by }}',
		description: 'Who answered, for the report of the run',
	},
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'run',
		options: [
			{ name: 'Resume', value: 'resume', action: 'Resume a run that ended with a question', description: 'Go on with the answer of a person' },
			{ name: 'Run', value: 'run', action: 'Run an agent', description: 'Solve a task' },
		],
	},
	...resume,
	{
		displayName: 'Query',
		name: 'query',
		type: 'string',
		displayOptions: onRun,
		typeOptions: { rows: 2 },
		default: '={{ $json.query ?? $json.chatInput }}',
		required: true,
		placeholder: 'e.g. Which machines cost most last quarter?',
		description: 'The task or question. The default takes it from the previous node.',
	},
	{
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 6 },
		default: DEFAULT_INSTRUCTIONS,
		description: 'What the model is told before every question (system message): its job, its rules, its tone',
	},
	{
		displayName: 'Context',
		name: 'context',
		type: 'string',
		displayOptions: onRun,
		typeOptions: { rows: 2 },
		default: '={{ $json.context }}',
		description: 'Text of documents for this question, for example from a Contextual Compressor. The model treats it as data, not as instructions.',
	},
	{ ...planFirst, displayOptions: onRun },
	{
		displayName: 'When a Limit Is Reached',
		name: 'atLimit',
		type: 'options',
		default: 'fail',
		options: [
			{
				name: 'Fail the Item',
				value: 'fail',
				description: 'For schedules and events: On Error decides what happens, with the work so far',
			},
			{
				name: 'Answer With What Is Known',
				value: 'answer',
				description: 'For chats: one last call without tools; the run is marked as partial',
			},
		],
		description: 'What to do at Max Steps, Max Seconds or Max Tokens',
	},
	{
		displayName: 'Use a Fallback Model',
		name: 'hasFallback',
		type: 'boolean',
		default: false,
		description: 'Whether a second model takes over when the first is down or rate-limited',
	},
	{
		displayName: 'Require a Specific Output Format',
		name: 'hasOutputParser',
		type: 'boolean',
		default: false,
		description: "Whether one of n8n's output parsers reads the answer. A JSON Schema in the options needs no parser.",
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: agentOptions,
	},
];
