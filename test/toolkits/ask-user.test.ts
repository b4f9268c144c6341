import { askPage } from '../../lib/toolkits/ask-page';
import { answerOf, decisionOf } from '../../lib/toolkits/ask-user';

const call = { tool: 'order', arguments: { n: 1 } };
const now = Date.UTC(2026, 0, 1);

describe('the page that asks', () => {
	it('shows question and arguments as text, whatever they hold', () => {
		const page = askPage({ question: '<script>alert(1)</script>', call: { tool: 'a"b', arguments: { x: '</textarea><img onerror=1>' } } });
		expect(page).not.toContain('<script>');
		expect(page).not.toContain('<img');
		expect(page).toContain('&#60;script&#62;');
	});
});

describe('what comes back', () => {
	it('is an answer only when it says something', () => {
		expect(answerOf({ answer: ' yes ' })).toBe('yes');
		expect(answerOf({ answer: '  ' })).toBeUndefined();
		expect(answerOf({ answer: 3 })).toBeUndefined();
	});

	it('is a decision with time, name, note, and arguments only when they were changed', () => {
		expect(decisionOf({ decision: 'approve', arguments: '{"n": 1}', by: 'Anna', note: '' }, call, now)).toEqual({ approved: true, at: '2026-01-01T00:00:00.000Z', by: 'Anna' });
		expect(decisionOf({ decision: 'approve', arguments: '{"n": 2}' }, call, now)).toMatchObject({ arguments: { n: 2 } });
		expect(decisionOf({ decision: 'refuse', arguments: 'broken' }, call, now)).toMatchObject({ approved: false });
		expect(decisionOf({ decision: 'maybe' }, call, now)).toBeUndefined();
		expect(() => decisionOf({ decision: 'approve', arguments: 'broken' }, call, now)).toThrow('must be one JSON object');
	});
});
