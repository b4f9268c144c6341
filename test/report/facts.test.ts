import { factsOf } from '../../lib/report/facts';
import { writeHtml } from '../../lib/report/html-report';
import { joinRuns } from '../../lib/report/join-runs';
import type { ReportOptions } from '../../lib/report/report-source';
import { wordsOf } from '../../lib/report/words';
import { writeReport, writeReports } from '../../lib/report/write-report';
import { makeCall, makeRun } from '../support/make-run';

const options: ReportOptions = { language: 'en', title: '', sections: ['answer', 'check', 'steps', 'run'], maxRows: 50, timezone: 'Europe/Paris' };
const french: ReportOptions = { ...options, language: 'fr' };
const told = (run: ReturnType<typeof makeRun>, how: ReportOptions): string[] => factsOf(run, wordsOf(how.language), how).map(({ text }) => text);

describe('the facts of a run', () => {
	it('give its begin in the time of the workflow, to the minute', () => {
		const run = makeRun([], { startedAt: '2026-11-30T04:24:10.735Z' });
		expect(told(run, options)).toContain('Started: 30 Nov 2026, 05:24 (Europe/Paris)');
		expect(told(run, french)).toContain('Début : 30/11/2026 05:24 (Europe/Paris)');
		expect(told(makeRun([], { startedAt: 'long ago' }), options)).toContain('Started: long ago');
	});

	it('say how it ended in words', () => {
		expect(told(makeRun([]), french)).toContain('État : réponse donnée');
		expect(told(makeRun([]), options)).toContain('State: answered');
	});

	it('leave out a first token that comes after the end', () => {
		expect(told(makeRun([], { durationMs: 10, firstTokenMs: 30 }), options).join()).not.toContain('First token');
		expect(told(makeRun([], { durationMs: 30, firstTokenMs: 30 }), options)).toContain('First token after: 0.03 s');
	});

	it('of joined runs are the sum of the times and the first token of the first', () => {
		const parts = [80, 900].map((firstTokenMs) => ({ run: makeRun([], { durationMs: 1000, firstTokenMs }) }));
		const joined = joinRuns(parts, { question: 'q', answer: 'a', plan: { steps: [], notes: [], replanned: false }, usage: { in: 1, out: 1 } });
		expect(joined).toMatchObject({ durationMs: 2000, firstTokenMs: 80 });
	});
});

describe('the texts around an answer', () => {
	it('are grey, not green, when the answer has no figure to check', async () => {
		const html = async (answer: string): Promise<string> => await writeHtml({ run: makeRun([makeCall('a', {}, { n: 3 })], { answer }) }, { ...options, form: 'page' });
		expect(await html('None.')).toContain('<p class="soft">The answer states no figure.</p>');
		expect(await html('It is 3.')).toContain('<p class="ok">The one figure of the answer');
	});

	it('have a space before each colon in French', () => {
		const run = makeRun([makeCall('a', {}, undefined, { isError: true, text: 'en panne' })], { answer: 'Il y en a 77.', warnings: ['attention'], partial: true });
		const report = writeReport({ run, question: 'Combien ?', error: { message: 'Panne', remedy: 'Voir' } }, french);
		expect(report).toContain('**77** : Il y en a 77.');
		expect(report).toContain('échec : en panne');
		expect(report).toContain('Avertissement : attention');
		expect(report).not.toMatch(/[^\s\d]:\s/);
	});

	it('do not repeat a question that is the title or the heading already', async () => {
		const source = { run: makeRun([]), question: 'Which machine\ncost most?' };
		const titled = { ...options, title: 'Which machine cost most?' };
		expect(writeReport(source, titled)).not.toContain('Question');
		expect(writeReport(source, options)).toContain('**Question**: Which machine cost most?');
		for (const form of ['page', 'mail'] as const) expect(await writeHtml(source, { ...titled, form })).not.toContain('Question');
		expect(writeReports([source], options)).not.toContain('**Question**');
		expect(writeReports([{ ...source, question: 'Which? '.repeat(30) }], options)).toContain('**Question**: Which? Which?');
	});
});
