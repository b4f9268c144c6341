import { askPage, thanksPage } from '../../lib/toolkits/ask-page';
import { answerOf, decisionOf } from '../../lib/toolkits/ask-user';

const call = { tool: 'order', arguments: { n: 1 } };
const now = Date.UTC(2026, 0, 1);

describe('the page that asks', () => {
	const evil = '</textarea><script>"';

	it('shows question, tool, arguments and what was sent as text, whatever they hold', () => {
		const question = askPage({ question: evil, language: 'en', reference: evil, problem: evil, sent: { answer: evil } });
		const approval = askPage({ question: '', language: 'fr', reference: 'r', call: { tool: evil, arguments: { x: evil } }, sent: { by: evil, note: evil } });
		for (const [page, times] of [[question, 4], [approval, 4]] as const) {
			expect(page).not.toContain('<script>');
			expect(page).not.toContain('</textarea>&#60;');
			expect(page.match(/&#60;script&#62;/g)).toHaveLength(times);
		}
	});

	it('shows again what was sent, and the arguments as they were proposed when nothing was', () => {
		const page = { question: '', language: 'en' as const, reference: 'r', call };
		expect(askPage(page)).toContain('&#34;n&#34;: 1');
		expect(askPage({ ...page, sent: { arguments: 'broken' } })).toContain('>broken</textarea>');
	});

	it('speaks French to a French reader, and sends back the same', () => {
		const page = askPage({ question: '', language: 'fr', reference: 'r', call });
		expect(page).toContain('<html lang="fr">');
		expect(page).toContain("<h1>L'agent peut-il appeler <code>order</code> ?</h1>");
		expect(page).toMatch(/value="approve" class="main">Approuver<.*value="refuse" class="no">Refuser</);
		expect(page).not.toMatch(/\b(?:optional|Approve|Refuse|Your)\b/);
		expect(thanksPage('fr')).toContain('<h1>Merci</h1>');
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
