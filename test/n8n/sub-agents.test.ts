/** Agents as tools of agents, ours and n8n's, and n8n's human review, in a real n8n. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, runByWebhook, type RestCall } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

let call: RestCall;
let server: FakeModelServer;

beforeAll(async () => {
	call = await connectToN8n();
});
beforeEach(async () => {
	server = await startFakeModelServer('openai-compatible');
});
afterEach(async () => {
	await server.close();
});

const ourAgent: NodeLine = ['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}' }];
const theirAgent: NodeLine = ['Agent', `${LANGCHAIN}agent`, 3.1, { promptType: 'define', text: '={{ $json.body.query }}', options: { enableStreaming: false } }];
const specialist: NodeLine = ['Calculator', 'reActAgentTool', 1, { intent: 'Works out figures', options: {} }];
const tools: NodeLine = ['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }];

const links: Link[] = [
	['Webhook', 'main', 'Agent'],
	['Model', 'ai_languageModel', 'Agent'],
	['Model', 'ai_languageModel', 'Calculator'],
	['Calculator', 'ai_tool', 'Agent'],
	['Tools', 'ai_tool', 'Calculator'],
];

async function run(id: string, lines: readonly NodeLine[], wires: readonly Link[]) {
	await publish(call, webhookWorkflow(id, id.toLowerCase(), lines, wires));
	return (await runByWebhook(call, id, id.toLowerCase(), { query: 'What is 19 * 23?' })).execution;
}

/** The model of both agents: the outer one delegates, the inner one calculates. */
function scriptDelegation(): void {
	server.answer(
		'chat',
		{ chunks: callChunks('Calculator', { task: 'Calculate 19 * 23' }) },
		{ chunks: callChunks('calculate', { expression: '19 * 23' }) },
		{ chunks: answerChunks('The product is 437.') },
		{ chunks: answerChunks('It is 437.') },
	);
}

describe.each([
	['our agent', 'ourSubAgent00001', ourAgent],
	["n8n's AI Agent", 'theirSubAgent001', theirAgent],
])('our ReAct Agent Tool under %s', (_name, id, agent) => {
	it('does its task with its own tools, each a visible run', async () => {
		scriptDelegation();
		const execution = await run(id, [agent, ourModelAt(server.url), specialist, tools], links);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'It is 437.' });
		const counts = Object.fromEntries(Object.entries(execution.runData).map(([name, runs]) => [name, runs.length]));
		expect(counts).toMatchObject({ Agent: 1, Calculator: 1, Tools: 1, Model: 4 });
		expect(itemsOf(execution, 'Calculator', 'ai_tool')[0]).toMatchObject({ response: 'The product is 437.', run: { stoppedBy: 'answer' } });
		expect(Object.values(execution.runData).flat().filter(({ error }) => error)).toEqual([]);
		const sent = server.requests.map(({ body }) => (body.messages as Array<{ role: string; content: unknown }>).map(({ role }) => role));
		expect(sent.map((roles) => roles.at(-1))).toEqual(['user', 'user', 'tool', 'tool']);
		const last = (server.requests[3]!.body.messages as Array<{ content: unknown }>).at(-1);
		expect(JSON.stringify(last)).toContain('The product is 437.');
	});
});

describe("n8n's human review before a tool of our agent", () => {
	it('is refused with a sentence that says what to connect instead', async () => {
		const review: NodeLine = ['Review', `${LANGCHAIN}chatHitlTool`, 1.1, { message: 'May it?', options: {} }];
		const execution = await run('humanReview00001', [ourAgent, ourModelAt(server.url), review, tools], [
			['Webhook', 'main', 'Agent'],
			['Model', 'ai_languageModel', 'Agent'],
			['Review', 'ai_tool', 'Agent'],
			['Tools', 'ai_tool', 'Review'],
		]);
		expect([execution.status, execution.error?.message]).toEqual(['error', '"Review" puts a human review before "Tools": this agent cannot run it']);
		expect(execution.error).toMatchObject({
			description: expect.stringContaining('Connect "Tools" directly, and an Ask User node for what a person must decide.'),
		});
	});
});
