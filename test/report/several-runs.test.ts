import type { Step } from '../../lib/core/run';
import { writeHtml, writeHtmlOfAll, type HtmlOptions } from '../../lib/report/html-report';
import { writeJsonLines } from '../../lib/report/json-lines';
import { PAGE_COLOURS, stepChart } from '../../lib/report/step-chart';
import { wordsOf } from '../../lib/report/words';
import type { ReportShow, ReportSource } from '../../lib/report/report-source';
import { writeReport, writeReports } from '../../lib/report/write-report';
import { duration } from '../../lib/report/facts';
import { makeCall, makeRun } from '../support/make-run';

const options: HtmlOptions = { form: 'page', language: 'en', title: 'Week 12', sections: ['answer', 'check', 'figures', 'sources', 'steps', 'run'], maxRows: 50 };
const costs = makeCall('aggregate_records', { groupBy: ['asset'] }, { groups: [{ asset: 'A', total: 183.05 }] });
const usage = (tokens: number, cost: number | null) => ({ model: 'm', in: tokens, out: 10, cost });
const sources: ReportSource[] = [
	{ run: makeRun([costs], { usage: usage(100, 0.00123456) }), question: 'Which machine cost most?' },
	{ run: makeRun([], { usage: usage(50, 0.002), stoppedBy: 'error', answer: '', partial: true, durationMs: 1000 }), question: 'And <b>next</b>?', error: { message: 'HTTP 500' } },
	{ run: makeRun([costs], { usage: { model: 'm', in: null, out: null, cost: null }, stoppedBy: 'question', answer: '' }), waitsFor: 'Which site?' },
];

describe('a report of several runs', () => {
	it('begins with contents and totals and has a section for each, in Markdown', () => {
		const report = writeReports(sources, options);
		expect(report.match(/^#{1,2} .*$/gm)).toEqual(['# Week 12', '## Contents', '## 1. Which machine cost most?', '## 2. And &lt;b>next&lt;/b>?', '## 3. Run 3']);
		expect(report).toContain('| 1. Which machine cost most? | answered | 1 | 110 | 0.001235 | 2.35 s |');
		expect(report).toContain('| 3. Run 3 | waits for an answer of a person | 1 | unknown |  | 2.35 s |\n| All runs | 1 / 3 | 2 | 170 | 0.003235 | 5.69 s |');
		expect(report).toContain('### Answer\n\nMachine A cost most.');
		expect(report).toContain('> What went wrong: HTTP 500.');
		expect(report).toContain('> It waits for a person: Which site?');
	});

	it('leads from the contents to each run on a page, and names them in a mail', async () => {
		const page = await writeHtmlOfAll(sources, options);
		expect(page).toContain('<a href="#run-2">2. And &lt;b&gt;next&lt;/b&gt;?</a>');
		expect(page.match(/<section class="run" id="run-\d">/g)).toHaveLength(3);
		expect(page).toContain('<p class="notice-bad">What went wrong: HTTP 500.</p>');
		const mail = await writeHtmlOfAll(sources, { ...options, form: 'mail', language: 'fr' });
		expect(mail).not.toMatch(/<a |class="|<details/);
		expect(mail).toMatch(/Toutes les exécutions[\s\S]*0,003235/);
	});

	it('of 10 runs with 20 steps each stays under 2 MB, like one of 200 steps', async () => {
		const calls = Array.from({ length: 20 }, (_, i) => makeCall(`tool_${i}`, { n: i }, undefined, { text: 'é<&>'.repeat(20_000) }));
		const html = await writeHtmlOfAll(Array.from({ length: 10 }, () => ({ run: makeRun(calls) })), options);
		expect(Buffer.byteLength(html)).toBeLessThan(2_000_000);
	});
});

describe('what is shown of the steps', () => {
	const steps: Step[] = [{ ...makeRun([costs]).steps[0]!, thought: 'I think', injected: 'Thought: again', correction: 'Write again', abandoned: 'in circles' }];
	const source: ReportSource = { run: makeRun([costs], { steps, answer: 'It was A.' }) };
	const seen = async (show: ReportShow): Promise<string[]> => {
		const all = { ...options, show };
		return [writeReport(source, all), await writeHtml(source, all), await writeHtml(source, { ...all, form: 'mail' }), writeJsonLines(source.run, show)];
	};

	it.each([
		['everything', ['I think', 'again', 'Write again', 'in circles', 'aggregate_records', 'It was A.'], []],
		['no-thoughts', ['Write again', 'in circles', 'aggregate_records', 'It was A.'], ['I think', 'Thought']],
		['calls', ['aggregate_records', 'It was A.'], ['I think', 'Write again', 'in circles']],
		['answer', ['It was A.'], ['I think', 'Write again', 'aggregate_records<', 'Steps']],
	] as const)('with %s is the same in every format', async (show, there, missing) => {
		for (const report of await seen(show)) {
			for (const text of there) expect(report).toContain(text);
			for (const text of missing) expect(report).not.toContain(text);
		}
	});

	it('tells the plan of a run, what came of its steps, and which step a turn worked on', async () => {
		const done = { output: 'A: 183.05' };
		const plan = [{ id: 's1', title: 'Costs', task: 't', dependsOn: [], success: '', result: done }, { id: 's2', title: 'Parts', task: 't', dependsOn: [], success: '', result: { output: 'no stock', failed: true } }, { id: 's3', title: 'Order', task: 't', dependsOn: [], success: '' }];
		const written = { ...makeRun([costs]).steps[0]!, calls: [], plan: plan.slice(0, 2).map(({ result, ...step }) => (result === done ? { ...step, result } : step)) };
		const run = makeRun([costs], { plan: { steps: plan, notes: ['Put right.'], replanned: true }, steps: [written, { ...makeRun([costs]).steps[0]!, number: 2, planStep: 's1', planResult: done }] });
		const page = await writeHtml({ run }, options);
		expect(page).toMatch(/<b>s1<\/b> Costs <span class="ok">done<\/span>[\s\S]*<span class="bad">failed<\/span>[\s\S]*<b>s3<\/b> Order <span class="soft">not done<\/span>[\s\S]*Put right\./);
		expect(page).toMatch(/<b>1<\/b> plan written anew [\s\S]*<b>2<\/b> <span class="tag">s1<\/span> aggregate_records/);
		expect(writeReport({ run }, options)).toContain('### Plan\n\n- **s1** Costs (done): A: 183.05\n- **s2** Parts (failed): no stock\n- **s3** Order (not done)\n- Put right.');
	});
});

describe('the chart of steps', () => {
	it('draws each step that took something, and nothing for a run of one step', () => {
		const words = wordsOf('en');
		const svg = stepChart(makeRun([costs, costs, costs]), words, PAGE_COLOURS);
		expect(svg.match(/<rect [^>]*height="[1-9]/g)?.length).toBeGreaterThanOrEqual(3 * 4);
		expect(svg).toContain('Tokens per step');
		expect(svg).not.toMatch(/NaN|Infinity|undefined/);
		expect(stepChart(makeRun([costs]), words, PAGE_COLOURS)).toBe('');
		const replayed = makeRun([costs, costs]);
		const unknown = { ...replayed, steps: replayed.steps.map((step) => ({ ...step, usage: { in: null, out: null } })) };
		expect(stepChart(unknown, words, PAGE_COLOURS)).not.toContain('Tokens per step');
	});

	it('of 200 steps has bars that can be told apart', () => {
		const svg = stepChart(makeRun(Array.from({ length: 200 }, () => costs)), wordsOf('fr'), PAGE_COLOURS);
		expect(svg.match(/text-anchor="middle"/g)!.length).toBeLessThanOrEqual(2 * 20);
		expect(svg.length).toBeLessThan(100_000);
	});
});

it.each([[0, '0.00 s'], [0.2, '1 ms'], [3.4, '3 ms'], [9.9, '10 ms'], [12, '0.01 s'], [9_994, '9.99 s'], [45_400, '45 s']])('%s ms is told as %s', (ms, text) => {
	expect(duration(ms)).toBe(text);
});
