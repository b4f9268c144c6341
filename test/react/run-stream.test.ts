import type { RunEvent } from '../../lib/core/run';
import { RunStream, type StreamChoice } from '../../lib/react/run-stream';

const start = (protocol: 'native' | 'text' | 'json'): RunEvent => ({ type: 'step-start', step: 1, protocol });
const said = (...texts: string[]): RunEvent[] => texts.map((text) => ({ type: 'text-delta', step: 1, text }));

function told(events: RunEvent[], answer: string, choice: StreamChoice = 'answer', granularity: 'token' | 'sentence' | 'whole' = 'token') {
	const stream = new RunStream(choice, granularity);
	return [...events.flatMap((event) => stream.take(event)), ...stream.rest(answer)].map(({ channel, text }) => [channel, text]);
}

describe('RunStream', () => {
	it('passes the text of a native turn on as it comes, by token, sentence or whole', () => {
		const events = [start('native'), ...said('Un. De', 'ux. Tr', 'ois')];
		expect(told(events, 'Un. Deux. Trois')).toEqual([['answer', 'Un. De'], ['answer', 'ux. Tr'], ['answer', 'ois']]);
		expect(told(events, 'Un. Deux. Trois', 'answer', 'sentence').map(([, text]) => text)).toEqual(['Un. ', 'Deux. ', 'Trois']);
		expect(told(events, 'Un. Deux. Trois', 'answer', 'whole')).toEqual([['answer', 'Un. Deux. Trois']]);
	});

	it('shows in the text protocol only what stands after the answer label, wherever the pieces are cut', () => {
		const events = [start('text'), ...said('Thought: I kn', 'ow\nAns', 'wer: 4', '2 parts')];
		expect(told(events, '42 parts').map(([, text]) => text).join('')).toBe('42 parts');
		expect(told(events, '42 parts', 'everything').map(([channel]) => channel)).toContain('thought');
	});

	it('gives the answer of JSON steps at the end, and never twice', () => {
		expect(told([start('json'), ...said('{"answer":', '"ok"}')], 'ok')).toEqual([['answer', 'ok']]);
		expect(told([start('native'), ...said('ok')], 'ok')).toEqual([['answer', 'ok']]);
	});

	it('tells the reader that the answer begins again, once text was shown that another model will not go on with', () => {
		const restart: RunEvent = { type: 'restart', step: 1, notice: '[again]' };
		const events = [start('native'), ...said('The pump'), restart, start('native'), ...said('Pump 7 leaks')];
		expect(told(events, 'Pump 7 leaks').map(([, text]) => text).join('')).toBe('The pump\n\n[again]\n\nPump 7 leaks');
		expect(told([start('native'), restart, start('native'), ...said('ok')], 'ok')).toEqual([['answer', 'ok']]);
	});

	it('tells of tool calls and reasoning only a reader who wants them', () => {
		const events: RunEvent[] = [start('native'), { type: 'reasoning-delta', step: 1, text: 'hm' }, { type: 'tool-call', step: 1, callId: 'c', name: 'look', input: { a: 1 } }];
		expect(told(events, '')).toEqual([]);
		expect(told(events, '', 'tools')).toEqual([['action', 'look {"a":1}\n']]);
		expect(told(events, '', 'everything')).toEqual([['thought', 'hm'], ['action', 'look {"a":1}\n']]);
	});

	it('loses nothing of an answer in the text protocol that has lines like labels', () => {
		const answer = 'Do this:\nAction: close valve 3\nConclusion: it is safe';
		const events = [start('text'), ...said('Thought: known\nAns', `wer: ${answer}`)];
		expect(told(events, answer).map(([, text]) => text).join('')).toBe(answer);
		expect(told(events, answer, 'everything').filter(([channel]) => channel !== 'thought').map(([, text]) => text).join('')).toBe(answer);
	});

	it('does not show an answer that the model invented behind its own action', () => {
		const events = [start('text'), ...said('Action: look\nAction Input: {"a": 1}\nObservation: 5\nAns', 'wer: five')];
		expect(told(events, '')).toEqual([]);
	});
});
