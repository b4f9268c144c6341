import { inspect } from 'node:util';
import { NodeConnectionTypes, NodeHelpers, Workflow, type IDataObject, type ILoadOptionsFunctions, type INode, type INodeExecutionData, type INodeListSearchResult, type INodeType } from 'n8n-workflow';
import { openSessions } from '../../lib/mcp/session-cache';
import { McpToolkit } from '../../nodes/McpToolkit/McpToolkit.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { startFakeServer, type Exchange, type FakeServer } from '../mcp/fake-server';
import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';

let server: FakeServer;
let calls: Exchange[];

const TOOLS = [
	{ name: 'get_part', description: 'Gets a part. By reference.', inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] } },
	{ name: 'broken', inputSchema: { type: 'objet' } },
	{ name: 'create_order', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
];
const LONG = 'joint usé '.repeat(2000);
const IMAGE = { type: 'image', data: Buffer.from('png').toString('base64'), mimeType: 'image/png' };

const RESULTS: { [method: string]: (exchange: Exchange) => object } = {
	'tools/list': () => ({ tools: TOOLS }),
	'resources/list': () => ({ resources: [{ uri: 'file:///m.md', name: 'Manual', mimeType: 'text/markdown' }] }),
	'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'order://{id}', name: 'Order' }] }),
	'resources/read': ({ message }) => ({ contents: [{ uri: message.params?.uri, text: `content of ${String(message.params?.uri)}` }] }),
	'prompts/list': () => ({ prompts: [{ name: 'weekly', description: 'Weekly report', arguments: [{ name: 'site', required: true }] }] }),
	'prompts/get': ({ message }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Report on ${JSON.stringify(message.params?.arguments)}` } }] }),
	'tools/call': (exchange) => {
		calls.push(exchange);
		const args = exchange.message.params?.arguments as { ref?: string } | undefined;
		if (args?.ref === 'long') return { content: [{ type: 'text', text: LONG }] };
		if (args?.ref === 'none') return { isError: true, content: [{ type: 'text', text: 'no such part' }] };
		return { content: [{ type: 'text', text: `{"ref":"${args?.ref}","stock":4}` }, ...(args?.ref === 'pic' ? [IMAGE] : [])] };
	},
};

beforeEach(async () => {
	calls = [];
	server = await startFakeServer((exchange) => exchange.reply(RESULTS[exchange.message.method ?? '']?.(exchange) ?? {}), { capabilities: { resources: {}, prompts: {} } });
});

afterEach(async () => {
	await server.stop();
	expect(openSessions()).toBe(0);
});

async function inFlow(parameters: IDataObject, items: IDataObject[] = [{}], more: IDataObject = {}): Promise<WorkflowRun> {
	return await runWorkflow({
		nodeTypes: { 'p.mcp': new McpToolkit() },
		nodes: [start(), node('MCP', 'p.mcp', { mode: 'main', transport: 'http', url: server.url, ...parameters }, more)],
		connections: connect(['Start', 'main', 'MCP']),
		input: items.map((json) => ({ json })),
	});
}

const jsons = (items: readonly INodeExecutionData[]): IDataObject[] => items.map(({ json }) => json);
const initializes = (): number => server.seen.filter((line) => line === 'POST initialize').length;

describe('MCP Toolkit in the flow', () => {
	it('calls a tool for each item over one session, adds the result, keeps the rest', async () => {
		const run = await inFlow({ operation: 'callTool', toolName: 'get_part', toolArguments: '={{ { ref: $json.ref } }}' }, [{ ref: 'A', k: 1 }, { ref: 'B', k: 2 }]);
		expect(run.error).toBeUndefined();
		expect(jsons(run.items('MCP'))).toEqual([
			{ ref: 'A', k: 1, result: { text: '{"ref":"A","stock":4}', data: { ref: 'A', stock: 4 } } },
			{ ref: 'B', k: 2, result: { text: '{"ref":"B","stock":4}', data: { ref: 'B', stock: 4 } } },
		]);
		expect(run.items('MCP').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect([initializes(), server.seen.filter((line) => line === 'DELETE').length]).toEqual([1, 1]);
	});

	it('puts a picture into the binary data', async () => {
		const run = await inFlow({ operation: 'callTool', toolName: 'get_part', toolArguments: '{"ref":"pic"}' });
		expect(run.items('MCP')[0]?.binary?.data).toMatchObject({ mimeType: 'image/png', fileName: 'image_1.png' });
	});

	it('gives a long text as it is, without words for a model', async () => {
		const run = await inFlow({ operation: 'callTool', toolName: 'get_part', toolArguments: '{"ref":"long"}' });
		expect(jsons(run.items('MCP'))).toEqual([{ result: { text: LONG } }]);
	});

	it('sends a failing item on when the node is set to continue', async () => {
		const run = await inFlow({ operation: 'callTool', toolName: 'get_part', toolArguments: '={{ { ref: $json.ref } }}' },
			[{ ref: 'none' }, { ref: 'B' }], { onError: 'continueRegularOutput' });
		expect(jsons(run.items('MCP'))[0]).toMatchObject({ error: 'no such part' });
		expect(jsons(run.items('MCP'))[1]).toMatchObject({ result: { data: { stock: 4 } } });
	});

	it.each([
		['missing arguments', { toolName: 'get_part', toolArguments: '{}' }, 'ref'],
		['arguments that are not JSON', { toolName: 'get_part', toolArguments: 'ref: A' }, 'The arguments are not a JSON object'],
		['a tool that is not there', { toolName: 'drop' }, 'it has: get_part, broken, create_order'],
		['a tool that cannot be used', { toolName: 'broken' }, 'its inputSchema has the type \\"objet\\"'],
		['a tool that is excluded', { toolName: 'create_order', options: { exclude: 'create_*' } }, 'it has: get_part, broken.'],
	])('names %s before anything is called', async (_title, parameters, words) => {
		const run = await inFlow({ operation: 'callTool', ...parameters });
		expect(JSON.stringify(run.error)).toContain(words);
		expect(calls).toEqual([]);
	});

	it('S15 lists all tools, those that cannot be used with the reason', async () => {
		const perTool = { tools: [{ name: 'create_*', intent: 'Order spare parts' }] };
		const run = await inFlow({ operation: 'listTools', options: { perTool } });
		expect(jsons(run.items('MCP')).map(({ name, intent, usable, reason }) => [name, intent, usable, reason])).toEqual([
			['get_part', 'Gets a part.', true, undefined],
			['broken', undefined, false, 'its inputSchema has the type "objet", not "object"'],
			['create_order', 'Order spare parts', true, undefined],
		]);
	});

	it.each([
		['command', { command: '={{ $json.tool }}' }, '{{ $json.tool }}'],
		['args', { command: process.execPath, args: '={{ $json.tool }}' }, '{{ $json.tool }}'],
		['cwd', { command: process.execPath, args: '-e process.exit(3)', options: { cwd: '={{ $json.tool }}' } }, 'ENOENT'],
	])('lets nothing of an item into %s of a command, whatever a workflow holds', async (_name, parameters, words) => {
		const run = await inFlow({ operation: 'listTools', transport: 'stdio', ...parameters }, [{ tool: '/' }]);
		expect(run.error).toBeDefined();
		expect(inspect(run.error, { depth: 6 })).toContain(words);
	});

	it('gives a command its variables from fields, text and credential', async () => {
		const script = '{const e=process.env;console.error([e.A,e.B,e.C].join());process.exit(3)}';
		const run = await inFlow({ operation: 'listTools', transport: 'stdio', command: process.execPath, args: `-e "${script}"`, env: 'A=text B=text',
			envFields: { variables: [{ name: 'B', value: 'a field = 1' }, { name: 'C', value: 'x' }] } });
		expect(inspect(run.error, { depth: 6 })).toContain('text,a field = 1,x');
	});

	it('lists and reads resources, also by a template, and gets prompts', async () => {
		expect(jsons((await inFlow({ operation: 'listResources' })).items('MCP'))).toMatchObject([{ uri: 'file:///m.md' }, { uriTemplate: 'order://{id}' }]);
		expect(jsons((await inFlow({ operation: 'listPrompts' })).items('MCP'))).toMatchObject([{ name: 'weekly' }]);
		const read = await inFlow({ operation: 'readResource', uri: 'order://{id}', uriValues: '={{ { id: $json.order } }}' }, [{ order: 'e 0' }]);
		expect(jsons(read.items('MCP'))).toEqual([{ order: 'e 0', resource: { text: 'content of order://e%200', data: { uri: 'order://e%200' } } }]);
		const prompt = await inFlow({ operation: 'getPrompt', promptName: 'weekly', promptArguments: '{"site":"LYO","week":3}' });
		expect(jsons(prompt.items('MCP'))[0]).toMatchObject({ prompt: { text: 'Report on {"site":"LYO","week":"3"}' } });
	});

	it('sends the token of each item, each over a session of its own', async () => {
		const run = await inFlow({ operation: 'callTool', toolName: 'get_part', toolArguments: '{"ref":"A"}', authentication: 'token', token: '={{ $json.token }}' },
			[{ token: 'tenant-a' }, { token: 'tenant-b' }, { token: 'tenant-a' }]);
		expect(run.error).toBeUndefined();
		expect(calls.map(({ request }) => request.headers.authorization)).toEqual(['Bearer tenant-a', 'Bearer tenant-b', 'Bearer tenant-a']);
		expect(initializes()).toBe(2);
	});
});

describe('the drop-downs of MCP Toolkit', () => {
	const search = async (method: keyof McpToolkit['methods']['listSearch'], filter?: string, url = server.url): Promise<INodeListSearchResult> => {
		const values: IDataObject = { transport: 'http', url, authentication: 'none' };
		const ctx = { getNode: () => node('MCP', 'p.mcp'), getCurrentNodeParameter: (name: string) => values[name], helpers: {}, logger: { debug: () => undefined } };
		return await new McpToolkit().methods.listSearch[method].call(ctx as unknown as ILoadOptionsFunctions, filter);
	};

	it('show what the server has and leave no session behind', async () => {
		expect((await search('searchTools', 'ORDER')).results).toEqual([{ name: 'create_order', value: 'create_order' }]);
		expect((await search('searchResources')).results).toEqual([
			{ name: 'Manual (file:///m.md)', value: 'file:///m.md' }, { name: 'Order (order://{id})', value: 'order://{id}' },
		]);
		expect((await search('searchPrompts')).results).toEqual([{ name: 'weekly', value: 'weekly', description: 'Weekly report' }]);
		expect([initializes(), server.seen.filter((line) => line === 'DELETE').length]).toEqual([3, 3]);
	});

	it('say why they are empty when the server cannot be reached', async () => {
		await expect(search('searchTools', '', 'http://127.0.0.1:1/mcp')).rejects.toThrow('cannot be reached');
	});

	it('give a chosen or typed tool to the step', async () => {
		for (const mode of ['list', 'id']) {
			const run = await inFlow({ operation: 'callTool', toolName: { __rl: true, mode, value: 'get_part' }, toolArguments: '{"ref":"A"}' });
			expect(jsons(run.items('MCP'))[0]).toMatchObject({ result: { data: { ref: 'A' } } });
		}
	});
});

describe('MCP Toolkit under an agent', () => {
	it('offers resources and prompts by choice', async () => {
		const model = scriptedModel([
			{ calls: [{ name: 'list_resources', args: {} }, { name: 'read_resource', args: { uri: 'order://{id}', values: { id: '7' } } }, { name: 'get_prompt', args: { name: 'weekly', arguments: { site: 'LYO' } } }] },
			{ text: 'done' },
		]);
		const run = await runWorkflow({
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.mcp': new McpToolkit() },
			nodes: [start(), node('Agent', 'p.agent', { instructions: 'Be good.', query: 'go' }), node('Model', 'p.model'),
				node('MCP', 'p.mcp', { transport: 'http', url: server.url, options: { offer: ['resources', 'prompts'], include: 'get_*' } })],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['MCP', 'ai_tool', 'Agent']),
		});
		expect(run.error).toBeUndefined();
		expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['get_part', 'list_resources', 'read_resource', 'list_prompts', 'get_prompt']);
		const read = JSON.stringify(model.requests[1]?.messages);
		for (const words of ['order://{id} (template)', 'content of order://7', 'Report on']) expect(read).toContain(words);
	});

	it('N15 and M24: as tools it is a sub-node with a tool output and no main one, without any environment flag', async () => {
		const { description, supplyData, execute } = new McpToolkit();
		const ports = async (mode: string): Promise<unknown[]> => {
			const nodes = [node('MCP', 'p.mcp', { mode })];
			const getByNameAndVersion = (): INodeType => new McpToolkit();
			const nodeTypes = { getByName: getByNameAndVersion, getByNameAndVersion, getKnownTypes: () => ({}) };
			const workflow = new Workflow({ id: 'w', nodes, connections: {}, active: false, nodeTypes });
			await workflow.expression.acquireIsolate();
			const [only] = nodes as [INode];
			return [NodeHelpers.getNodeInputs(workflow, only, description), NodeHelpers.getNodeOutputs(workflow, only, description)];
		};
		expect(await ports('tool')).toEqual([[], [{ type: NodeConnectionTypes.AiTool, displayName: 'Tools' }]]);
		expect(await ports('main')).toEqual([[{ type: NodeConnectionTypes.Main }], [{ type: NodeConnectionTypes.Main }]]);
		expect([typeof supplyData, typeof execute, description.usableAsTool]).toEqual(['function', 'function', undefined]);
	});

	it('N15 says what to change when it is connected as a tool but set to be a step in the flow', async () => {
		const run = await runWorkflow({
			nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(scriptedModel([{ text: 'done' }])), 'p.mcp': new McpToolkit() },
			nodes: [start(), node('Agent', 'p.agent', { instructions: 'Be good.', query: 'go' }), node('Model', 'p.model'), node('MCP', 'p.mcp', { mode: 'main', transport: 'http', url: server.url })],
			connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['MCP', 'ai_tool', 'Agent']),
		});
		expect(JSON.stringify(run.error)).toContain('is set to be a step in the flow, but is connected as a tool');
	});
});
