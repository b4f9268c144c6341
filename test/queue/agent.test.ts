/** A run that pauses goes on on the other worker: with its state, its long results, and its question's token. */
import { startFakeServer, type FakeServer } from '../mcp/fake-server';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { executionWith, questionOf, sendForm, startByWebhook } from '../support/person';
import { busyWorkers, postgresStorage, queueServers, whereNode, type BusyWorkers } from '../support/queue';
import { connectToN8n, itemsOf, publish, realN8n, runByWebhook, type RestCall, type TestWorkflow } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const LONG = Array.from({ length: 900 }, (_, n) => `line ${n}: pump P${n} is in order`).join('\n');
const [one, two] = queueServers().workers;

let call: RestCall;
let busy: BusyWorkers;
let model: FakeModelServer;
let mcp: FakeServer;
beforeAll(async () => {
	call = await connectToN8n();
	busy = await busyWorkers(call);
	mcp = await startFakeServer(({ message, reply }) =>
		reply(message.method === 'tools/list' ? { tools: [{ name: 'read_log', inputSchema: { type: 'object' } }] } : { content: [{ type: 'text', text: LONG }] }));
});
beforeEach(async () => {
	model = await startFakeModelServer('openai-compatible');
});
afterEach(async () => await model.close());
afterAll(async () => {
	await busy.close();
	await mcp.stop();
});

const links: Link[] = [
	['Webhook', 'main', 'Before'], ['Before', 'main', 'Agent'], ['Agent', 'main', 'After'],
	['Model', 'ai_languageModel', 'Agent'], ['Log', 'ai_tool', 'Agent'], ['Ask User', 'ai_tool', 'Agent'],
];

function workflow(id: string, agent: NodeLine[3], credentials?: NodeLine[4], way = 'end') {
	return webhookWorkflow(id, id.toLowerCase(), [
		whereNode('Before'),
		credentials ? ['Agent', 'reActAgent', 1, agent, credentials] : ['Agent', 'reActAgent', 1, agent],
		whereNode('After'),
		ourModelAt(model.url),
		['Log', 'mcpToolkit', 1, { transport: 'http', url: mcp.url, authentication: 'none', options: {} }],
		['Ask User', 'askUser', 1, { way }],
	], links);
}

function answering(given: TestWorkflow, responseMode: string): TestWorkflow {
	const nodes = given.nodes.map((node) => (node.name === 'Webhook' ? { ...node, typeVersion: 2.1, parameters: { ...node.parameters, responseMode } } : node));
	return { ...given, nodes };
}

const lastSent = (): { content: string } => (model.requests.at(-1)!.body.messages as Array<{ content: string }>).at(-1)!;

it('that waits for a person goes on on the other worker and reads a long result that was made on the first', async () => {
	const id = 'queuePersonWaits';
	model.answer('chat', { chunks: callChunks('read_log', {}) }, { chunks: callChunks('ask_user', { question: 'Go on?' }) });
	const waits = workflow(id, { query: 'Read the log.', options: { maxObservationCharacters: 2_000 } }, undefined, 'wait');
	await publish(call, answering(waits, 'onReceived'));
	const asked = await busy.runOn(one, async () => {
		await startByWebhook(id.toLowerCase(), {});
		return await executionWith(call, id, 'waiting', 'error', 'success');
	});
	expect([asked.status, asked.error?.message]).toEqual(['waiting', undefined]);

	model.answer('chat', { chunks: callChunks('read_result', { handle: 'call_read_log', offset: LONG.length - 500 }) }, { chunks: answerChunks('All in order.') });
	const done = await busy.runOn(two, async () => {
		await sendForm(questionOf(asked, 'Ask User').answerUrl, { answer: 'yes' });
		return await executionWith(call, id, 'error', 'success');
	});
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	expect([itemsOf(done, 'Before')[0]?.worker, itemsOf(done, 'After')[0]?.worker]).toEqual([one, two]);
	expect(itemsOf(done, 'After')[0]).toMatchObject({ output: 'All in order.', run: { stoppedBy: 'answer' } });
	expect(lastSent().content).toContain(LONG.slice(-400));
});

it('that ended with a question goes on in an execution on the other worker, once', async () => {
	const { onNode, credential } = postgresStorage();
	const asks = workflow('queueEndsAsking1', { query: 'Order a seal.', options: {} }, onNode);
	await publish(call, asks, { credentials: [credential] });
	model.answer('chat', { chunks: callChunks('ask_user', { question: 'Which pump?' }) });
	const { execution: asked } = await busy.runOn(one, async () => await runByWebhook(call, asks.id, asks.id.toLowerCase()));
	expect([asked.status, asked.error?.message]).toEqual(['success', undefined]);
	const [item] = itemsOf(asked, 'After') as Array<{ worker: string; question: { token: string } }>;
	expect(item).toMatchObject({ worker: one, question: { kind: 'question', question: 'Which pump?' } });

	const resumes = workflow('queueGoesOnThere', { operation: 'resume', token: '={{ $json.body.token }}', answer: 'P2', options: {} }, onNode);
	await publish(call, resumes, { credentials: [credential] });
	model.answer('chat', { chunks: answerChunks('Ordered for P2.') });
	const resume = async () => (await runByWebhook(call, resumes.id, resumes.id.toLowerCase(), { token: item!.question.token })).execution;
	const done = await busy.runOn(two, resume);
	expect([done.status, done.error?.message]).toEqual(['success', undefined]);
	expect(itemsOf(done, 'After')[0]).toMatchObject({ worker: two, output: 'Ordered for P2.' });
	expect(lastSent().content).toBe('P2');
	expect((await busy.runOn(one, resume)).error?.message).toBe('This question was already answered');
});

it('that streams is on a worker, and its pieces reach who called the main', async () => {
	const streams = workflow('queueStreams0001', { query: 'Say it.', options: {} }, undefined, 'wait');
	await publish(call, answering(streams, 'streaming'));
	model.answer('chat', { chunks: callChunks('read_log', {}) }, { chunks: answerChunks('All in order.') });
	let text = '';
	for (let tries = 0; tries < 40; tries++) {
		const response = await fetch(`${realN8n().url}/webhook/queuestreams0001`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
		text = await response.text();
		if (response.status !== 404) break;
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	const chunks = text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as { type: string; content?: string; metadata: { nodeName: string } });
	const ofAgent = chunks.filter(({ metadata }) => metadata.nodeName === 'Agent');
	expect(ofAgent.map(({ type, content }) => [type, content])).toEqual([['begin', undefined], ['item', 'All in order.'], ['end', undefined]]);
});

it('is refused, before any work, when its question would wait in a folder of one worker', async () => {
	const asks = workflow('queueFolderAsks1', { query: 'Order a seal.', options: {} });
	await publish(call, asks);
	const { execution } = await runByWebhook(call, asks.id, asks.id.toLowerCase());
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toBe('n8n runs in queue mode: a run that waits for an answer in a folder of one machine may be missing on another');
	expect(execution.error).toMatchObject({ description: expect.stringContaining('turn on Workers Share This Folder in the credential') });
	expect(model.requests).toEqual([]);
});
