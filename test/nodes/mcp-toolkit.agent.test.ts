import type { EngineRequest, EngineResponse, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { openSessions } from '../../lib/mcp/session-cache';
import { McpToolkit } from '../../nodes/McpToolkit/McpToolkit.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { ToolRouter } from '../../nodes/ToolRouter/ToolRouter.node';
import { startFakeServer, type FakeServer, type Misbehaviour } from '../mcp/fake-server';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

let server: FakeServer;

afterEach(async () => {
	await server.stop();
	expect(openSessions()).toBe(0);
});

const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/** A server whose second list has one tool more, told beside the answer of the first call. */
const growing: Misbehaviour = ({ message, earlier, reply, response }) => {
	const tools = [{ name: 'unlock', description: 'Opens the archive.' }, ...(earlier > 0 ? [{ name: 'read_archive', description: 'Reads the archive.' }] : [])];
	if (message.method === 'tools/list') return reply({ tools });
	if (message.params?.name === 'read_archive') return reply({ content: [{ type: 'text', text: 'old papers' }] });
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	response.end(event({ method: 'notifications/tools/list_changed' }) + event({ id: message.id, result: { content: [] } }));
};

describe('MCP Toolkit under an agent', () => {
	it.each([['directly', false], ['behind a Tool Router', true]])('M12 offers a tool that the server added during a call at the next step, %s', async (_title, isRouted) => {
		server = await startFakeServer(growing);
		const model = scriptedModel([{ calls: [{ name: 'unlock', args: {} }] }, { calls: [{ name: 'read_archive', args: {} }] }, { text: 'done' }]);
		const last = isRouted ? 'Router' : 'MCP';
		const run = await runWorkflow({
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.mcp': new McpToolkit(), 'p.router': new ToolRouter() },
			nodes: [start(), node('Agent', 'p.agent', { instructions: 'Be good.', query: 'read the archive' }), node('Model', 'p.model'),
				node('MCP', 'p.mcp', { transport: 'http', url: server.url }), ...(isRouted ? [node('Router', 'p.router', {})] : [])],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], [last, 'ai_tool', 'Agent'], ...(isRouted ? [['MCP', 'ai_tool', 'Router'] as const] : [])),
		});
		expect(run.error).toBeUndefined();
		expect(model.requests.map(({ tools }) => tools?.some(({ name }) => name === 'read_archive'))).toEqual([false, true, true]);
		expect(JSON.stringify(model.requests[2]?.messages)).toContain('old papers');
	});

	it('lets the server ask the model that is connected to the toolkit, when that is allowed', async () => {
		server = await startFakeServer(({ message, reply, response, status }) => {
			if (message.method === 'tools/list') return reply({ tools: [{ name: 'greet' }] });
			if (message.method === 'tools/call') {
				held = { id: message.id, response: response.writeHead(200, { 'content-type': 'text/event-stream' }) };
				held.response.write(event({ id: 'q', method: 'sampling/createMessage', params: { maxTokens: 9, messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }] } }));
				return;
			}
			status(202);
			const { content } = (message as { result?: { content: object } }).result ?? {};
			held?.response.end(event({ id: held.id, result: { content: [content] } }));
		});
		let held: { id: unknown; response: { write(text: string): unknown; end(text: string): unknown } } | undefined;
		const agents = scriptedModel([{ calls: [{ name: 'greet', args: {} }] }, { text: 'done' }]);
		const servers = scriptedModel([{ text: 'Bonjour de la part du modèle' }]);
		const run = await runWorkflow({
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(agents), 'p.other': modelNode(servers), 'p.mcp': new McpToolkit() },
			nodes: [start(), node('Agent', 'p.agent', { instructions: 'Be good.', query: 'go' }), node('Model', 'p.model'), node('Other', 'p.other'),
				node('MCP', 'p.mcp', { transport: 'http', url: server.url, options: { sampling: true } })],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Other', 'ai_languageModel', 'MCP'], ['MCP', 'ai_tool', 'Agent']),
		});
		expect(run.error).toBeUndefined();
		expect(JSON.stringify(agents.requests[1]?.messages)).toContain('Bonjour de la part du modèle');
	});
});

/** Calls the tool as n8n's own agent does: the arguments of the model spread over the item. */
class SpreadingAgent {
	description = { displayName: 'A', name: 'a', group: [], version: 1, description: '', defaults: {}, inputs: ['main', 'ai_tool'], outputs: ['main'], properties: [] };

	async execute(this: IExecuteFunctions, response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		if (response?.actionResponses.length) return [response.actionResponses.map(({ data }) => data?.data?.ai_tool?.[0]?.[0] ?? { json: { error: data?.error?.message } })];
		return { metadata: {}, actions: this.getInputData().map(({ json }, itemIndex) => ({
			actionType: 'ExecutionNodeAction' as const, nodeName: 'MCP', type: 'ai_tool' as const, id: `call-${itemIndex}`,
			input: { ...(json.asked as IDataObject), tool: 'get_part' }, metadata: { itemIndex },
		})) };
	}
}

describe('MCP Toolkit under an agent that spreads arguments over the item', () => {
	const tokens: (string | undefined)[] = [];

	async function ask(item: IDataObject, parameters: IDataObject): Promise<WorkflowRun> {
		tokens.length = 0;
		server = await startFakeServer(({ message, request, reply }) => {
			if (message.method === 'tools/list') return reply({ tools: [{ name: 'get_part', inputSchema: { type: 'object', properties: { ref: {}, tenant: {} } } }] });
			tokens.push(request.headers.authorization);
			reply({ content: [{ type: 'text', text: 'part' }] });
		});
		return await runWorkflow({
			nodeTypes: { 'p.spreading': new SpreadingAgent() as never, 'p.mcp': new McpToolkit() },
			nodes: [start(), node('Agent', 'p.spreading'), node('MCP', 'p.mcp', { transport: 'http', url: server.url, ...parameters })],
			connections: connect(['Start', 'main', 'Agent'], ['MCP', 'ai_tool', 'Agent']),
			input: [{ json: item }],
		});
	}

	it('uses the token of the agent\'s own item', async () => {
		await ask({ tenant: 'ann', asked: { ref: 'A' } }, { authentication: 'token', token: '={{ $json.tenant }}' });
		expect(tokens).toEqual(['Bearer ann']);
	});

	it('refuses a call whose arguments would choose the token, and sends nothing', async () => {
		const run = await ask({ tenant: 'ann', asked: { tenant: 'boss' } }, { authentication: 'token', token: '={{ $json.tenant }}' });
		expect(JSON.stringify(run.runData.MCP)).toContain('tenant');
		expect(JSON.stringify(run.items('Agent'))).toContain('may come from the model');
		expect(tokens).toEqual([]);
	});

	it('does not mind arguments that no expression reads', async () => {
		await ask({ ref: 'mine', asked: { ref: 'A', tenant: 'x' } }, {});
		expect(tokens).toEqual([undefined]);
	});
});
