import { textMessage, textOf, type Message } from '../../lib/core/message';
import { alternatingHistory } from '../../lib/providers/alternating-history';
import { loadChatModel } from '../../lib/providers/registry';
import { all } from '../contracts/chat-model.contract';
import { startFakeModelServer } from '../support/fake-model-server';
import { fakePorts } from '../support/fake-ports';

const told = (messages: readonly Message[]): string[] => messages.map((message) => `${message.role}: ${textOf(message)}`);

describe('history for templates whose roles must alternate', () => {
	it('joins what follows in one role and puts instructions before the question', () => {
		const messages = [textMessage('system', 'Be brief.'), textMessage('user', 'a'), textMessage('user', 'b'), textMessage('assistant', 'c'), textMessage('system', 'Stop.'), textMessage('user', 'd')];
		const before = JSON.stringify(messages);
		expect(told(alternatingHistory(messages))).toEqual(['user: Be brief.\n\na\n\nb', 'assistant: c', 'user: Stop.\n\nd']);
		expect(JSON.stringify(messages)).toBe(before);
	});

	it('begins with a user and ends with the last instruction', () => {
		expect(told(alternatingHistory([textMessage('assistant', 'hi'), textMessage('system', 'x')]))).toEqual([
			'user: (The conversation goes on.)',
			'assistant: hi',
			'user: x\n\n',
		]);
		expect(alternatingHistory([])).toEqual([]);
	});

	it('leaves calls and results as they are', () => {
		const call: Message = { role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', name: 'x', argumentsText: '{}' }] };
		const result: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', name: 'x', text: '1', isError: false }] };
		const messages = [textMessage('user', 'q'), call, result, result, textMessage('assistant', 'done')];
		expect(alternatingHistory(messages)).toEqual(messages);
	});

	it('is used after the server complained, for that request and all later ones', async () => {
		const server = await startFakeModelServer('openai-compatible');
		server.answer('chat', { status: 400, body: { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } } }, { fixture: 'text' }, { fixture: 'text' });
		const model = loadChatModel('openai-compatible', { model: 'gemma', baseUrl: server.url }, fakePorts());
		const request = { messages: [textMessage('user', 'a'), textMessage('user', 'b')] };
		await all(model, request);
		await all(model, request);
		expect(server.requests.map(({ body }) => (body['messages'] as unknown[]).length)).toEqual([2, 1, 1]);
		await server.close();
	});
});
