import { writeHtml, type HtmlOptions } from '../../lib/report/html-report';
import { writeJsonLines } from '../../lib/report/json-lines';
import { makeCall, makeRun } from '../support/make-run';

const options: HtmlOptions = { form: 'page', show: 'everything', language: 'en', title: '', sections: ['answer', 'check', 'figures', 'sources', 'steps', 'run'], maxRows: 50 };
const costs = makeCall('aggregate_records', { groupBy: ['asset'] }, { groups: [{ asset: 'Pelle n° 12', total: 183.05 }] });

describe('the HTML report', () => {
	it('asks no server for anything and runs no code, whatever the model, the tools and the passages hold', async () => {
		const evil = '<script>alert(1)</script> ![x](https://evil.example/p.png) [k](javascript:alert(1)) <img src=x onerror=alert(1)>';
		const call = makeCall(evil, { a: evil }, undefined, { text: evil });
		const run = makeRun([call], { answer: evil, warnings: [evil], steps: [{ ...makeRun([call]).steps[0]!, thought: evil, correction: evil, injected: evil, abandoned: evil }] });
		for (const form of ['page', 'mail'] as const) {
			const html = await writeHtml({ run, question: evil, documents: [{ title: evil, text: evil }] }, { ...options, form, title: evil });
			expect(html).not.toMatch(/<script|<img|<link|<iframe|<[a-z][^>]*\s(?:src|href)="(?!http)|url\(|@import/i);
			expect(html).not.toMatch(/<[^>]+\son[a-z]+=/i);
		}
	});

	it('tells the answer, the check, the figures, the sources and each step, in French too', async () => {
		const run = makeRun([costs], { answer: '**Pelle n° 12** a coûté 183,05 €, soit 999 € de trop.' });
		const html = await writeHtml({ run, question: 'Combien ?', documents: [{ title: 'Fuites', source: 'fuites.md', text: 'Contrôler le joint.' }] }, { ...options, language: 'fr' });
		expect(html).toContain('<html lang="fr">');
		expect(html).toContain('<strong>Pelle n° 12</strong> a coûté 183,05 €, soit 999 € ⚠ de trop.');
		expect(html).toContain('1 des 3 chiffres de la réponse ne se trouvent dans aucun résultat');
		expect(html).toContain('<td>Pelle n° 12</td><td class="n">183.05</td>');
		expect(html).toContain('<li><b>Fuites</b> (fuites.md)<blockquote>Contrôler le joint.</blockquote></li>');
		expect(html).toMatch(/<details><summary><b>1<\/b> aggregate_records /);
	});

	it('shows of the steps what is wanted', async () => {
		const run = makeRun([costs], { steps: [{ ...makeRun([costs]).steps[0]!, thought: 'I think', correction: 'Write again', abandoned: 'in circles' }] });
		const shown = async (show: HtmlOptions['show']) => await writeHtml({ run }, { ...options, show });
		expect(await shown('everything')).toMatch(/I think[\s\S]*Write again[\s\S]*in circles/);
		expect(await shown('no-thoughts')).not.toContain('I think');
		expect(await shown('no-thoughts')).toContain('Write again');
		expect(await shown('calls')).not.toMatch(/I think|Write again/);
		expect(await writeHtml({ run }, { ...options, sections: ['answer'] })).not.toContain('<details');
	});

	it('as an e-mail has its styles in the elements and nothing to unfold', async () => {
		const html = await writeHtml({ run: makeRun([costs]) }, { ...options, form: 'mail', logo: 'data:image/png;base64,AAAA' });
		expect(html).not.toMatch(/<style|<details|class="/);
		expect(html).toMatch(/<td style="padding:5px 8px;border-bottom:1px solid #e8ecf2;text-align:left;vertical-align:top;[^"]*">Pelle n° 12<\/td>/);
		expect(html).toMatch(/<img src="data:image\/png;base64,AAAA" alt="" style="[^"]*max-height:56px/);
	});

	it('masks what looks like a secret', async () => {
		const call = makeCall('login', { api_key: 'abcdef123456' }, undefined, { text: 'Authorization: Bearer abcdefgh12345678' });
		const html = await writeHtml({ run: makeRun([call]) }, options);
		expect(html).not.toMatch(/abcdef123456|abcdefgh12345678/);
	});

	it('of 200 steps with long results stays under 2 MB', async () => {
		const calls = Array.from({ length: 200 }, (_, i) => makeCall(`tool_${i}`, { n: i }, undefined, { text: 'é<&>'.repeat(20_000) }));
		const html = await writeHtml({ run: makeRun(calls) }, options);
		expect(Buffer.byteLength(html)).toBeLessThan(2_000_000);
		expect(html.match(/<details><summary><b>/g)).toHaveLength(200);
	});

	it.each([
		['failed', { stoppedBy: 'error', answer: '', partial: true, warnings: ['the model is gone'] }, { error: { message: 'HTTP 500', remedy: 'Look at the server.' } }, ['<li class="bad">State: failed</li>', 'What went wrong: HTTP 500', 'What to do: Look at the server.', 'The run ended without an answer.', 'the model is gone']],
		['capped', { stoppedBy: 'step-limit', partial: true }, {}, ['State: stopped at the limit of steps', 'The answer is partial']],
		['cancelled', { stoppedBy: 'aborted', answer: '', partial: true }, {}, ['State: cancelled', 'The run ended without an answer.']],
		['paused', { stoppedBy: 'approval', answer: '', partial: true }, { answer: 'May I?', waitsFor: 'May I order <4>?' }, ['<li class="warn">State: waits for the approval of a person</li>', 'It waits for a person: May I order &lt;4&gt;?']],
	])('of a %s run says so, as a page and as a mail, and nothing else', async (kind, over, source, expected) => {
		for (const form of ['page', 'mail'] as const) {
			const html = await writeHtml({ run: makeRun([costs], over as object), ...source }, { ...options, form });
			for (const text of expected) expect(html.replace(/<li style="[^"]*"/, `<li class="${kind === 'paused' ? 'warn' : 'bad'}"`)).toContain(text);
			expect(html.includes('ended without an answer')).toBe(kind === 'failed' || kind === 'cancelled');
			expect(html.includes('The answer is partial')).toBe(kind === 'capped');
		}
	});
});

describe('JSON lines', () => {
	it('are one for the run, each step, each call and the answer, each readable by itself', () => {
		const lines = writeJsonLines(makeRun([costs, makeCall('count', {}, { count: 3 })])).trimEnd().split('\n').map((line) => JSON.parse(line) as { type: string; startedAt: string });
		expect(lines.map(({ type }) => type)).toEqual(['run', 'step', 'call', 'step', 'call', 'answer']);
		expect(new Set(lines.map(({ startedAt }) => startedAt)).size).toBe(1);
	});
});
