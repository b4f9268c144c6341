import { htmlTable, inlineStyles, markdownToHtml } from '../../lib/report/html';
import { writeHtml, type HtmlOptions } from '../../lib/report/html-report';
import { makeCall, makeRun } from '../support/make-run';

const options: HtmlOptions = { form: 'mail', language: 'en', title: '', sections: ['answer', 'figures', 'steps'], maxRows: 50 };
const widths = (html: string): number[] => [...html.matchAll(/<col width="([\d.]+)%">/g)].map(([, width]) => Number(width));

describe('wide texts in a report', () => {
	it('have fixed columns in the steps of a mail: long inputs and results get equal room, short cells stay readable', async () => {
		const call = makeCall('search_work_orders', { text: 'Replace burst hydraulic hose at the boom, '.repeat(5) }, undefined, { text: `{"workOrders":[${'"e1138",'.repeat(200)}]}` });
		const html = await writeHtml({ run: makeRun([call]) }, options);
		expect(html).toMatch(/<table style="[^"]*width:100%;table-layout:fixed">/);
		const [step, tool, input, result, time] = widths(html);
		expect(input).toBe(result);
		expect(tool).toBeGreaterThan(20);
		expect(Math.min(step ?? 0, time ?? 0)).toBeGreaterThan(8);
		expect(widths(html).reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 0);
	});

	it('may break anywhere in every cell, paragraph and block of code of a mail and of a page', async () => {
		const run = makeRun([makeCall('a', {}, [{ text: 'x'.repeat(500) }])], { answer: `${'y'.repeat(500)}\n\n\`\`\`\n${'z'.repeat(500)}\n\`\`\`` });
		const mail = await writeHtml({ run }, options);
		for (const tag of ['td', 'pre', 'div']) expect(mail).toMatch(new RegExp(`<${tag} style="[^"]*overflow-wrap:anywhere;word-break:break-word`));
		const page = await writeHtml({ run }, { ...options, form: 'page' });
		expect(page).toMatch(/\nbody\{[^}]*overflow-wrap:anywhere/);
		expect(page).toContain('table.fixed{table-layout:fixed;width:100%}');
	});

	it('leave tables that fit as they are, and let those with very many columns scroll', () => {
		expect(htmlTable(['asset', 'total'], [['A', '183.05']])).toMatch(/^<div class="wide"><table><thead>/);
		const columns = Array.from({ length: 20 }, (_none, at) => `column ${at}`);
		expect(htmlTable(columns, [columns])).toMatch(/^<div class="wide"><table><thead>/);
		expect(htmlTable(columns, [['a long text '.repeat(9), ...columns.slice(1)]])).toMatch(/^<div class="wide"><table class="fixed" style="min-width:1600px"><colgroup>/);
	});

	it('keep the style that an element has of its own beside that of a mail', async () => {
		const table = await markdownToHtml('| a |\n|--:|\n| 1 |');
		expect(table).toMatch(/^<div class="wide"><table>[\s\S]*<\/table><\/div>/);
		expect(inlineStyles(table, { td: 'padding:5px;text-align:left' })).toContain('<td style="padding:5px;text-align:left;text-align:right">');
	});

	it('cannot smuggle a table into the page', async () => {
		expect(await markdownToHtml('</table><table>')).not.toMatch(/<\/?(?:table|div)/);
	});
});
