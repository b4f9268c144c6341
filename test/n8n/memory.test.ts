/** Conversation Memory in a real n8n: under n8n's AI Agent and under ours, and its data of one person as a step of a flow. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const tools: NodeLine = ['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }];
const memory: NodeLine = ['Memory', 'conversationMemory', 1, {
	mode: 'memory', memory: 'e2e', session: '={{ $json.body.session }}', options: { userField: 'body.user' },
}];
const links: Link[] = [['Webhook', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent'], ['Memory', 'ai_memory', 'Agent']];
const agents: Record<string, NodeLine> = {
	ours: ['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}' }],
	theirs: ['Agent', `${LANGCHAIN}agent`, 3.1, { promptType: 'define', text: '={{ $json.body.query }}', options: { enableStreaming: false } }],
};

let call: RestCall;
let server: FakeModelServer;

beforeAll(async () => {
	call = await connectToN8n();
	server = await startFakeModelServer('openai-compatible');
	for (const [whose, agent] of Object.entries(agents)) {
		await publish(call, webhookWorkflow(`memoryUnder${whose}`.padEnd(16, '0'), `memory-${whose}`, [agent, ourModelAt(server.url), tools, memory], links));
	}
	const step = (name: string, operation: string): NodeLine => [name, 'conversationMemory', 1, { mode: 'main', operation, person: "={{ $('Webhook').item.json.body.person }}" }];
	const steps = [step('Export', 'export'), step('Delete', 'delete'), step('Export Again', 'export')];
	await publish(call, webhookWorkflow('memoryOfAPerson1', 'memory-person', steps, [['Webhook', 'main', 'Export'], ['Export', 'main', 'Delete'], ['Delete', 'main', 'Export Again']]));
});
afterAll(async () => {
	await server.close();
});

async function ask(whose: string, query: string, user: string): Promise<Execution> {
	const { execution } = await runByWebhook(call, `memoryUnder${whose}`.padEnd(16, '0'), `memory-${whose}`, { query, session: 's', user });
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
}

interface SentMessage {
	readonly role: string;
	readonly content: unknown;
	readonly tool_calls?: ReadonlyArray<{ readonly function: { readonly name: string; readonly arguments: string } }>;
}

const lastSent = (): SentMessage[] => (server.requests.at(-1)!.body.messages as SentMessage[]).filter(({ role }) => role !== 'system');

it.each(['ours', 'theirs'])('is followed over executions, with tool use, and for one user only (%s)', async (whose) => {
	server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) }, { chunks: answerChunks('It is 437.') });
	const first = await ask(whose, 'What is 19 * 23?', `anne-${whose}`);
	expect(first.runData.Memory!.length).toBeGreaterThanOrEqual(2);

	server.answer('chat', { chunks: answerChunks('437 again.') });
	expect(itemsOf(await ask(whose, 'What was it?', `anne-${whose}`), 'Agent')[0]).toMatchObject({ output: '437 again.' });
	expect(lastSent().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
	expect(JSON.stringify(lastSent()[1]!.tool_calls)).toContain('19 * 23');
	expect(JSON.stringify(lastSent()[2]!.content)).toContain('437');

	server.answer('chat', { chunks: answerChunks('I do not know.') });
	await ask(whose, 'What was it?', 'bob');
	expect(lastSent().map(({ role }) => role)[0]).toBe('user');
	expect(JSON.stringify(lastSent())).not.toContain('437');
});

it('exports and deletes the data of one person', async () => {
	server.answer('chat', { chunks: answerChunks('Hello Carl.') });
	await ask('ours', 'I am Carl.', 'carl');
	const { execution } = await runByWebhook(call, 'memoryOfAPerson1', 'memory-person', { person: 'carl' });
	expect(JSON.stringify(itemsOf(execution, 'Export')[0]?.conversations)).toMatch(/I am Carl\..*Hello Carl\./);
	expect(itemsOf(execution, 'Delete')[0]?.deleted).toEqual({ conversations: 1, turns: 1 });
	expect(itemsOf(execution, 'Export Again')[0]?.conversations).toEqual([]);
});
