import fc from 'fast-check';

import type { Message } from '../../lib/core/message';
import { cleanHistory, lastTurns, toTurns } from '../../lib/shape/turn-borders';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const said = (text: string): Message => ({ role: 'assistant', parts: text === '' ? [] : [{ type: 'text', text }] });
const asks = (...ids: string[]): Message => ({
	role: 'assistant',
	parts: ids.map((callId) => ({ type: 'tool-call', callId, name: 't', argumentsText: '{}' })),
});
const result = (...ids: string[]): Message => ({
	role: 'tool',
	parts: ids.map((callId) => ({ type: 'tool-result', callId, name: 't', text: `r${callId}`, isError: false })),
});
const one = (): number => 1;

describe('cleanHistory', () => {
	it('H01 drops a result whose call is gone', () => {
		expect(cleanHistory([result('a'), said('yes'), user('q')])).toEqual([said('yes'), user('q')]);
	});

	it('H02 drops a call that was never answered, and keeps its answered neighbour', () => {
		expect(cleanHistory([user('q'), asks('a', 'b'), result('a')])).toEqual([user('q'), asks('a'), result('a')]);
	});

	it('H04 drops empty and system messages', () => {
		expect(cleanHistory([{ role: 'system', parts: [{ type: 'text', text: 's' }] }, user('q'), said(''), said('  '), said('a')])).toEqual([user('q'), said('a')]);
	});

	it('never leaves a result without its call right before it, or a call without its result', () => {
		const message = fc.oneof(
			fc.constantFrom(user('u'), said('s'), said('')),
			fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((ids) => asks(...ids)),
			fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((ids) => result(...ids)),
		);
		fc.assert(
			fc.property(fc.array(message, { maxLength: 12 }), (history) => {
				const clean = cleanHistory(history);
				clean.forEach(({ role, parts }, at) => {
					expect(parts.length).toBeGreaterThan(0);
					if (role !== 'tool') return;
					const before = clean.slice(0, at).findLast((earlier) => earlier.role !== 'tool');
					const asked = before?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])) ?? [];
					for (const part of parts) if (part.type === 'tool-result') expect(asked).toContain(part.callId);
				});
			}),
		);
	});
});

describe('lastTurns', () => {
	const history = [user('1'), asks('a'), result('a'), said('A'), user('2'), said('B')];

	it('H01 cuts at turn borders only', () => {
		expect(lastTurns(history, 3, one)).toEqual([user('2'), said('B')]);
		expect(lastTurns(history, 5, one)).toEqual([user('2'), said('B')]);
		expect(lastTurns(history, 6, one)).toEqual(history);
	});

	it('keeps the newest turn even when it is too large, its results shortened', () => {
		const long: Message = { role: 'tool', parts: [{ type: 'tool-result', callId: 'a', name: 't', text: 'x'.repeat(500), isError: false }] };
		const [, , shortened] = lastTurns([user('1'), asks('a'), long], 1, one);
		expect(shortened?.parts[0]).toMatchObject({ text: `${'x'.repeat(200)}…` });
		expect(lastTurns(history, 0, one)).toEqual([]);
		expect(lastTurns([], 5, one)).toEqual([]);
	});

	it('joins back to the history', () => {
		expect(toTurns(history).flat()).toEqual(history);
	});
});
