/** Our nodes under n8n's own, and n8n's own under ours; the model is a local server that speaks OpenAI's wire format. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, runByWebhook, type RestCall } from '../support/real-n8n';
import { answerBody, answerChunks, callBody, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

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

const ourModel = (): NodeLine => ourModelAt(server.url, 'Our Model');
const theirModel: NodeLine = ['Their Model', `${LANGCHAIN}lmChatOpenAi`, 1.2, { model: { __rl: true, mode: 'id', value: 'test-model' }, options: {} },
	{ openAiApi: { name: 'Fake OpenAI' } }];
const ourAgent: NodeLine = ['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}' }];
const theirAgent: NodeLine = ['Agent', `${LANGCHAIN}agent`, 3.1, { promptType: 'define', text: '={{ $json.body.query }}', options: { enableStreaming: false } }];

async function run(id: string, lines: readonly NodeLine[], links: readonly Link[], payload: object = { query: 'What is 19 * 23?' }) {
	const credentials = [{ name: 'Fake OpenAI', type: 'openAiApi', data: { apiKey: 'test-key', url: `${server.url}/v1` } }];
	const path = id.toLowerCase();
	await publish(call, webhookWorkflow(id, path, lines, links), { credentials });
	const { execution } = await runByWebhook(call, id, path, payload);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
}

/** The last message that the model was sent. */
const lastSent = (): unknown => (server.requests.at(-1)!.body.messages as unknown[]).at(-1);

describe("n8n's own nodes under our agent", () => {
	it("n8n's chat model", async () => {
		server.answer('chat', { chunks: answerChunks('It is 437.') });
		const execution = await run('theirModelOurAgt1', [ourAgent, theirModel], [
			['Webhook', 'main', 'Agent'],
			['Their Model', 'ai_languageModel', 'Agent'],
		]);
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'It is 437.', run: { stoppedBy: 'answer' } });
		expect(execution.runData['Their Model']).toHaveLength(1);
	});

	it("n8n's tool", async () => {
		server.answer('chat', { chunks: callChunks('Calculator', { input: '19 * 23' }) }, { chunks: answerChunks('It is 437.') });
		const execution = await run('theirToolOurAgt1', [ourAgent, ourModel(), ['Calculator', `${LANGCHAIN}toolCalculator`, 1, {}]], [
			['Webhook', 'main', 'Agent'],
			['Our Model', 'ai_languageModel', 'Agent'],
			['Calculator', 'ai_tool', 'Agent'],
		]);
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'It is 437.' });
		expect(lastSent()).toMatchObject({ role: 'tool', content: expect.stringContaining('437') });
		expect(execution.runData['Calculator']).toHaveLength(1);
	});

	it("n8n's memory", async () => {
		server.answer('chat', { chunks: answerChunks('Hello Anne.') }, { chunks: answerChunks('Anne.') });
		const memory: NodeLine = ['Memory', `${LANGCHAIN}memoryBufferWindow`, 1.3, { sessionIdType: 'customKey', sessionKey: '={{ $json.body.session }}' }];
		const links: Link[] = [['Webhook', 'main', 'Agent'], ['Our Model', 'ai_languageModel', 'Agent'], ['Memory', 'ai_memory', 'Agent']];
		await run('theirMemOurAgnt1', [ourAgent, ourModel(), memory], links, { query: 'I am Anne.', session: 's1' });
		const execution = await run('theirMemOurAgnt1', [ourAgent, ourModel(), memory], links, { query: 'Who am I?', session: 's1' });
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'Anne.' });
		const sent = JSON.stringify(server.requests.at(-1)!.body.messages);
		expect(sent).toMatch(/I am Anne\..*Hello Anne\..*Who am I\?/);
	});
});

describe("our nodes under n8n's own", () => {
	it("our tools and our model under n8n's AI Agent", async () => {
		server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) }, { chunks: answerChunks('It is 437.') });
		const execution = await run('ourToolTheirAgt1', [theirAgent, ourModel(), ['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }]], [
			['Webhook', 'main', 'Agent'],
			['Our Model', 'ai_languageModel', 'Agent'],
			['Tools', 'ai_tool', 'Agent'],
		]);
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'It is 437.' });
		expect(JSON.stringify(lastSent())).toContain('437');
		expect(execution.runData['Tools']).toHaveLength(1);
		expect(execution.runData['Our Model']).toHaveLength(2);
	});

	it("our router and toolkit under n8n's AI Agent with n8n's model", async () => {
		server.answer('chat', callBody('calculate', { expression: '19 * 23' }), answerBody('It is 437.'));
		const router: NodeLine = ['Router', 'toolRouter', 1, { query: '={{ $json.body.query }}', topK: 2, options: { passthroughUpTo: 0 } }];
		const tools: NodeLine = ['Tools', 'generalToolkit', 1, { groups: ['arithmetic', 'dates'], options: {} }];
		const execution = await run('ourRoutTheirAgt1', [theirAgent, theirModel, router, tools], [
			['Webhook', 'main', 'Agent'],
			['Their Model', 'ai_languageModel', 'Agent'],
			['Router', 'ai_tool', 'Agent'],
			['Tools', 'ai_tool', 'Router'],
		], { query: 'Calculate 19 * 23' });
		expect(itemsOf(execution, 'Agent')[0]).toMatchObject({ output: 'It is 437.' });
		expect((server.requests[0]!.body.tools as unknown[]).length).toBeLessThan(9);
		expect(JSON.stringify(lastSent())).toContain('437');
	});

	const store = { memoryKey: { __rl: true, mode: 'list', value: 'interoperation' } };
	const storeLines = (query: string, load: object = {}): NodeLine[] => [
		['Texts', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.texts', options: { destinationFieldName: 'text' } }],
		['Insert', `${LANGCHAIN}vectorStoreInMemory`, 1.3, { mode: 'insert', ...store, clearStore: true }],
		['Loader', `${LANGCHAIN}documentDefaultDataLoader`, 1.1, { jsonMode: 'expressionData', jsonData: '={{ $json.text }}', options: {} }],
		['Once', 'n8n-nodes-base.limit', 1, { maxItems: 1 }],
		['Load', `${LANGCHAIN}vectorStoreInMemory`, 1.3, { mode: 'load', ...store, prompt: query, topK: 1, ...load }],
		['Embeddings', 'embeddings', 1, { provider: 'local', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4' }],
	];
	const storeLinks: Link[] = [
		['Webhook', 'main', 'Texts'],
		['Texts', 'main', 'Insert'],
		['Insert', 'main', 'Once'],
		['Once', 'main', 'Load'],
		['Loader', 'ai_document', 'Insert'],
		['Embeddings', 'ai_embedding', 'Insert'],
		['Embeddings', 'ai_embedding', 'Load'],
	];
	const texts = ['Replace the bucket teeth.', 'Coolant temperature alarm: motor overheating.', 'Grease the slew ring.'];
	const loaded = (execution: Awaited<ReturnType<typeof run>>): unknown[] =>
		itemsOf(execution, 'Load').map(({ document }) => (document as { pageContent: string }).pageContent);

	it("our embeddings with n8n's vector store", async () => {
		const execution = await run('ourEmbTheirStor1', storeLines('The engine gets too hot'), storeLinks, { texts });
		expect(loaded(execution)).toEqual(['Coolant temperature alarm: motor overheating.']);
		expect(execution.runData['Embeddings']?.length).toBeGreaterThanOrEqual(2);
	});

	it("our reranker, judged by our model, in n8n's vector store", async () => {
		server.answer('chat', { chunks: answerChunks('{"grades": [1, 3, 9]}') });
		const reranker: NodeLine = ['Reranker', 'reranker', 1, { method: 'judge', topK: 2 }];
		const lines = [...storeLines('The engine gets too hot', { topK: 3, useReranker: true }), reranker, ourModel()];
		const links: Link[] = [...storeLinks, ['Reranker', 'ai_reranker', 'Load'], ['Our Model', 'ai_languageModel', 'Reranker']];
		const execution = await run('ourRankTheirSto1', lines, links, { texts });
		const judged = JSON.stringify(server.requests[0]!.body.messages);
		const places = texts.map((text) => ({ text, at: judged.indexOf(text) })).sort((a, b) => a.at - b.at);
		expect(places[0]).toMatchObject({ text: 'Coolant temperature alarm: motor overheating.', at: expect.any(Number) });
		expect(places[0]!.at).toBeGreaterThan(0);
		expect(loaded(execution)).toEqual([places[2]!.text, places[1]!.text]);
		expect(execution.runData['Reranker']).toHaveLength(1);
	});

	it("our reranker on this machine, in n8n's vector store", async () => {
		const reranker: NodeLine = ['Reranker', 'reranker', 1, {
			...{ method: 'late-interaction', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4', weight: 1, topK: 1 },
		}];
		const lines = [...storeLines('Grease the slew ring', { topK: 3, useReranker: true }), reranker];
		const execution = await run('ourLateTheirSto1', lines, [...storeLinks, ['Reranker', 'ai_reranker', 'Load']], { texts });
		expect(loaded(execution)).toEqual(['Grease the slew ring.']);
	});
});
