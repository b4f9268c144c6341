/** Our agent behind n8n's Chat Trigger with a streamed response. */
import { startFakeModelServer } from '../support/fake-model-server';
import { connectToN8n, publish, realN8n } from '../support/real-n8n';
import { answerChunks, callChunks, ourModelAt, webhookWorkflow, type NodeLine } from '../support/webhook-workflow';

jest.setTimeout(60_000);

const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

interface Chunk {
	readonly type: 'begin' | 'item' | 'end' | 'error';
	readonly content?: string;
	readonly metadata: { readonly nodeName: string };
}

it('streams the answer once, between one begin and one end', async () => {
	const server = await startFakeModelServer('openai-compatible');
	const call = await connectToN8n();
	const chat: NodeLine = ['Chat', `${LANGCHAIN}chatTrigger`, 1.3, { public: true, mode: 'webhook', options: { responseMode: 'streaming' } }];
	const workflow = webhookWorkflow('streamedChat0001', 'streamedchat0001', [
		chat,
		['Agent', 'reActAgent', 1, {}],
		ourModelAt(server.url),
		['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }],
	], [['Chat', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']]);
	const nodes = workflow.nodes
		.filter(({ name }) => name !== 'Webhook')
		.map((node) => (node.name === 'Chat' ? { ...node, webhookId: 'streamed-chat' } : node));
	await publish(call, { ...workflow, nodes });

	server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) }, { chunks: answerChunks('It is 437.') });
	const chunks = await chatWith(`${realN8n().url}/webhook/streamed-chat/chat`, 'What is 19 * 23?');
	const ofAgent = chunks.filter(({ metadata }) => metadata.nodeName === 'Agent');
	expect(ofAgent.map(({ type }) => type)).toEqual(['begin', 'item', 'end']);
	expect(chunks.map(({ content }) => content ?? '').join('')).toBe('It is 437.');
	await server.close();
});

/** Sends a message as the chat widget does; gives the lines of the streamed answer. */
async function chatWith(url: string, chatInput: string): Promise<Chunk[]> {
	const body = JSON.stringify({ action: 'sendMessage', sessionId: 'one', chatInput });
	for (let attempt = 0; ; attempt++) {
		const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
		const text = await response.text();
		// A webhook is registered a moment after its workflow is published.
		if (response.status === 404 && attempt < 40) await new Promise((resolve) => setTimeout(resolve, 250));
		else return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Chunk);
	}
}
