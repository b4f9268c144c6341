import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { textMessage } from '../../lib/core/message';
import { collectReply, type ModelReply, type ModelRequest } from '../../lib/core/model';
import { stopModelHosts } from '../../lib/inference/model-host-client';
import { StopText } from '../../lib/providers/local/model';
import { TagReader } from '../../lib/providers/local/tag-reader';
import { loadChatModel } from '../../lib/providers/registry';
import { StreamReader } from '../../lib/providers/stream-reader';
import { fold, TOOLS } from '../contracts/chat-model.contract';
import { fakePorts } from '../support/fake-ports';
import { writeCausalLm, writeEncoder } from '../support/tiny-models';

let folder: string;
const before = process.env.N8N_USER_FOLDER;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lm-'));
	process.env.N8N_USER_FOLDER = folder;
});
afterAll(() => {
	stopModelHosts();
	rmSync(folder, { recursive: true });
	if (before === undefined) delete process.env.N8N_USER_FOLDER;
	else process.env.N8N_USER_FOLDER = before;
});
afterEach(() => stopModelHosts());

const place = (name: string): string => path.join(folder, '.n8n/reactengine/models/lab', name);
const load = (name: string, more: object = {}): ReturnType<typeof loadChatModel> =>
	loadChatModel('local', { model: `lab/${name}`, dtype: 'fp32', ...more }, fakePorts());
const ask = async (name: string, more: Partial<ModelRequest> = {}): Promise<ModelReply> =>
	await collectReply(load(name), { messages: [textMessage('user', 'q')], ...more }, new AbortController().signal);

describe('local language model', () => {
	it('ends at a stop text, which is not part of the reply, and at the most tokens', async () => {
		writeCausalLm(place('long'), ['one ', 'two ', 'Observ', 'ation: ', 'three']);
		expect(await ask('long', { stop: ['Observation:'] })).toMatchObject({ text: 'one two ', reason: 'stop' });
		expect(await ask('long', { maxTokens: 2 })).toMatchObject({ reason: 'length', usage: { outputTokens: 2 } });
	});

	it('says that a model takes no tools when its template has no place for them', async () => {
		writeCausalLm(place('plain'), ['ok'], ['ok'], '{% for m in messages %}{{ m.content }} {% endfor %}<|go|>');
		await expect(ask('plain', { tools: TOOLS })).rejects.toMatchObject({ code: 'BAD_INPUT', reason: 'tools-unsupported' });
		expect((await ask('plain')).text).toBe('ok');
	});

	it('refuses a model without a chat template, and an encoder', async () => {
		writeCausalLm(place('base'), ['ok'], ['ok'], '');
		await expect(ask('base')).rejects.toThrow('The model has no chat template');
		writeEncoder(place('encoder'), ['a']);
		await expect(ask('encoder')).rejects.toThrow('is declared as hf_causal_lm, but its files are those of hf_encoder');
		await expect(ask('none')).rejects.toThrow('is not installed');
	});

	it('refuses a request that is longer than the model can read', async () => {
		writeCausalLm(place('short'), ['ok']);
		const words = textMessage('user', 'word '.repeat(5000));
		await expect(ask('short', { messages: [words] })).rejects.toMatchObject({ reason: 'context-length', message: expect.stringContaining('at most 4096') });
	});

	it('names the data types when the chosen one is none', () => {
		expect(() => load('x', { dtype: 'q5' })).toThrow('"q5" is not a data type');
	});

	it('takes the next request after one that was stopped in the middle', async () => {
		writeCausalLm(place('many'), Array.from({ length: 200 }, (_, i) => `w${i} `));
		const stop = new AbortController();
		const reason = new Error('left');
		const run = async (): Promise<void> => {
			for await (const event of load('many').stream({ messages: [textMessage('user', 'q')] }, stop.signal)) if (event) stop.abort(reason);
		};
		await expect(run()).rejects.toBe(reason);
		expect((await ask('many', { maxTokens: 3 })).text).toContain('w0 ');
	});
});

describe('TagReader', () => {
	const story = 'Hi <b>x</b> <think>hm < 3</think>yes<tool_call>{"name":"a","arguments":{"n":1}}</tool_call> <tool_call>oops</tool_call>';

	function read(...pieces: string[]): ModelReply {
		const tags = new TagReader();
		const reader = new StreamReader(() => 'id');
		const deltas = [...pieces.flatMap((piece) => tags.add(piece)), ...tags.end()];
		return fold([...deltas.flatMap((delta) => reader.add(delta)), ...reader.end()]);
	}

	it('tells reasoning, calls and text apart, the same for every cut', () => {
		const whole = read(story);
		expect(whole.text).toBe('Hi <b>x</b> yes <tool_call>oops</tool_call>');
		expect(whole.message.parts[0]).toEqual({ type: 'reasoning', text: 'hm < 3' });
		expect(whole.toolCalls).toEqual([expect.objectContaining({ name: 'a', argumentsText: '{"n":1}' })]);
		for (let cut = 1; cut < story.length; cut += 1) expect(read(story.slice(0, cut), story.slice(cut))).toEqual(whole);
		expect(read(...story)).toEqual(whole);
	});

	it('counts a tag that never closes to the end', () => {
		expect(read('<think>on and on').message.parts).toEqual([{ type: 'reasoning', text: 'on and on' }]);
		expect(read('a <thin').text).toBe('a <thin');
	});
});

it('finds a stop text over any cut', () => {
	const stops = new StopText(['END', 'STOP']);
	expect([...'fine E ND ST'].map((letter) => stops.add(letter).text).join('') + stops.end()).toBe('fine E ND ST');
	const cut = new StopText(['END']);
	expect(['xE', 'N', 'Dy'].map((piece) => cut.add(piece))).toEqual([
		{ text: 'x', isStopped: false },
		{ text: '', isStopped: false },
		{ text: '', isStopped: true },
	]);
});
