/** Knowledge bases and memories in n8n's queue mode: in Postgres they are those of all workers; a folder of one is refused. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { busyWorkers, postgresStorage, queueServers, whereNode, type BusyWorkers } from '../support/queue';
import { connectToN8n, itemsOf, publish, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { answerChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

const [one, two] = queueServers().workers;
let call: RestCall;
let busy: BusyWorkers;
beforeAll(async () => {
	call = await connectToN8n();
	busy = await busyWorkers(call);
});
afterAll(async () => await busy.close());

/** Runs a workflow on one worker; the run must succeed there. */
async function runOn(worker: string, id: string, payload: object): Promise<Execution> {
	const { execution } = await busy.runOn(worker, async () => await runByWebhook(call, id, id.toLowerCase(), payload));
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	expect(itemsOf(execution, 'Where')[0]?.worker).toBe(worker);
	return execution;
}

describe('a knowledge base', () => {
	/** Debian's Postgres has no pgvector. */
	let vectors: TestPostgres;
	let embeddings: Server;
	beforeAll(async () => {
		vectors = await startPostgres();
		embeddings = await startEmbeddings();
		const storage = postgresStorage(vectors.connection, 'Knowledge Postgres');
		const url = `http://127.0.0.1:${(embeddings.address() as AddressInfo).port}/v1`;
		const model: NodeLine = ['Embeddings', 'embeddings', 1, { provider: 'openai-compatible', preset: 'generic', authentication: 'none', baseUrl: url, model: { __rl: true, mode: 'id', value: 'letters' } }];
		const index: NodeLine = ['Index', 'ragIndex', 1, { knowledgeBase: 'queue', from: 'field', text: '={{ $json.body.text }}', documentId: '={{ $json.body.id }}', options: {} }, storage.onNode];
		const search: NodeLine = ['Search', 'ragRetriever', 1, { mode: 'main', knowledgeBase: 'queue', query: '={{ $json.body.query }}', access: 'everything' }, storage.onNode];
		const links = (node: string): Link[] => [['Webhook', 'main', 'Where'], ['Where', 'main', node], ['Embeddings', 'ai_embedding', node]];
		await publish(call, webhookWorkflow('queueIndexes0001', 'queueindexes0001', [whereNode(), index, model], links('Index')), { credentials: [storage.credential] });
		await publish(call, webhookWorkflow('queueSearches001', 'queuesearches001', [whereNode(), search, model], links('Search')), { credentials: [storage.credential] });
	});
	afterAll(async () => {
		await new Promise((resolve) => embeddings.close(resolve));
		await vectors.stop();
	});

	const found = async (worker: string): Promise<string[]> => {
		const execution = await runOn(worker, 'queueSearches001', { query: 'hydraulic pump' });
		return (itemsOf(execution, 'Search')[0]?.documents as Array<{ text: string }>).map(({ text }) => text);
	};

	it('that one worker fills is searched on the other, and what the other changes is seen by the first', async () => {
		await runOn(one, 'queueIndexes0001', { id: 'a', text: 'The hydraulic pump is at the rear.' });
		expect(await found(two)).toEqual(['The hydraulic pump is at the rear.']);
		expect(await found(one)).toEqual(['The hydraulic pump is at the rear.']);
		await runOn(two, 'queueIndexes0001', { id: 'a', text: 'The hydraulic pump was moved to the front.' });
		expect(await found(one)).toEqual(['The hydraulic pump was moved to the front.']);
	});
});

describe('a memory', () => {
	let model: FakeModelServer;
	beforeAll(async () => {
		model = await startFakeModelServer('openai-compatible');
	});
	afterAll(async () => await model.close());

	it('of a conversation on one worker is known on the other', async () => {
		const { onNode, credential } = postgresStorage();
		const lines: NodeLine[] = [whereNode(), ['Agent', 'reActAgent', 1, { query: '={{ $json.body.query }}' }], ourModelAt(model.url),
			['Memory', 'conversationMemory', 1, { mode: 'memory', memory: 'queue', session: 's', options: {} }, onNode]];
		const links: Link[] = [['Webhook', 'main', 'Where'], ['Where', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Memory', 'ai_memory', 'Agent']];
		await publish(call, webhookWorkflow('queueRemembers01', 'queueremembers01', lines, links), { credentials: [credential] });
		model.answer('chat', { chunks: answerChunks('Hello Ada.') }, { chunks: answerChunks('You are Ada.') }, { chunks: answerChunks('Still Ada.') });
		await runOn(one, 'queueRemembers01', { query: 'I am Ada.' });
		await runOn(two, 'queueRemembers01', { query: 'Who am I?' });
		await runOn(one, 'queueRemembers01', { query: 'And now?' });
		const sent = (model.requests.at(-1)!.body.messages as Array<{ role: string; content: string }>).filter(({ role }) => role !== 'system');
		expect(sent.map(({ content }) => content)).toEqual(['I am Ada.', 'Hello Ada.', 'Who am I?', 'You are Ada.', 'And now?']);
	});
});

describe('a folder', () => {
	const folder = (name: string, sharedVolume: boolean) => ({ name, type: 'reactEngineStorageApi', data: { kind: 'folder', storage: '', sharedVolume } });
	const indexWith = (credential?: string): NodeLine => {
		const parameters = { knowledgeBase: 'local', from: 'field', text: 'A text.', documentId: 'a', options: {} };
		return credential ? ['Index', 'ragIndex', 1, parameters, { reactEngineStorageApi: { name: credential } }] : ['Index', 'ragIndex', 1, parameters];
	};

	it.each([
		['of no credential', undefined],
		['of a credential that does not say that it is shared', 'Own Folder'],
	])('%s is refused with a sentence that says what to use', async (_what, credential) => {
		const id = `queueRefuses${credential ? 'Own1' : 'None'}`;
		await publish(call, webhookWorkflow(id, id.toLowerCase(), [indexWith(credential)], [['Webhook', 'main', 'Index']]), { credentials: [folder('Own Folder', false)] });
		const { execution } = await runByWebhook(call, id, id.toLowerCase());
		expect([execution.status, execution.error?.message]).toEqual(['error', 'n8n runs in queue mode: a knowledge base in a folder of one machine may be missing on another']);
		expect((execution.error as { description?: string }).description).toMatch(/kind Postgres.*turn on Workers Share This Folder in the credential/);
	});

	it('of which the credential says that all workers share it is used', async () => {
		const id = 'queueSharedFold1';
		await publish(call, webhookWorkflow(id, id.toLowerCase(), [indexWith('Shared Folder')], [['Webhook', 'main', 'Index']]), { credentials: [folder('Shared Folder', true)] });
		const { execution } = await runByWebhook(call, id, id.toLowerCase());
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	});
});

/** A server of embeddings: how often each letter is in a text. */
async function startEmbeddings(): Promise<Server> {
	const vectorOf = (text: string): number[] => Array.from({ length: 26 }, (_, n) => text.toLowerCase().split(String.fromCharCode(97 + n)).length - 1 || 0.01);
	const server = createServer((request, response) => {
		void buffer(request).then((body) => {
			const { input } = JSON.parse(body.toString()) as { input: string | string[] };
			const data = [input].flat().map((text, index) => ({ index, embedding: vectorOf(text) }));
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, model: 'letters', usage: { prompt_tokens: 1, total_tokens: 1 } }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}
