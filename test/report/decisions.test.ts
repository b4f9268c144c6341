import type { Decision, RunReport } from '../../lib/core/run';
import { writeHtml } from '../../lib/report/html-report';
import type { ReportOptions } from '../../lib/report/report-source';
import { readRun } from '../../lib/report/read-run';
import { writeReport } from '../../lib/report/write-report';
import { makeCall, makeRun } from '../support/make-run';

const options: ReportOptions = { language: 'en', title: '', sections: ['steps'], maxRows: 50, timezone: 'Europe/Paris' };
const at = '2026-11-30T04:59:10.123Z';

function decided(decision: Decision, over: Parameters<typeof makeCall>[3] = {}): RunReport {
	return makeRun([{ ...makeCall('create_work_order', { asset: 'B' }, undefined, over), decision }]);
}

async function everyFormat(run: RunReport, more: Partial<ReportOptions> = {}): Promise<string[]> {
	const how = { ...options, ...more };
	return [writeReport({ run }, how), await writeHtml({ run }, { ...how, form: 'page' }), await writeHtml({ run }, { ...how, form: 'mail' })];
}

describe('what a person decided about a call', () => {
	it.each<[string, Decision, Partial<ReportOptions>, string]>([
		['an approval', { approved: true, at, by: 'Jean Dupont' }, {}, 'Approved by Jean Dupont, 30 Nov 2026, 05:59.'],
		['an approval in French', { approved: true, at, by: 'Jean Dupont' }, { language: 'fr' }, 'Approuvé par Jean Dupont, 30/11/2026 05:59.'],
		['a note', { approved: true, at, by: 'J', note: 'Both hoses' }, {}, 'Approved by J, 30 Nov 2026, 05:59. Note: Both hoses'],
		['changed arguments', { approved: true, at, arguments: { asset: 'C' } }, {}, 'Approved by a person, 30 Nov 2026, 05:59, with changed arguments.'],
		['changed arguments in French', { approved: true, at, arguments: {}, note: 'Deux' }, { language: 'fr' }, 'Approuvé par une personne, 30/11/2026 05:59, avec des arguments modifiés. Remarque : Deux'],
		['a refusal', { approved: false, at, by: 'J', note: 'Too dear' }, {}, 'Refused by J, 30 Nov 2026, 05:59. Note: Too dear'],
		['a refusal by nobody known', { approved: false, at }, { language: 'fr', show: 'calls' }, 'Refusé, 30/11/2026 05:59.'],
		['no time', { approved: true, at: '', by: 'J' }, {}, 'Approved by J.'],
	])('is told in every format: %s', async (_name, decision, more, text) => {
		for (const report of await everyFormat(decided(decision), more)) expect(report).toContain(text);
	});

	it('shows on a page before the step is unfolded', async () => {
		const [, page] = await everyFormat(decided({ approved: true, at, by: '<Jean>' }));
		expect(page).toMatch(/<details><summary><b>1<\/b>[^\n]*?<span class="tag">Approved by &lt;Jean&gt;, 30 Nov 2026, 05:59<\/span>[^\n]*?<\/summary>/);
	});

	it('is no failure when it is a refusal, and one when the approved call failed', async () => {
		const refused = await everyFormat(decided({ approved: false, at, by: 'J' }, { isError: true, text: 'J refused this.' }));
		for (const report of refused) expect(report).not.toContain('failed');
		const failed = await everyFormat(decided({ approved: true, at, by: 'J' }, { isError: true, text: 'server down' }), { language: 'fr' });
		expect(failed[0]).toContain('05:59. échec : server down |');
		for (const report of failed) expect(report).toContain('échec');
	});

	it('is read from what other nodes made of it', async () => {
		const read = (decision: unknown): string => writeReport({ run: readRun(decided(decision as Decision)) }, options);
		expect(read({ approved: false, at: null, by: null, note: 7 })).toContain('| Refused. Note: 7. ok |');
		for (const broken of ['yes', null, {}, { approved: 'yes', by: 'J' }]) expect(read(broken)).toContain('| ok |');
	});

	it('is not told of calls that needed none', async () => {
		for (const report of await everyFormat(makeRun([makeCall('a', {}, {})]))) expect(report).not.toMatch(/approved|refused/i);
	});
});
