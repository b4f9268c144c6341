/** The tools of 20 real MCP servers on one canvas: an agent behind the Tool Router reads 8 of 518 and still answers. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { manyToolsWorkflow } from '../support/many-tools-workflow';
import { startRealLists, realToolLists, type RunningServers } from '../support/mcp-servers';
import { connectToN8n, itemsOf, publish, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { answerChunks, callChunks, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(240_000);

const AGENTS: Record<string, { readonly id: string; readonly line: NodeLine }> = {
	'our agent': { id: 'manyToolsOurAgt1', line: ['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}' }] },
	"n8n's AI Agent": {
		id: 'manyToolsTheirA1',
		line: ['Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, { promptType: 'define', text: '={{ $json.body.query }}', options: { enableStreaming: false } }],
	},
};

interface Question {
	readonly query: string;
	/** Server, tool and arguments of each call that the model makes. */
	readonly calls: ReadonlyArray<{ readonly server: string; readonly name: string; readonly input: object }>;
	readonly answer: string;
}

const QUESTIONS: readonly Question[] = [
	{
		query: 'How many M8 bolts do we still have in the warehouse?',
		calls: [{ server: '@casys/mcp-erpnext', name: 'erpnext_stock_balance', input: { item_code: 'M8 bolt' } }],
		answer: '340 M8 bolts are left.',
	},
	{
		query: 'Check the weather in Lyon tomorrow and find the way there from Paris',
		calls: [
			{ server: '@dangahagan/weather-mcp', name: 'get_forecast', input: { city_name: 'Lyon, France' } },
			{ server: '@modelcontextprotocol/server-google-maps', name: 'maps_directions', input: { origin: 'Paris', destination: 'Lyon' } },
		],
		answer: 'Rain, 8 °C; 466 km by the A6.',
	},
	{
		query: 'Quelles factures clients sont impayées ?',
		calls: [{ server: '@casys/mcp-erpnext', name: 'erpnext_sales_invoice_list', input: { status: 'Unpaid' } }],
		answer: 'Une facture est impayée : FA-12, 1 234,56 €.',
	},
];

const RESULTS = {
	erpnext_stock_balance: 'M8 bolt: 340 pieces in Stores',
	get_forecast: 'Lyon: rain, 8 °C',
	maps_directions: '466 km by the A6',
	erpnext_sales_invoice_list: 'FA-12, Unpaid, 1 234,56 EUR',
} as Record<string, string>;

let call: RestCall;
let model: FakeModelServer;
let mcp: RunningServers;

beforeAll(async () => {
	call = await connectToN8n();
	[model, mcp] = [await startFakeModelServer('openai-compatible'), await startRealLists(RESULTS)];
	for (const { id, line } of Object.values(AGENTS)) {
		await publish(call, manyToolsWorkflow({ id, agent: line, modelUrl: model.url, servers: mcp.servers }));
	}
});
afterAll(async () => {
	await mcp?.stop();
	await model?.close();
});

/** The tools that the model was sent in one of its requests. */
function sentTools(request: number): Array<{ readonly function: { readonly name: string } }> {
	return model.requests[request]?.body.tools as Array<{ function: { name: string } }>;
}

/** What the router showed of its choice. */
function routeOf(execution: Execution): { summary: string; tokensAll: number; tokensShown: number } {
	const shown = execution.runData.Router?.flatMap(({ data }) => data?.ai_tool?.[0] ?? []).find(({ json }) => 'summary' in json);
	return shown?.json as never;
}

describe.each(Object.keys(AGENTS))('518 tools behind the Tool Router under %s', (agent) => {
	const { id } = AGENTS[agent]!;

	it.each(QUESTIONS)('$query', async ({ query, calls, answer }) => {
		const [asked, called] = [model.requests.length, mcp.calls.length];
		model.answer('chat', ...calls.map(({ name, input }) => ({ chunks: callChunks(name, input) })), { chunks: answerChunks(answer) });
		const { execution } = await runByWebhook(call, id, id.toLowerCase(), { query });
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: answer });

		const tools = sentTools(asked);
		expect(tools).toHaveLength(8);
		expect(tools.map((tool) => tool.function.name)).toEqual(expect.arrayContaining(calls.map(({ name }) => name)));
		expect(mcp.calls.slice(called)).toEqual(calls);
		for (const { server, name } of calls) {
			expect(execution.runData[server]).toHaveLength(1);
			expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(RESULTS[name]);
		}

		const route = routeOf(execution);
		expect(route.summary).toMatch(/^8 of 518 tools, about 1[0-9]0,000 tokens saved$/);
		expect(route.tokensShown).toBeLessThan(route.tokensAll / 20);
		// The saving is what the request really lacks: four characters are about one token.
		const spared = JSON.stringify(realToolLists().map((list) => list.tools)).length - JSON.stringify(tools).length;
		const ratio = (route.tokensAll - route.tokensShown) / (spared / 4);
		expect(ratio).toBeGreaterThan(0.8);
		expect(ratio).toBeLessThan(1.25);
	});
});
