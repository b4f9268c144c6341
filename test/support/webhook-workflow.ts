import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import type { TestWorkflow } from './real-n8n';

/** `[name, type, version, parameters, credentials?]`; a type without a dot is one of ours. */
export type NodeLine = readonly [string, string, number, IDataObject, Record<string, { name: string }>?];
/** `[from, port, to]`. */
export type Link = readonly [string, string, string];

/** A workflow that starts with the node "Webhook" (POST, answers with the last node's first item). */
export function webhookWorkflow(id: string, path: string, lines: readonly NodeLine[], links: readonly Link[]): TestWorkflow {
	const webhook: NodeLine = ['Webhook', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} }];
	const nodes = [webhook, ...lines].map(([name, type, typeVersion, parameters, credentials], index): INode => ({
		id: `${id}-${index}`,
		name,
		type: type.includes('.') ? type : `n8n-nodes-reactengine.${type}`,
		typeVersion,
		position: [index * 200, 0],
		parameters: parameters as INode['parameters'],
		...(credentials && { credentials: credentials as never }),
		...(name === 'Webhook' && { webhookId: `${id}-webhook` }),
	}));
	const connections: IConnections = {};
	for (const [from, port, to] of links) {
		const lists = ((connections[from] ??= {})[port] ??= [[]]);
		lists[0]?.push({ node: to, type: port as never, index: 0 });
	}
	return { id, name: id, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Our Chat Model node on a server that speaks OpenAI's wire format. */
export function ourModelAt(url: string, name = 'Model'): NodeLine {
	return [name, 'chatModel', 1, { provider: 'openai-compatible', preset: 'generic', authentication: 'none', baseUrl: `${url}/v1`,
		model: { __rl: true, mode: 'id', value: 'test-model' }, options: {} }];
}

/** What an OpenAI-compatible server streams for an answer. */
export function answerChunks(text: string): unknown[] {
	return [chunk({ role: 'assistant', content: '' }), chunk({ content: text }), chunk({}, 'stop')];
}

/** What it streams for one tool call. */
export function callChunks(name: string, input: object): unknown[] {
	const call = { index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
	return [chunk({ role: 'assistant', content: null, tool_calls: [call] }), chunk({}, 'tool_calls')];
}

/** The same answers whole, for clients that do not stream. */
export function answerBody(text: string): { body: unknown } {
	return { body: completion({ role: 'assistant', content: text }, 'stop') };
}

export function callBody(name: string, input: object): { body: unknown } {
	const call = { id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
	return { body: completion({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls') };
}

const head = { id: 'chatcmpl-1', created: 1767225600, model: 'test-model' };

function chunk(delta: object, reason: string | null = null): unknown {
	return { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] };
}

function completion(message: object, reason: string): unknown {
	const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
	return { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage };
}
