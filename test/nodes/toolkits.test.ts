import { connect, node, runWorkflow, start, type WorkflowRun } from '../support/run-workflow';
import { scriptedModel } from '../support/scripted-model';
import { modelNode } from '../support/test-nodes';
import path from 'node:path';
import type { IDataObject, INodeType } from 'n8n-workflow';
import { openSessions } from '../../lib/mcp/session-cache';
import { generalTools, type ToolGroup } from '../../lib/toolkits/general-tools';
import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { GeneralToolkit } from '../../nodes/GeneralToolkit/GeneralToolkit.node';
import { McpToolkit } from '../../nodes/McpToolkit/McpToolkit.node';
import { ReActAgent } from '../../nodes/ReActAgent/ReActAgent.node';
import { RecordsToolkit } from '../../nodes/RecordsToolkit/RecordsToolkit.node';

interface Call {
	readonly name: string;
	readonly args: Record<string, unknown>;
}

interface Answer {
	readonly run: WorkflowRun;
	/** What the model read of each call, in order. */
	readonly observations: string[];
	readonly offered: string[];
}

/** An agent with one toolkit: the model makes the calls in one turn and then ends. */
async function callThrough(toolkit: INodeType, parameters: IDataObject, calls: readonly Call[], more: {
	readonly items?: IDataObject[];
	readonly credential?: IDataObject;
} = {}): Promise<Answer> {
	const model = scriptedModel([{ calls: [...calls] }, { text: 'done' }]);
	const credentials = { reactEngineMcpApi: { id: 'c', name: 'Key' } };
	const run = await runWorkflow({
		nodeTypes: { 'p.agent': new ReActAgent(), 'p.model': modelNode(model), 'p.toolkit': toolkit },
		nodes: [start(), node('Agent', 'p.agent', { instructions: 'Be good.', query: 'go' }, { executeOnce: true }), node('Model', 'p.model'),
			node('Toolkit', 'p.toolkit', parameters, more.credential === undefined ? {} : { credentials })],
		connections: connect(['Start', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Toolkit', 'ai_tool', 'Agent']),
		input: (more.items ?? [{}]).map((json) => ({ json })),
		...(more.credential && { credentials: { Key: more.credential } }),
	});
	const messages = model.requests[1]?.messages ?? [];
	const observations = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.text] : [])));
	return { run, observations, offered: (model.requests[0]?.tools ?? []).map(({ name }) => name) };
}

describe('General Toolkit', () => {
	it('computes for an agent; a wrong call is an observation, not the end of the run', async () => {
		const { run, observations } = await callThrough(new GeneralToolkit(), { groups: ['arithmetic', 'dates'] }, [
			{ name: 'calculate', args: { expression: '0.1 + 0.2' } },
			{ name: 'calculate', args: { expression: '1.500 * 2' } },
			{ name: 'resolve_period', args: { period: 'dernier trimestre', relative_to: '2012-12-13' } },
		]);
		expect(run.error).toBeUndefined();
		expect(observations[0]).toContain('"result":0.3');
		expect(observations[1]).toContain('1500 or 1.5');
		expect(observations[2]).toContain('"from":"2012-07-01","to":"2012-09-30"');
		expect(run.runData.Toolkit).toHaveLength(3);
	});

	it('gives the chosen groups only', async () => {
		const { offered } = await callThrough(new GeneralToolkit(), { groups: ['arithmetic'] }, [{ name: 'calculate', args: { expression: '1' } }]);
		expect(offered).toEqual(['calculate']);
	});

	it('gives no more tools by default than a Tool Router lets through, and says how many each group has', async () => {
		const { default: groups, options = [] } = new GeneralToolkit().description.properties.find(({ name }) => name === 'groups') ?? {};
		const { offered } = await callThrough(new GeneralToolkit(), { groups: groups as string[] }, [{ name: 'calculate', args: { expression: '1' } }]);
		expect(offered).toEqual(expect.arrayContaining(['calculate', 'current_datetime', 'resolve_period', 'date_difference']));
		expect(offered.length).toBeLessThanOrEqual(12);
		const settings = { timezone: 'UTC', locale: 'auto' as const, clock: { now: () => 0 } };
		for (const { value, description } of options as { value: ToolGroup; description: string }[]) {
			expect(description).toMatch(new RegExp(`^${generalTools({ ...settings, groups: [value] }).length} tools?: `));
		}
	});
});

describe('Records Toolkit', () => {
	const items = [{ ref: 'N-92c', cost: 0.1 }, { ref: 'N-92d', cost: 0.2 }];

	it('answers over all rows of another node, the same rows when the tool runs', async () => {
		const parameters = { source: 'rows', rows: "={{ $('Start').all() }}", about: 'spare parts' };
		const { run, observations } = await callThrough(new RecordsToolkit(), parameters, [
			{ name: 'aggregate_records', args: { measure: 'sum', column: 'Cost' } },
			{ name: 'find_records', args: { filters: [{ column: 'ref', operator: 'equals', value: 'n-92C' }] } },
		], { items });
		expect(run.error).toBeUndefined();
		expect(observations[0]).toContain('"value":0.3,"rows":2');
		expect(observations[1]).toContain('"total":1,"returned":1,"complete":true,"records":[{"ref":"N-92c","cost":0.1}]');
	});

	it('reads CSV text, takes a prefix and names rows it could not read', async () => {
		const parameters = { source: 'csv', csv: 'id;cost\nA;1,50\nB\nC;2,25', about: 'orders', options: { prefix: 'orders' } };
		const { observations, offered } = await callThrough(new RecordsToolkit(), parameters, [
			{ name: 'orders_aggregate_records', args: { measure: 'sum', column: 'cost' } },
			{ name: 'orders_describe_records', args: {} },
		]);
		expect(offered).toHaveLength(5);
		expect(observations[0]).toMatch(/"value":3.75.*"unreadableRows":1/);
		expect(observations[1]).toContain('"line":3,"value":"B","why":"1 field where the header has 2"');
	});

	it('says what to enter when there are no rows', async () => {
		const { run } = await callThrough(new RecordsToolkit(), { source: 'rows', rows: 'text', about: 'x' }, []);
		expect(JSON.stringify(run.error)).toContain('The records are not a list but string.');
	});
});

describe('MCP Toolkit', () => {
	const options = { timeoutSeconds: 20 };
	let server: FakeServer | undefined;
	afterEach(async () => {
		await server?.stop();
		server = undefined;
		expect(openSessions()).toBe(0);
	});

	it('runs the tools of a server that it starts, and ends it with the run', async () => {
		const script = path.join(__dirname, '../../examples/cmms-server/server.mjs');
		const parameters = { transport: 'stdio', command: process.execPath, args: `"${script}" --stdio`, options };
		const { run, observations, offered } = await callThrough(new McpToolkit(), parameters, [
			{ name: 'get_work_order', args: { id: 'e0' } },
			{ name: 'get_work_order', args: { id: 'none' } },
		]);
		expect(run.error).toBeUndefined();
		expect(offered).toContain('create_work_order');
		expect(observations[0]).toContain('BUCKET WON\'T OPEN');
		expect(observations[1]).toContain('There is no work order "none"');
	});

	it('keeps one session for all turns of a run, sends the credential, and closes with DELETE', async () => {
		server = await startFakeServer(({ message, reply }) =>
			message.method === 'tools/list'
				? reply({ tools: [{ name: 'ping', inputSchema: { type: 'object' } }, { name: 'drop', inputSchema: { type: 'object' } }] })
				: reply({ content: [{ type: 'text', text: 'pong' }] }));
		const parameters = { transport: 'http', url: server.url, authentication: 'credential', options: { ...options, exclude: 'dr*' } };
		const credential = { url: server.url, token: 'secret', secretHeaders: 'X-Site: Lyon' };
		const { observations, offered } = await callThrough(new McpToolkit(), parameters, [
			{ name: 'ping', args: { n: 1 } }, { name: 'ping', args: { n: 2 } },
		], { credential });
		expect(offered).toEqual(['ping']);
		expect(observations.join(' ')).toContain('pong');
		const count = (line: string): number => server?.seen.filter((entry) => entry === line).length ?? 0;
		expect([count('POST initialize'), count('POST tools/list'), count('POST tools/call'), count('DELETE')]).toEqual([1, 1, 2, 1]);
		expect(server.headers.every(({ authorization, 'x-site': site }) => authorization === 'Bearer secret' && site === 'Lyon')).toBe(true);
	});

	it('sends a token to no other server than that of its credential', async () => {
		server = await startFakeServer(({ reply }) => reply({ tools: [] }));
		const parameters = { transport: 'http', url: server.url, authentication: 'credential', options };
		const { run } = await callThrough(new McpToolkit(), parameters, [], { credential: { url: 'https://erp.example/mcp', token: 'secret' } });
		expect(JSON.stringify(run.error)).toContain('The credential is for https://erp.example');
		expect(server.seen).toEqual([]);
	});

	it('starts no command that the administrator did not allow', async () => {
		process.env.REACTENGINE_MCP_COMMANDS = 'npx, uvx';
		const { run } = await callThrough(new McpToolkit(), { transport: 'stdio', command: '/bin/sh', args: '-c "exit 1"', options }, []);
		delete process.env.REACTENGINE_MCP_COMMANDS;
		expect(JSON.stringify(run.error)).toContain('The command \\"/bin/sh\\" is not allowed on this n8n. Allowed: npx, uvx.');
	});
});
