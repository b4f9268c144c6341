import { textMessage, type Message } from '../../lib/core/message';
import { collectReply } from '../../lib/core/model';
import { loadChatModel } from '../../lib/providers/registry';
import { fakePorts } from '../support/fake-ports';

const replies = [
	{ when: 'rewrite[^]*And tomorrow', answer: 'What is done tomorrow?' },
	{ when: '\\[(?<n>\\d+)\\] (?<fact>\\w+ bar)[^]*pressure\\?$', answer: 'It is {{fact}} [{{n}}].' },
];

async function play(script: unknown, system: string, asked: string): Promise<string> {
	const model = loadChatModel('replay', { model: 'chat', script }, fakePorts());
	const messages = [textMessage('system', system), textMessage('user', 'old'), textMessage('assistant', 'old'), textMessage('user', asked)];
	return (await collectReply(model, { messages }, new AbortController().signal)).text;
}

it('answers by what is asked, with what was found in the request', async () => {
	expect(await play({ name: 'chat', replies }, 'Please rewrite', 'And tomorrow?')).toBe('What is done tomorrow?');
	expect(await play({ replies }, 'Answer', '[1] red\n[2] 35 bar\nWhat is the pressure?')).toBe('It is 35 bar [2].');
});

it('says what it has no reply for', async () => {
	await expect(play({ name: 'chat', replies }, 'Answer', 'Who?')).rejects.toMatchObject({ code: 'BAD_INPUT', message: 'The replay script "chat" has no reply for: Answer\nWho?' });
	await expect(play({ replies: [{ when: 'Who', answer: '{{name}}' }] }, '', 'Who?')).rejects.toThrow('uses {{name}}');
});

it.each([[{ replies: [] }, 'no list of replies'], [{ replies: [{ when: '(' , answer: 'x' }] }, 'reply 1: Invalid regular expression'], [{ replies: [{ when: 'x' }] }, 'reply 1 needs'], [{ replies: [{ when: 'x', turns: [{ calls: 1 }] }] }, 'reply 1, turn 1: calls is no list'], [{ replies, turns: [] }, '"turns" is not one of']])('refuses %j', async (script, message) => {
	await expect(play(script, '', '')).rejects.toThrow(message);
});

describe('a reply with turns', () => {
	const script = {
		replies: [
			{ when: 'machine (?<machine>[A-E])', turns: [{ calls: [{ tool: 'stock', arguments: { asset: '{{machine}}' } }] }, { answer: '{{machine}} has {{stock.count}} parts.' }] },
			{ when: '', answer: 'Something else.' },
		],
	};
	const tools = [{ name: 'stock', description: 'Stock', inputSchema: { type: 'object' } }];
	const model = (): ReturnType<typeof loadChatModel> => loadChatModel('replay', { model: 'events', script }, fakePorts());

	it('plays the turns of the question that began the run, with what its pattern found', async () => {
		const messages: Message[] = [textMessage('system', 'Help'), textMessage('user', 'Breakdown of machine D')];
		const first = await collectReply(model(), { messages, tools }, new AbortController().signal);
		expect(first.toolCalls).toEqual([expect.objectContaining({ name: 'stock', argumentsText: '{"asset":"D"}' })]);
		messages.push({ role: 'assistant', parts: [{ type: 'tool-call', callId: 'c1', name: 'stock', argumentsText: '{"asset":"D"}' }] });
		messages.push({ role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'stock', text: '{"count":3}', isError: false }] });
		messages.push(textMessage('user', 'A remark of the loop'));
		expect((await collectReply(model(), { messages, tools }, new AbortController().signal)).text).toBe('D has 3 parts.');
	});

	it('is passed over where it does not fit', async () => {
		expect((await collectReply(model(), { messages: [textMessage('user', 'Hello')] }, new AbortController().signal)).text).toBe('Something else.');
	});
});
