/** Contextual Compressor between a retriever and n8n's Question and Answer Chain; the model is a local server that speaks OpenAI's format. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, runByWebhook, type RestCall } from '../support/real-n8n';
import { answerChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const TEXTS = [
	'The boiler stands in the basement. Pump P-7 works at a pressure of 3.5 bar. The joint is black and is changed every two years.',
	'Lunch is served at noon. Coffee is free for the visitors of the morning. The canteen closes at two.',
	'The bucket teeth are replaced in pairs. Old teeth go to the scrap yard. Keep the pins for later use.',
];

let call: RestCall;
let server: FakeModelServer;

beforeAll(async () => {
	call = await connectToN8n();
	server = await startFakeModelServer('openai-compatible');
});
afterAll(async () => {
	await server.close();
});

const texts: NodeLine = ['Texts', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.texts', options: { destinationFieldName: 'text' } }];
const once: NodeLine = ['Once', 'n8n-nodes-base.limit', 1, { maxItems: 1 }];
const chain: NodeLine = ['Chain', `${LANGCHAIN}chainRetrievalQa`, 1.7, { promptType: 'define', text: '={{ $("Webhook").first().json.body.query }}', options: {} }];
const compressor = (more: object = {}): NodeLine => ['Compressor', 'contextualCompressor', 1, { mode: 'retriever', keep: 25, ...more }];
const embeddings: NodeLine = ['Embeddings', 'embeddings', 1, { provider: 'local', localModel: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4' }];
const links: Link[] = [
	['Webhook', 'main', 'Texts'],
	['Texts', 'main', 'Insert'],
	['Insert', 'main', 'Once'],
	['Once', 'main', 'Chain'],
	['Model', 'ai_languageModel', 'Chain'],
	['Compressor', 'ai_retriever', 'Chain'],
	['Search', 'ai_retriever', 'Compressor'],
];

async function run(id: string, lines: readonly NodeLine[], all: readonly Link[]): Promise<{ prompt: string; execution: Awaited<ReturnType<typeof runByWebhook>>['execution'] }> {
	server.answer('chat', { chunks: answerChunks('It works at 3.5 bar.') });
	const path = id.toLowerCase();
	await publish(call, webhookWorkflow(id, path, lines, all));
	const { execution } = await runByWebhook(call, id, path, { query: 'At what pressure does pump P-7 work?', texts: TEXTS });
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return { prompt: JSON.stringify(server.requests.at(-1)!.body.messages), execution };
}

describe("the Question and Answer Chain of n8n behind our compressor", () => {
	it('gets of RAG Retriever only the sentence that answers', async () => {
		const index: NodeLine = ['Insert', 'ragIndex', 1, { operation: 'add', knowledgeBase: 'compressor-test', from: 'field', text: '={{ $json.text }}', documentId: '=text-{{ $itemIndex }}' }];
		const search: NodeLine = ['Search', 'ragRetriever', 1, { mode: 'retriever', knowledgeBase: 'compressor-test', access: 'everything' }];
		// By words alone one passage is found, so a larger share of it stays.
		const lines = [texts, index, once, chain, ourModelAt(server.url), compressor({ keep: 40 }), search];
		const { prompt, execution } = await run('comprOurRetriev1', lines, links);
		expect(prompt).toContain('Pump P-7 works at a pressure of 3.5 bar.');
		expect(prompt).not.toContain('Lunch is served');
		expect(prompt).not.toContain('boiler');
		expect(JSON.stringify(itemsOf(execution, 'Chain'))).toContain('It works at 3.5 bar.');
		expect([execution.runData.Compressor?.length, execution.runData.Search?.length]).toEqual([1, 1]);
	});

	it("gets the same of n8n's vector store, with our embeddings for both", async () => {
		const store = { memoryKey: { __rl: true, mode: 'list', value: 'compressor-test' } };
		const lines: NodeLine[] = [
			texts,
			['Insert', `${LANGCHAIN}vectorStoreInMemory`, 1.3, { mode: 'insert', ...store, clearStore: true }],
			['Loader', `${LANGCHAIN}documentDefaultDataLoader`, 1.1, { jsonMode: 'expressionData', jsonData: '={{ $json.text }}', options: {} }],
			once,
			chain,
			ourModelAt(server.url),
			compressor(),
			['Search', `${LANGCHAIN}retrieverVectorStore`, 1, { topK: 3 }],
			['Store', `${LANGCHAIN}vectorStoreInMemory`, 1.3, { mode: 'retrieve', ...store }],
			embeddings,
		];
		const { prompt } = await run('comprTheirRetri1', lines, [
			...links,
			['Loader', 'ai_document', 'Insert'],
			['Store', 'ai_vectorStore', 'Search'],
			['Embeddings', 'ai_embedding', 'Insert'],
			['Embeddings', 'ai_embedding', 'Store'],
			['Embeddings', 'ai_embedding', 'Compressor'],
		]);
		expect(prompt).toContain('Pump P-7 works at a pressure of 3.5 bar.');
		expect(prompt).not.toContain('Lunch is served');
	});
});
