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

/** Publishes an agent behind a streaming chat, with our model and our tools; gives the chunks of one question. */
async function streamed(id: string, agent: NodeLine, answer: readonly unknown[]): Promise<Chunk[]> {
	const server = await startFakeModelServer('openai-compatible');
	const call = await connectToN8n();
	const chat: NodeLine = ['Chat', `${LANGCHAIN}chatTrigger`, 1.3, { public: true, mode: 'webhook', options: { responseMode: 'streaming' } }];
	const workflow = webhookWorkflow(id, id.toLowerCase(), [
		chat,
		agent,
		ourModelAt(server.url),
		['Tools', 'generalToolkit', 1, { groups: ['arithmetic'], options: {} }],
	], [['Chat', 'main', 'Agent'], ['Model', 'ai_languageModel', 'Agent'], ['Tools', 'ai_tool', 'Agent']]);
	const webhookId = id.toLowerCase();
	const nodes = workflow.nodes.filter(({ name }) => name !== 'Webhook').map((node) => (node.name === 'Chat' ? { ...node, webhookId } : node));
	await publish(call, { ...workflow, nodes });
	server.answer('chat', { chunks: callChunks('calculate', { expression: '19 * 23' }) }, { chunks: answer });
	const chunks = await chatWith(`${realN8n().url}/webhook/${webhookId}/chat`, 'What is 19 * 23?');
	await server.close();
	return chunks;
}

const textOf = (chunks: readonly Chunk[]): string => chunks.map(({ content }) => content ?? '').join('');

it('streams the answer once, between one begin and one end', async () => {
	const chunks = await streamed('streamedChat0001', ['Agent', 'reActAgent', 1, {}], answerChunks('It is 437.'));
	const ofAgent = chunks.filter(({ metadata }) => metadata.nodeName === 'Agent');
	expect(ofAgent.map(({ type }) => type)).toEqual(['begin', 'item', 'end']);
	expect(textOf(chunks)).toBe('It is 437.');
});

it("n8n's AI Agent streams the answer of our model piece by piece, after a call of our tool", async () => {
	const agent: NodeLine = ['Agent', `${LANGCHAIN}agent`, 3.1, { options: { enableStreaming: true } }];
	const chunks = await streamed('streamedTheirs01', agent, [...answerChunks('It is ').slice(0, 2), ...answerChunks('437.').slice(1)]);
	const pieces = chunks.filter(({ type, content, metadata }) => type === 'item' && content && metadata.nodeName === 'Agent').map(({ content }) => content);
	expect(pieces.slice(-2)).toEqual(['It is ', '437.']);
	expect(textOf(chunks).endsWith('It is 437.')).toBe(true);
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
