import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, ToolCallPart } from '../../lib/core/message';
import { collectReply, type ModelReply } from '../../lib/core/model';
import { loadChatModel } from '../../lib/providers/registry';
import { streamBytes, type FakeApi } from './fake-model-server';
import { fakePorts } from './fake-ports';

/** What the APIs share of a message; Ollama has no ids and gives arguments as an object. */
interface WireMessage {
	readonly role: Message['role'];
	readonly content: string | readonly { readonly text?: string }[] | null;
	readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly name: string; readonly arguments: unknown } }[];
	readonly tool_call_id?: string;
}

interface WireRequest {
	readonly model: string;
	readonly messages: readonly WireMessage[];
	readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string; readonly parameters: object } }[];
}

export interface ScriptedServer {
	readonly url: string;
	/** Models of the chat requests, in order. */
	readonly asked: readonly string[];
	close(): Promise<void>;
}

/** A server that speaks the wire format of one API and whose model plays a script of turns, whatever the figures of the tools are. */
export async function startScriptedServer(api: FakeApi, script: unknown): Promise<ScriptedServer> {
	const model = loadChatModel('replay', { model: 'script', script }, fakePorts());
	const asked: string[] = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then(async (body) => {
			if (!/\/(?:chat\/completions|api\/chat)$/.test(request.url ?? '')) return void response.writeHead(404).end('{}');
			const { model: name, messages, tools = [] } = JSON.parse(body) as WireRequest;
			asked.push(name);
			const offered = tools.map((tool) => ({ name: tool.function.name, description: tool.function.description, inputSchema: tool.function.parameters as never }));
			const reply = await collectReply(model, { messages: read(messages), tools: offered }, new AbortController().signal);
			response.writeHead(200, { 'content-type': api === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' });
			response.end(streamBytes(api, api === 'ollama' ? ollamaChunks(reply) : openAiChunks(reply, asked.length)));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts).toString('utf8');
}

/** Calls without ids get some; their results come in the same order. */
function read(messages: readonly WireMessage[]): Message[] {
	const open: ToolCallPart[] = [];
	return messages.map(({ role, content, tool_calls: calls = [], tool_call_id: answers }, at): Message => {
		const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
		if (role === 'tool') {
			const call = open.splice(Math.max(0, open.findIndex(({ callId }) => callId === answers)), 1)[0]!;
			return { role, parts: [{ type: 'tool-result', callId: call.callId, name: call.name, text, isError: false }] };
		}
		const parts = calls.map(({ id, function: { name, arguments: input } }, i): ToolCallPart => {
			const argumentsText = typeof input === 'string' ? input : JSON.stringify(input);
			return { type: 'tool-call', callId: id ?? `c${at}-${i}`, name, argumentsText };
		});
		open.push(...parts);
		return { role, parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts] };
	});
}

/** Ids as Mistral makes them: nine letters and digits, unlike those of other turns. */
function openAiChunks({ text, toolCalls }: ModelReply, turn: number): unknown[] {
	const head = { id: 'r', object: 'chat.completion.chunk', created: 1767225600, model: 'm' };
	const choice = (delta: object, finish_reason: string | null = null): unknown => ({ ...head, choices: [{ index: 0, delta, finish_reason }] });
	const calls = toolCalls.map(({ name, argumentsText }, index) => {
		const id = `Call${turn}x${index}`.padEnd(9, '0');
		return choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: argumentsText } }] });
	});
	return [choice({ role: 'assistant', content: text }), ...calls, choice({}, calls.length > 0 ? 'tool_calls' : 'stop')];
}

function ollamaChunks({ text, toolCalls }: ModelReply): unknown[] {
	const head = { model: 'm', created_at: '2026-01-01T00:00:00Z' };
	const calls = toolCalls.map(({ name, argumentsText }) => ({ function: { name, arguments: JSON.parse(argumentsText) as unknown } }));
	const last = { ...head, message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 1200, eval_count: 30 };
	return [{ ...head, message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }, done: false }, last];
}
