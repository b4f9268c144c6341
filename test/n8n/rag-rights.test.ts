/** Rights of documents under n8n's own AI Agent: what a model forges, two users in one run, a right that is taken away. */
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { connectToN8n, itemsOf, publish, runByWebhook, type Execution, type RestCall } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type Link, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(120_000);

let call: RestCall;
let server: FakeModelServer;
const documents = [
	{ id: 'secret', text: 'The pump budget of the board is 900.', users: 'boss' },
	{ id: 'shop', text: 'The pump of the workshop leaks.', groups: 'shop' },
	{ id: 'office', text: 'The pump of the office hums.', groups: 'office' },
	{ id: 'public', text: 'The pump of everybody runs.', everyone: true },
];
const ANN = { sub: 'ann', groups: ['shop'] };
const BOB = { sub: 'bob', groups: ['office'] };
/** What a model may try: none of it may count. */
const FORGED = { query: 'pump', user: { sub: 'boss', groups: ['shop', 'office'] }, access: 'everything', acl: ['*', 'u:boss'], userField: 'query' };

beforeAll(async () => {
	call = await connectToN8n();
	server = await startFakeModelServer('openai-compatible');
	const index: NodeLine = ['Index', 'ragIndex', 1, {
		...{ knowledgeBase: 'e2e-rights', from: 'field', text: '={{ $json.text }}' },
		options: { users: '={{ $json.users }}', groups: '={{ $json.groups }}', everyone: '={{ $json.everyone === true }}' },
	}];
	const split: NodeLine = ['Documents', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.documents', options: {} }];
	await publish(call, webhookWorkflow('ragRightsIndex01', 'rag-rights-index', [split, index], [['Webhook', 'main', 'Documents'], ['Documents', 'main', 'Index']]));
	const rights: NodeLine = ['Index', 'ragIndex', 1, {
		...{ operation: 'rights', knowledgeBase: 'e2e-rights', documentId: '={{ $json.body.id }}', rightsGroups: '={{ $json.body.groups }}' },
	}];
	await publish(call, webhookWorkflow('ragRightsSet0001', 'rag-rights-set', [rights], [['Webhook', 'main', 'Index']]));
	const lines: NodeLine[] = [
		['Users', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.users', options: { destinationFieldName: 'user' } }],
		['Agent', '@n8n/n8n-nodes-langchain.agent', 3.1, { promptType: 'define', text: 'Which pumps are there?', options: { enableStreaming: false } }],
		ourModelAt(server.url),
		['Search', 'ragRetriever', 1, { mode: 'tool', knowledgeBase: 'e2e-rights', topK: 10 }],
	];
	const links: Link[] = [['Webhook', 'main', 'Users'], ['Users', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Search', 'ai_tool', 'Agent']];
	await publish(call, webhookWorkflow('ragRightsAgent01', 'rag-rights-agent', lines, links));
	const { execution } = await runByWebhook(call, 'ragRightsIndex01', 'rag-rights-index', { documents });
	expect(execution.status).toBe('success');
});
afterAll(async () => {
	await server.close();
});

async function ask(...users: object[]): Promise<Execution> {
	server.answer('chat', ...users.map(() => ({ chunks: callChunks('search_e2e_rights', FORGED) })), ...users.map(() => ({ chunks: answerChunks('Done.') })));
	const { execution } = await runByWebhook(call, 'ragRightsAgent01', 'rag-rights-agent', { users });
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
}

/** Ids that each call of the tool gave; the message of one that was refused. */
function found(execution: Execution): unknown[] {
	return (execution.runData.Search ?? []).map(({ data, error }) => {
		const json = data?.ai_tool?.[0]?.[0]?.json as { data?: Array<{ documentId: string }>; error?: string } | undefined;
		return json?.data?.map(({ documentId }) => documentId).sort() ?? error?.message ?? json?.error;
	});
}

describe("rights of documents under n8n's AI Agent", () => {
	it('come from the agent’s item, whatever user the model sends', async () => {
		const execution = await ask(ANN);
		expect(found(execution)).toEqual([['public', 'shop']]);
		expect(JSON.stringify(server.requests)).not.toContain('900');
		expect(found(await ask({ sub: 'boss' }))).toEqual([['public', 'secret']]);
		expect(found(await ask({}))).toEqual([['public']]);
	});

	it('are those of each user when two are in one run: never the other’s', async () => {
		const calls = found(await ask(ANN, BOB));
		expect(calls).toHaveLength(2);
		const allowed = [['public', 'shop'], ['office', 'public'], 'This search may be for one of 2 different users'];
		for (const [position, ids] of calls.entries()) expect([allowed[position], allowed[2]]).toContainEqual(ids);
	});

	it('end with the next search when one is taken away', async () => {
		expect(found(await ask(ANN))).toEqual([['public', 'shop']]);
		const { execution } = await runByWebhook(call, 'ragRightsSet0001', 'rag-rights-set', { id: 'shop', groups: 'office' });
		expect(itemsOf(execution, 'Index')[0]).toMatchObject({ index: { outcome: 'rights set', changed: 1 } });
		expect(found(await ask(ANN))).toEqual([['public']]);
		expect(found(await ask(BOB))).toEqual([['office', 'public', 'shop']]);
	});
});
