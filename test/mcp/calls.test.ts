import type { ServerResponse } from 'node:http';
import { mcpTools } from '../../lib/mcp/mcp-tools';
import { elicitorFor } from '../../lib/mcp/elicitation';
import { samplerFor } from '../../lib/mcp/sampling';
import type { HttpServer, McpOptions } from '../../lib/mcp/server';
import { McpSession } from '../../lib/mcp/session';
import type { McpToolSettings } from '../../lib/mcp/tool-settings';
import type { Tool } from '../../lib/core/tool';
import { scriptedModel } from '../support/scripted-model';
import { startFakeServer, testOptions, type Exchange, type FakeServer, type Misbehaviour, type RpcMessage } from './fake-server';

let server: FakeServer;
let session: McpSession;
const signal = new AbortController().signal;

/** Tools of a server with the declared ones, whose calls `answer` takes. */
async function toolsOf(
	declared: readonly object[],
	answer: Misbehaviour,
	more: { settings?: Partial<McpToolSettings>; options?: Partial<McpOptions>; timeoutMs?: number } = {},
): Promise<{ tools: readonly Tool[]; lines: string[] }> {
	server = await startFakeServer((exchange) => (exchange.message.method === 'tools/list' ? exchange.reply({ tools: declared }) : answer(exchange)));
	const address: HttpServer = { transport: 'http', url: server.url, headers: {} };
	const options = { ...testOptions(more.timeoutMs), ...more.options };
	session = new McpSession(address, options);
	const { tools } = await mcpTools(session, { server: address, include: [], exclude: [], prefix: '', ...more.settings });
	return { tools, lines: options.lines };
}

afterEach(async () => {
	await session.close();
	await server.stop();
});

const run = async (tool: Tool | undefined, input: Record<string, unknown> = {}) => await tool?.run(input, { signal });

describe('calls', () => {
	it('gives each tool its own timeout and tells the server that it gave up', async () => {
		const declared = [{ name: 'slow_report' }, { name: 'other' }];
		const perTool = [{ name: 'slow_*', timeoutMs: 100, intent: 'Monthly figures of the plant' }];
		const { tools } = await toolsOf(declared, () => undefined, { settings: { perTool } });
		expect(tools.map(({ intent }) => intent)).toEqual(['Monthly figures of the plant', 'other']);
		const begin = performance.now();
		await expect(run(tools[0])).rejects.toMatchObject({ code: 'TIMEOUT' });
		expect(performance.now() - begin).toBeLessThan(1500);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(server.seen).toContain('POST notifications/cancelled');
	});

	it('writes progress to the log and lets a server that reports it take longer', async () => {
		const { tools, lines } = await toolsOf([{ name: 'long' }], ({ message, response }) => {
			const progressToken = (message.params?._meta as { progressToken?: unknown } | undefined)?.progressToken;
			const stream = openStream(response);
			[0, 150, 300, 450].forEach((ms, step) => setTimeout(() => {
				send(stream, { method: 'notifications/progress', params: { progressToken, progress: step + 1, total: 4 } });
			}, ms));
			setTimeout(() => stream.end(event({ id: message.id, result: { content: [] } })), 500);
		}, { timeoutMs: 300 });
		expect(await run(tools[0])).toEqual({ text: 'Done. The tool returned no data.' });
		expect(lines.filter((line) => line.startsWith('MCP progress of long')).length).toBeGreaterThanOrEqual(4);
	});

	it('warns when structured content does not fit the output schema, and still gives it', async () => {
		const outputSchema = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
		const answers: object[] = [{ structuredContent: { total: 'many' } }, { content: [{ type: 'text', text: 'x' }] }, { structuredContent: { total: 2 } },
			{ content: [], isError: true }];
		const { tools, lines } = await toolsOf([{ name: 'count', outputSchema }, { name: 'last' }], (exchange) => exchange.reply(answers[exchange.earlier]));
		expect((await run(tools[0]))?.data).toEqual({ total: 'many' });
		await run(tools[0]);
		const warnings = (): string[] => lines.filter((line) => line.includes('does not fit its output schema'));
		expect(warnings()).toEqual([expect.stringContaining('/total must be integer'), expect.stringContaining('there is no structured content')]);
		await run(tools[0]);
		await run(tools[0]);
		expect(warnings()).toHaveLength(2);
	});

	it('runs a tool that only runs as a task, and cancels the task when the run is stopped', async () => {
		const states = ['working', 'working', 'completed'];
		const declared = [{ name: 'research', execution: { taskSupport: 'required' } }];
		const { tools } = await toolsOf(declared, (exchange) => {
			const { message, reply, earlier } = exchange;
			switch (message.method) {
				case 'tools/call':
					return reply({ task: { taskId: 't1', status: 'working', pollInterval: 10 } });
				case 'tasks/get':
					return reply({ taskId: 't1', status: states[earlier] ?? 'working' });
				case 'tasks/result':
					return reply({ content: [{ type: 'text', text: 'found' }] });
				default:
					return reply({});
			}
		});
		expect(await run(tools[0], { topic: 'x' })).toEqual({ text: 'found' });
		const stop = new AbortController();
		const running = tools[0]?.run({}, { signal: stop.signal });
		setTimeout(() => stop.abort(new Error('run cancelled')), 60);
		await expect(running).rejects.toThrow('run cancelled');
		expect(server.seen.filter((line) => /task|call/.test(line))).toEqual(expect.arrayContaining(['POST tasks/result', 'POST tasks/cancel']));
	});

	it('M23 gives a long page whole by default, and takes it back by handle', async () => {
		const page = 'joint usé '.repeat(9000);
		const seen: Exchange[] = [];
		const { tools } = await toolsOf([{ name: 'read_page' }, { name: 'write_page' }], (exchange) => {
			seen.push(exchange);
			exchange.reply({ content: [{ type: 'text', text: page }] });
		});
		const output = await run(tools[0]);
		expect(output?.text.endsWith(page)).toBe(true);
		await run(tools[1], { body: '{{result_1}}' });
		expect((seen[1]?.message.params?.arguments as { body: string }).body).toBe(page);
	});

	it('M23 cuts at the cap that was set, lets the model read on, and keeps no second copy in the data', async () => {
		const rows = Array.from({ length: 300 }, (_, id) => ({ id }));
		const { tools } = await toolsOf([{ name: 'rows' }], ({ reply }) => reply({ content: [], structuredContent: { rows } }), { settings: { maxCharacters: 500 } });
		expect(tools.map(({ name }) => name)).toEqual(['rows', 'read_long_result']);
		const output = await run(tools[0]);
		expect(output?.text).toContain('the handle of the whole is result_1');
		expect(output).not.toHaveProperty('data');
		const whole = JSON.stringify({ rows });
		expect(await run(tools[1], { handle: 'result_1', offset: 500 })).toEqual({ text: `${whole.slice(500, 1000)}\n… (more from offset 1000 of ${whole.length})` });
		expect(await run(tools[1], { handle: '{{result_1}}', offset: 99_999 })).toEqual({ text: `Nothing from character 99999: the result has ${whole.length}.` });
	});
});

const form = { message: 'Which site?', requestedSchema: { type: 'object', properties: {
	site: { type: 'string', enum: ['LYO', 'PAR'], description: 'Site of the part' }, count: { type: 'integer', default: 3 } }, required: ['site'] } };

/** A tool that asks the user before it answers with what it was told. */
const asking = (question: object, method = 'elicitation/create'): Misbehaviour => {
	let open: { message: RpcMessage; stream: ServerResponse } | undefined;
	return ({ message, response, status }) => {
		if (message.method === 'tools/call') {
			open = { message, stream: openStream(response) };
			send(open.stream, { id: 900, method, params: question });
			return;
		}
		status(202);
		const text = JSON.stringify((message as { result?: unknown; error?: unknown }).result ?? (message as { error?: unknown }).error);
		open?.stream.end(event({ id: open.message.id, result: { content: [{ type: 'text', text }] } }));
	};
};

describe('questions of a server', () => {
	it('are declined at once without answers, and the model reads what to ask the user', async () => {
		const { tools } = await toolsOf([{ name: 'order' }], asking(form), { options: { elicit: elicitorFor({ answers: {}, useDefaults: false }) } });
		const output = await run(tools[0]);
		expect(output?.text).toContain('{"action":"decline"}');
		expect(output?.text).toContain('The server asked the user: "Which site?" It wants to know: site: Site of the part (one of LYO, PAR).');
		expect(output?.text).toContain('Ask the user');
	});

	it('are answered from the fixed answers, as the types of the form', async () => {
		const elicit = elicitorFor({ answers: { site: 'LYO', count: '7', other: 'x' }, useDefaults: false });
		const { tools } = await toolsOf([{ name: 'order' }], asking(form), { options: { elicit } });
		expect((await run(tools[0]))?.text).toBe('{"action":"accept","content":{"site":"LYO","count":7}}');
	});

	it.each([
		['an answer that is not on the list', { site: 'BOR' }, form],
		['a bare confirmation', {}, { message: 'Delete all?', requestedSchema: { type: 'object', properties: {} } }],
		['an address to open', {}, { mode: 'url', message: 'Log in', url: 'https://x.example/login', elicitationId: 'e' }],
	])('decline %s', (_title, answers, params) => {
		const reply = elicitorFor({ answers, useDefaults: true })(params);
		expect(reply.result).toEqual({ action: 'decline' });
		expect(reply.note).toContain('declined');
	});

	it('are put to the connected model when that is allowed', async () => {
		const model = scriptedModel([{ text: 'Bonjour' }]);
		const question = { messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }], systemPrompt: 'Be French', maxTokens: 99_999, temperature: 0 };
		const { tools } = await toolsOf([{ name: 'greet' }], asking(question, 'sampling/createMessage'), { options: { sample: samplerFor(model) } });
		expect(JSON.parse((await run(tools[0]))?.text ?? '')).toEqual({
			model: model.id, role: 'assistant', content: { type: 'text', text: 'Bonjour' }, stopReason: 'endTurn',
		});
		expect(model.requests[0]).toMatchObject({ maxTokens: 4096, temperature: 0, messages: [{ role: 'system' }, { role: 'user' }] });
	});

	it('that need a model are refused where none is allowed', async () => {
		const { tools } = await toolsOf([{ name: 'greet' }], asking({ messages: [], maxTokens: 5 }, 'sampling/createMessage'));
		expect((await run(tools[0]))?.text).toContain('-32601');
	});

	it('end after 20 questions to the model', async () => {
		const sample = samplerFor(scriptedModel(Array.from({ length: 21 }, () => ({ text: 'x' }))));
		const { tools } = await toolsOf([{ name: 'greet' }], asking({ messages: [], maxTokens: 5 }, 'sampling/createMessage'), { options: { sample } });
		for (let call = 0; call < 20; call++) expect((await run(tools[0]))?.text).toContain('"text":"x"');
		expect((await run(tools[0]))?.text).toContain('more than 20 times');
	});
});

function openStream(response: ServerResponse): ServerResponse {
	return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function event(message: object): string {
	return `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
}

function send(stream: ServerResponse, message: object): void {
	stream.write(event(message));
}
