import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { CodedError } from '../core/errors';
import { loadSdk } from './load-sdk';
import type { McpOptions } from './server';

/** What the server may ask of us. Questions are always taken, so that a declined one can be told to the model. */
export function capabilitiesOf(options: McpOptions): ClientCapabilities {
	return { elicitation: { form: {} }, ...(options.sample && { sampling: {} }) };
}

/** Sets what happens when the server asks or tells something. */
export function answerServer(client: Client, options: McpOptions): void {
	const types = loadSdk('types.js');
	client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => options.onToolsChanged?.());
	client.setNotificationHandler(types.ResourceListChangedNotificationSchema, () => options.onResourceChanged?.());
	client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => options.onResourceChanged?.(params.uri));
	client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => {
		const isBad = ['error', 'critical', 'alert', 'emergency'].includes(params.level);
		options.ports.log(isBad ? 'warn' : 'debug', 'MCP server says', { level: params.level, data: params.data });
	});
	client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
		const reply = options.elicit?.(params) ?? { result: { action: 'decline' as const } };
		return reply.result as { action: 'accept'; content: Record<string, string> };
	});
	if (options.sample === undefined) return;
	client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, { signal }) => {
		const { sample } = options;
		if (sample === undefined) throw new CodedError('BAD_INPUT', 'No model is connected');
		const result = await sample(params, signal);
		return result as { model: string; role: 'assistant'; content: { type: 'text'; text: string } };
	});
}
