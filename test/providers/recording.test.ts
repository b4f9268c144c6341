import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { textMessage, type Message } from '../../lib/core/message';
import { collectReply, type ChatModel, type ModelReply } from '../../lib/core/model';
import { redact } from '../../lib/text/redact';
import { loadChatModel } from '../../lib/providers/registry';
import { startFakeModelServer, type FakeModelServer } from '../support/fake-model-server';
import { fakePorts, type FakePorts } from '../support/fake-ports';
import { TOOLS } from '../contracts/chat-model.contract';

describe('recordings and logs', () => {
	let folder: string;
	let server: FakeModelServer;
	let ports: FakePorts;
	beforeEach(async () => {
		folder = mkdtempSync(path.join(tmpdir(), 'recordings-'));
		server = await startFakeModelServer('openai-compatible');
		ports = fakePorts();
	});
	afterEach(async () => {
		rmSync(folder, { recursive: true });
		await server.close();
	});

	const file = (): string => path.join(folder, 'sub/demo.jsonl');
	const real = (more: object = {}): ChatModel =>
		loadChatModel('openai-compatible', { model: 'm', apiKey: 'my-secret-key', baseUrl: server.url, recordTo: file(), ...more }, ports);
	const replayed = (): ChatModel => loadChatModel('replay', { model: 'demo', recordingFile: file() }, ports);
	const ask = async (model: ChatModel, ...messages: Message[]): Promise<ModelReply> =>
		await collectReply(model, { messages, tools: TOOLS }, new AbortController().signal);

	it('plays a recorded run free and offline: text, calls and usage as they were', async () => {
		server.answer('chat', { fixture: 'tools' }, { fixture: 'text' });
		const question = textMessage('user', 'Combien ?');
		const first = await ask(real(), question);
		const second = await ask(real(), question, first.message, textMessage('user', 'go on'));
		await server.close();
		const again = replayed();
		for (const [reply, messages] of [[first, [question]], [second, [question, first.message, textMessage('user', 'go on')]]] as const) {
			const { message, usage, reason } = await ask(again, ...messages);
			expect(reply).toMatchObject({ message, usage, reason });
		}
		expect(again.id).toBe('replay/demo');
		server = await startFakeModelServer('openai-compatible');
	});

	it('names the first message that differs', async () => {
		server.answer('chat', { fixture: 'text' });
		await ask(real(), textMessage('system', 'Be brief.'), textMessage('user', 'Combien de pannes ?'));
		const wrong = ask(replayed(), textMessage('system', 'Be brief.'), textMessage('user', 'How many?'));
		await expect(wrong).rejects.toMatchObject({
			code: 'BAD_INPUT',
			message: 'The recording "demo" holds no such request: message 2 differs. Recorded: user "Combien de pannes ?". Now: user "How many?"',
		});
		await expect(ask(replayed(), textMessage('system', 'Be brief.'))).rejects.toThrow('message 2 differs. Recorded: user "Combien de pannes ?". Now: (none)');
	});

	it('does not mind what differs from run to run: dates, ids and fences', async () => {
		server.answer('chat', { fixture: 'text' });
		const on = (day: string, fence: string): Message => textMessage('user', `Today is ${day}. === documents ${fence} ===`);
		const recorded = await ask(real(), on('2026-01-05', '1a2b3c4d'));
		expect((await ask(replayed(), on('2026-03-09T10:00:00Z', '12345678'))).text).toBe(recorded.text);
	});

	it('gives the replies of one repeated request in order', async () => {
		server.answer('chat', { fixture: 'text' }, { fixture: 'reasoning' });
		const question = textMessage('user', 'q');
		const made = [await ask(real(), question), await ask(real(), question)];
		const again = replayed();
		expect([(await ask(again, question)).text, (await ask(again, question)).text]).toEqual(made.map(({ text }) => text));
	});

	it('plays a recorded failure as a failure', async () => {
		server.answer('chat', { status: 404, body: { error: { message: 'model not found' } } });
		await expect(ask(real(), textMessage('user', 'q'))).rejects.toThrow('does not know the model');
		await expect(ask(replayed(), textMessage('user', 'q'))).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('does not know the model') });
	});

	it('keeps no secret and no picture, and is readable by its owner only', async () => {
		server.answer('chat', { fixture: 'text' });
		const picture: Message = { role: 'user', parts: [{ type: 'file', mediaType: 'image/png', data: 'SECRETPICTURE' }] };
		await ask(real(), textMessage('user', 'key my-secret-key, Bearer abcdefgh12345678, password: hunter22'), picture);
		const text = readFileSync(file(), 'utf8');
		expect(text).not.toMatch(/my-secret-key|abcdefgh12345678|hunter22|SECRETPICTURE/);
		expect(statSync(file()).mode & 0o077).toBe(0);
	});

	it.each([
		['is missing', undefined, /no such file/],
		['is empty', '', /it is empty/],
		['is something else', '{"a":1}', /line 1 is no exchange/],
	])('says that a recording %s', (_, content, message) => {
		const place = path.join(folder, 'x.jsonl');
		if (content !== undefined) writeFileSync(place, content);
		expect(() => loadChatModel('replay', { model: 'x', recordingFile: place }, ports)).toThrow(message);
	});

	it('goes on with a warning when it cannot be written', async () => {
		writeFileSync(path.join(folder, 'taken'), '');
		server.answer('chat', { fixture: 'text' });
		const place = path.join(folder, 'taken/x.jsonl');
		const reply = await ask(real({ recordTo: place, streamLog: { file: place } }), textMessage('user', 'q'));
		expect(reply.text).toContain('Trois pannes');
		expect(ports.logged.map(({ message }) => message)).toEqual([
			expect.stringContaining('The recording'),
			expect.stringContaining('The stream log'),
		]);
	});

	it.each([true, false])('logs each reply as JSON lines with its times; prompts hidden: %s', async (hidePrompts) => {
		server.answer('chat', { fixture: 'text' });
		await ask(real({ streamLog: { file: file(), hidePrompts }, recordTo: undefined }), textMessage('user', 'About plant 7 and my-secret-key'));
		const lines = readFileSync(file(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
		expect(lines.map((line) => `${line.event}@${line.channel ?? '-'}`)).toEqual([
			'request@-', 'start@control', 'delta@answer', 'delta@answer', 'complete@answer', 'timing@-',
		]);
		expect(lines[0].messages).toEqual([hidePrompts ? { role: 'user', characters: 31 } : { role: 'user', text: 'About plant 7 and ***' }]);
		expect(lines.at(-1)).toMatchObject({ firstByteMs: expect.any(Number), totalMs: expect.any(Number), chunks: 3 });
	});
});

describe('redact', () => {
	it.each([
		['sk-proj-abcdefghijklmnop1234', '***'],
		['Authorization: Bearer abc.def-123456', 'Authorization: Bearer ***'],
		['postgres://anna:pa55word@db/x', 'postgres://anna:***@db/x'],
		['{"api_key": "12345678"}', '{"api_key": "***"}'],
		['mot de passe : soleil22', 'mot de passe : ***'],
		['order SK-12 costs 12,450.00', 'order SK-12 costs 12,450.00'],
	])('%s → %s', (text, expected) => expect(redact(text)).toBe(expected));
});
