import fc from 'fast-check';
import type { ModelEvent } from '../../lib/core/model';
import { fromBody, fromStream } from '../../lib/providers/openai-compatible/from-stream';
import { SseReader } from '../../lib/providers/sse';
import { fold } from '../contracts/chat-model.contract';
import { eventStream, fixtureChunks } from '../support/fake-model-server';

const PLACE = { api: 'Test', url: 'http://test/v1/chat/completions', model: 'm' };

async function* inPieces(bytes: Uint8Array, ...cuts: number[]): AsyncGenerator<Uint8Array> {
	let from = 0;
	for (const cut of [...cuts, bytes.length]) {
		yield bytes.subarray(from, cut);
		from = cut;
	}
}

async function eventsOf(bytes: Uint8Array, ...cuts: number[]): Promise<ModelEvent[]> {
	let ids = 0;
	const events: ModelEvent[] = [];
	for await (const event of fromStream(inPieces(bytes, ...cuts), PLACE, () => `id${(ids += 1)}`)) events.push(event);
	return events;
}

const streamOf = (...choices: object[]): Buffer => eventStream(choices.map((choice) => ({ choices: [{ index: 0, ...choice }] })));

describe('stream of chat completions', () => {
	it.each(['text', 'tools', 'reasoning'])('gives the same events for %s cut at each byte', async (name) => {
		const bytes = eventStream(fixtureChunks('openai-compatible', name));
		const whole = await eventsOf(bytes);
		expect(whole.at(-1)?.type).toBe('finish');
		for (let cut = 1; cut < bytes.length; cut += 1) expect(await eventsOf(bytes, cut)).toEqual(whole);
	});

	it('reads events whatever the line ends, comments and cuts', () => {
		const write = (end: string): string => [': hello', 'event: x', 'data: {"a":', 'data: 1}', '', 'data:é', '', ''].join(end);
		fc.assert(
			fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(60), { maxLength: 6 }), (end, cuts) => {
				const text = write(end);
				const reader = new SseReader();
				const events: string[] = [];
				let from = 0;
				for (const cut of [...cuts.filter((at) => at < text.length).sort((a, b) => a - b), text.length]) {
					events.push(...reader.add(text.slice(from, cut)));
					from = cut;
				}
				expect([...events, ...reader.end()]).toEqual(['{"a":\n1}', 'é']);
			}),
		);
	});

	it('reads the last event of a server that closes without [DONE] and a blank line', async () => {
		const text = 'data: {"choices":[{"delta":{"content":"fin"},"finish_reason":"stop"}]}';
		expect(fold(await eventsOf(Buffer.from(text))).text).toBe('fin');
	});

	it('does not take half an answer for a whole one when the stream just stops', async () => {
		const text = 'data: {"choices":[{"index":0,"delta":{"content":"The total is 12"},"finish_reason":null}]}\n\n';
		await expect(eventsOf(Buffer.from(text))).rejects.toMatchObject({ code: 'UPSTREAM', retryable: true, message: expect.stringContaining('broke off') });
		expect(fold(await eventsOf(Buffer.from(`${text}data: [DONE]\n\n`))).text).toBe('The total is 12');
	});

	it('takes one answer of a server that gives several, and reasoning under either name', async () => {
		const second = { choices: [{ index: 1, delta: { content: 'B' }, finish_reason: 'stop' }] };
		const first = { choices: [{ index: 0, delta: { reasoning_content: '', reasoning: 'hm', content: 'A' }, finish_reason: 'stop' }] };
		expect(fold(await eventsOf(eventStream([second, first, second])))).toMatchObject({ text: 'A', message: { parts: [{ type: 'reasoning', text: 'hm' }, {}] } });
	});

	it('P08 treats null lists and null texts as none', async () => {
		const reply = fold(await eventsOf(streamOf({ delta: { content: null, tool_calls: null } }, { delta: { content: 'ok' }, finish_reason: 'stop' })));
		expect(reply).toMatchObject({ text: 'ok', toolCalls: [], reason: 'stop' });
	});

	it('calls a reply with calls one that wants tools, though the server says stop', async () => {
		const call = { id: 'a', function: { name: 'x', arguments: '{}' } };
		expect(fold(await eventsOf(streamOf({ delta: { tool_calls: [call] }, finish_reason: 'stop' }))).reason).toBe('tool-calls');
	});

	it('P07 quotes the error object inside a stream', async () => {
		const bytes = eventStream([{ error: { message: 'CUDA out of memory', code: 500 } }]);
		await expect(eventsOf(bytes)).rejects.toMatchObject({ code: 'UPSTREAM', status: 500, message: expect.stringContaining('CUDA out of memory') });
	});

	it.each([
		['no choices at all', { id: 'x' }],
		['an empty list of choices', { id: 'x', choices: [] }],
		['null for choices', { id: 'x', choices: null }],
	])('P07 quotes the beginning of a stream with %s', async (_, chunk) => {
		await expect(eventsOf(eventStream([chunk]))).rejects.toMatchObject({ code: 'UPSTREAM', message: expect.stringContaining('{"id":"x"') });
	});

	it('P12 reads a whole reply of a server that does not stream, with arguments as an object', () => {
		const message = { content: '', tool_calls: [{ id: 'a', function: { name: 'x', arguments: { n: 1 } } }] };
		const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 3, completion_tokens: 4 } });
		const reply = fold(fromBody(body, PLACE, () => 'id'));
		expect(reply.toolCalls[0]).toMatchObject({ name: 'x', argumentsText: '{"n":1}' });
		expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
	});
});
