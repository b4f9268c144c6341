import { NodeConnectionTypes, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { DEFAULT_INSTRUCTIONS } from '../../lib/react/prompts';
import { agentOptions, planFirst } from '../ReActAgent/description';

export const inputs: INodeTypeDescription['inputs'] = [
	{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Model', required: true, maxConnections: 1 },
	{ type: NodeConnectionTypes.AiTool, displayName: 'Tools' },
];

/** An agent that is a tool answers its caller: it streams nothing and has no history of its own. */
const NOT_HERE = new Set(['history', 'maxHistoryTokens', 'streamChoice', 'streamGranularity', 'itemsAtOnce', 'allowedTools']);

export const properties: INodeProperties[] = [
	{
		displayName: 'What It Is For',
		name: 'intent',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		required: true,
		placeholder: 'e.g. Looks up and compares work orders and their costs',
		description: 'What the calling agent reads to decide when to give this one a task. The tool is named after this node.',
	},
	{
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 6 },
		default: DEFAULT_INSTRUCTIONS,
		description: 'What the model of this agent is told before every task (system message)',
	},
	planFirst,
	{
		displayName: 'When a Limit Is Reached',
		name: 'atLimit',
		type: 'options',
		default: 'answer',
		options: [
			{ name: 'Answer With What Is Known', value: 'answer', description: 'One last call without tools' },
			{ name: 'Fail the Call', value: 'fail', description: 'The calling agent reads why' },
		],
		description: 'What to do at a limit; the limits are never more than what the calling agent has left',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: agentOptions.filter(({ name }) => !NOT_HERE.has(name)),
	},
];
