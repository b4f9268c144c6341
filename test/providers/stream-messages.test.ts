import fc from 'fast-check';
import { CodedError } from '../../lib/core/errors';
import { textMessage } from '../../lib/core/message';
import type { ChatModel, ModelEvent, ModelRequest } from '../../lib/core/model';
import { checkSize, StreamWriter, type StreamMessage } from '../../lib/core/stream-message';
import { regroupedModel } from '../../lib/providers/regrouped-model';
import { streamMessages } from '../../lib/providers/stream-messages';
import { StreamTimer, timedModel } from '../../lib/providers/stream-timer';
import { Regrouper } from '../../lib/text/regroup';
import { all } from '../contracts/chat-model.contract';

const REQUEST: ModelRequest = { messages: [textMessage('user', 'q')] };
const FINISH: ModelEvent = { type: 'finish', reason: 'stop', usage: { inputTokens: 4, outputTokens: 2 } };

function modelOf(events: readonly ModelEvent[], failure?: Error): ChatModel {
	return {
		id: 'test/model',
		capabilities: { tools: 'yes', responseSchema: 'yes', images: 'no' },
		async *stream() {
			yield* events;
			if (failure) throw failure;
		},
	};
}

async function messagesOf(model: ChatModel, granularity?: 'token' | 'sentence' | 'whole'): Promise<StreamMessage[]> {
	const found: StreamMessage[] = [];
	const options = { id: 's1', parentId: 'run-1', signal: new AbortController().signal, ...(granularity && { granularity }) };
	for await (const message of streamMessages(model, REQUEST, options)) found.push(message);
	return found;
}

const EVENTS: ModelEvent[] = [
	{ type: 'reasoning-delta', text: 'I count. ' },
	{ type: 'text-delta', text: 'Three fail' },
	{ type: 'text-delta', text: 'ures. In Ju' },
	{ type: 'text-delta', text: 'ly.' },
	{ type: 'tool-call-delta', index: 0, callId: 'c1', name: 'look', argumentsDelta: '{"a":' },
	{ type: 'tool-call-delta', index: 0, argumentsDelta: '1}' },
	FINISH,
];

describe('StreamMessage', () => {
	it('tells a reply as start, deltas and one complete for each channel, numbered without gaps', async () => {
		const messages = await messagesOf(modelOf(EVENTS));
		expect(messages.map(({ event, channel, text }) => `${event}@${channel} ${text}`)).toEqual([
			'start@control ',
			'delta@thought I count. ',
			'delta@answer Three fail',
			'delta@answer ures. In Ju',
			'delta@answer ly.',
			'delta@action {"a":',
			'delta@action 1}',
			'complete@thought I count. ',
			'complete@action {"a":1}',
			'complete@answer Three failures. In July.',
		]);
		expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at));
		expect(messages.every(({ id, parentId }) => id === 's1' && parentId === 'run-1')).toBe(true);
		expect(messages[0]?.meta).toEqual({ model: 'test/model' });
		expect(messages.at(-1)?.meta).toEqual({ reason: 'stop', inputTokens: 4, outputTokens: 2 });
		expect(messages.at(-2)?.meta).toEqual({ callId: 'c1', name: 'look' });
	});

	it.each([
		['sentence', ['Three failures. ', 'In July.']],
		['whole', ['Three failures. In July.']],
	] as const)('gives the answer by %s', async (granularity, expected) => {
		const messages = await messagesOf(modelOf(EVENTS), granularity);
		const deltas = messages.filter(({ event, channel }) => event === 'delta' && channel === 'answer');
		expect(deltas.map(({ text }) => text)).toEqual(expected);
	});

	it('ends with error@control, code and status, when the model fails in the middle', async () => {
		const failure = new CodedError('UPSTREAM', 'worker died', { status: 503, retryable: true });
		const messages = await messagesOf(modelOf(EVENTS.slice(0, 2), failure));
		expect(messages.at(-1)).toMatchObject({ event: 'error', channel: 'control', text: 'worker died', meta: { code: 'UPSTREAM', status: 503, retryable: true } });
		expect(messages.filter(({ event }) => event === 'complete')).toEqual([]);
	});

	it('throws the reason of the signal instead of telling an error', async () => {
		const stop = new AbortController();
		const reason = new Error('left');
		const run = async (): Promise<void> => {
			for await (const message of streamMessages(modelOf(EVENTS, new Error('x')), REQUEST, { id: 's', signal: stop.signal })) {
				if (message.event === 'delta') stop.abort(reason);
			}
		};
		await expect(run()).rejects.toBe(reason);
	});

	it('refuses over 1 MB of text and over 32 metadata keys', () => {
		const writer = new StreamWriter('s');
		const keys = (count: number): Record<string, number> => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
		expect(writer.write('delta', 'answer', 'x', keys(32)).seq).toBe(0);
		expect(() => writer.write('delta', 'answer', 'x', keys(33))).toThrow('33 metadata keys; the limit is 32');
		expect(() => checkSize('It', 1_048_577)).toThrow(expect.objectContaining({ code: 'RESOURCE_LIMIT' }));
		expect(() => checkSize('It', 1_048_576)).not.toThrow();
	});
});

describe('Regrouper', () => {
	it('loses nothing, whatever the cut, and gives sentences independent of it', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '.', '!', '\n', 'É', '3', '😀') , maxLength: 80 }), fc.array(fc.nat(80), { maxLength: 8 }), (text, cuts) => {
				const whole = regroup(text, []);
				expect(whole.join('')).toBe(text);
				expect(regroup(text, cuts).join('')).toBe(text);
			}),
		);
	});

	it.each([
		['M. Petit a fini. Il part.', ['M. Petit a fini. ', 'Il part.']],
		['Version 3.5 is out. Yes! Bien. Non', ['Version 3.5 is out. ', 'Yes! ', 'Bien. ', 'Non']],
		['- one\n- two\n', ['- one\n', '- two\n']],
		['no end', ['no end']],
	])('cuts %j into sentences', (text, expected) => expect(regroup(text, [])).toEqual(expected));

	it('does not wait for ever for the end of a sentence, nor cut a character in two', () => {
		const pieces = regroup('😀'.repeat(3000), []);
		expect(pieces.length).toBeGreaterThan(2);
		for (const piece of pieces) expect(piece).toMatch(/^(?:😀)+$/u);
	});
});

describe('StreamTimer', () => {
	it('measures the first byte, the first token and the gaps, from the request on', () => {
		let now = 1000;
		const timer = new StreamTimer({ now: () => now, sleep: async () => undefined });
		for (const [wait, isToken] of [[40, false], [10, true], [30, true], [20, true]] as const) {
			now += wait;
			timer.mark(isToken);
		}
		now += 5;
		expect(timer.timing()).toEqual({ firstByteMs: 40, firstTokenMs: 50, totalMs: 105, chunks: 4, gapMedianMs: 20, gapMaxMs: 30 });
	});

	it('puts the times into the notes of the finish event', async () => {
		let now = 0;
		const events = await all(timedModel(modelOf(EVENTS), { now: () => (now += 10), sleep: async () => undefined }), REQUEST);
		expect(events.at(-1)).toMatchObject({ type: 'finish', notes: { timing: { firstByteMs: 10, firstTokenMs: 10, chunks: 6, gapMedianMs: 10 } } });
	});
});

it('keeps calls and order when it regroups the events of a model', async () => {
	const events = await all(regroupedModel(modelOf(EVENTS), 'whole'), REQUEST);
	expect(events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type))).toEqual([
		'reasoning-delta I count. ',
		'text-delta Three failures. In July.',
		'tool-call-delta',
		'tool-call-delta',
		'finish',
	]);
});

function regroup(text: string, cuts: readonly number[]): string[] {
	const regrouper = new Regrouper('sentence');
	const pieces: string[] = [];
	let from = 0;
	for (const cut of [...cuts.filter((at) => at <= text.length).sort((a, b) => a - b), text.length]) {
		pieces.push(...regrouper.add(text.slice(from, cut)));
		from = cut;
	}
	return [...pieces, ...regrouper.end()];
}
