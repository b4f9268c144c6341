import { NodeConnectionTypes, type INodeCredentialDescription, type INodeProperties, type INodeTypeDescription } from 'n8n-workflow';

import { flowProperties } from './flow-properties';
import { options } from './options';
import { serverProperties } from '../../lib/n8n/mcp/server-properties';

/** Both are evaluated by the editor: plain JavaScript that sees `$parameter` only. */
export const inputs: INodeTypeDescription['inputs'] = `={{ ((mode, asks) => [
	...(mode === "main" ? [{ type: "${NodeConnectionTypes.Main}" }] : []),
	...(asks ? [{ type: "${NodeConnectionTypes.AiLanguageModel}", displayName: "Model", maxConnections: 1, required: true }] : []),
])($parameter.mode, ($parameter.options || {}).sampling) }}`;
export const outputs: INodeTypeDescription['outputs'] = `={{ $parameter.mode === "main"
	? [{ type: "${NodeConnectionTypes.Main}" }]
	: [{ type: "${NodeConnectionTypes.AiTool}", displayName: "Tools" }] }}`;

export const credentials: INodeCredentialDescription[] = [
	{ name: 'reactEngineMcpApi', required: true, displayOptions: { show: { authentication: ['credential'] } } },
	{ name: 'mcpOAuth2Api', required: true, displayOptions: { show: { authentication: ['oAuth2'] } } },
];

export const properties: INodeProperties[] = [
	{
		displayName: 'Use As',
		name: 'mode',
		type: 'options',
		noDataExpression: true,
		default: 'tool',
		options: [
			{ name: 'Tools for an Agent', value: 'tool', description: 'The agent calls the tools of the server when it needs them' },
			{ name: 'Step in the Flow', value: 'main', description: 'Lists tools, calls a tool, reads a resource or gets a prompt for each item' },
		],
		description: 'How the node is used. It changes what it can be connected to.',
	},
	...serverProperties,
	...flowProperties,
	options,
];
