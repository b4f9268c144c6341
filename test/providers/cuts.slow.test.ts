import { textMessage } from '../../lib/core/message';
import { collectReply, type ModelReply } from '../../lib/core/model';
import { loadChatModel } from '../../lib/providers/registry';
import { fixtureChunks, streamBytes, type FakeApi } from '../support/fake-model-server';
import { fakePorts } from '../support/fake-ports';
import { TOOLS } from '../contracts/chat-model.contract';

/** The whole way from bytes to reply, with the stream cut in two. */
async function replyTo(api: FakeApi, bytes: Buffer, cut: number): Promise<Omit<ModelReply, 'notes'>> {
	const type = api === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
	const fetch = async (): Promise<Response> =>
		new Response(ReadableStream.from([bytes.subarray(0, cut), bytes.subarray(cut)].filter((piece) => piece.length > 0)), { headers: { 'content-type': type } });
	const model = loadChatModel(api, { model: 'm', apiKey: 'k', baseUrl: 'http://127.0.0.1:9' }, { ...fakePorts(), fetch });
	const request = { messages: [textMessage('user', 'q')], tools: TOOLS };
	const { message, text, toolCalls, reason, usage } = await collectReply(model, request, new AbortController().signal);
	return { message, text, toolCalls, reason, usage };
}

describe.each(['mistral', 'openai-compatible', 'ollama'] as const)('streams of %s', (api) => {
	it.each(['text', 'tools', 'reasoning'])('give the same reply for %s cut at each byte', async (name) => {
		const bytes = streamBytes(api, fixtureChunks(api, name));
		const whole = await replyTo(api, bytes, 0);
		expect(whole.reason).toBe(name === 'tools' ? 'tool-calls' : 'stop');
		for (let cut = 1; cut < bytes.length; cut += 1) expect(await replyTo(api, bytes, cut)).toEqual(whole);
	}, 60_000);
});
