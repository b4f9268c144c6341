import { connect, node, runWorkflow, start } from '../support/run-workflow';
import { makeCall, makeRun } from '../support/make-run';
import { RunReport } from '../../nodes/RunReport/RunReport.node';

const reported = makeRun([makeCall('count_records', { where: 'x' }, { count: 3 })]);

async function run(items: Array<Record<string, unknown>>, more: Record<string, unknown> = {}, parameters: Record<string, string> = {}) {
	return await runWorkflow({
		nodeTypes: { 'p.runReport': new RunReport() },
		nodes: [start(), node('Report', 'p.runReport', { title: 'Costs', ...parameters }, more)],
		connections: connect(['Start', 'main', 'Report']),
		input: items.map((json) => ({ json: json as never })),
	});
}

describe('Run Report node', () => {
	it('adds the report as text and as a file and keeps the rest of the item', async () => {
		const done = await run([{ run: reported, output: 'Three.', query: 'How many?', site: 'North' }]);
		const [item] = done.items('Report');
		expect(item?.json).toMatchObject({ site: 'North', output: 'Three.' });
		expect(item?.json.report).toContain('# Costs\n\n**Question**: How many?\n\n## Answer\n\nThree.');
		expect(item?.json.report).toContain('| count |\n|---|\n| 3 |');
		expect(item?.binary?.report).toMatchObject({ fileName: 'report.md', mimeType: 'text/markdown' });
	});

	it('fails only the item that has no run', async () => {
		const done = await run([{ run: reported }, { output: 'x' }], { onError: 'continueRegularOutput' });
		const items = done.items('Report');
		expect(items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items[0]?.json.report).toContain('# Costs');
		expect(items[1]?.json).toMatchObject({ error: expect.stringContaining('has no run'), message: expect.stringContaining('ReAct Agent') });
	});

	it.each([
		['page', 'report.html', 'text/html', /^<!doctype html>[\s\S]*<style>/],
		['mail', 'report.html', 'text/html', /<h1 style="/],
		['jsonl', 'report.jsonl', 'application/x-ndjson', /^\{"type":"run"/],
	])('writes it as %s, with a file of that kind', async (format, fileName, mimeType, begin) => {
		const [item] = (await run([{ run: reported, output: 'Three.' }], {}, { format })).items('Report');
		expect(item?.json.report).toMatch(begin);
		expect(item?.json.report).toContain('Three.');
		expect(item?.binary?.report).toMatchObject({ fileName, mimeType });
	});

	it('names the formats when it is given another one', async () => {
		const done = await run([{ run: reported }], {}, { format: '={{ "html" }}' });
		expect(done.error?.message).toBe('There is no format "html"');
		expect((done.error as { description?: string }).description).toContain('jsonl, mail, markdown, page');
	});

	it('writes one report of all items, those of an error output too', async () => {
		const failed = { error: 'HTTP 500', message: 'Look at the server.', details: { run: makeRun([], { stoppedBy: 'error', answer: '' }) }, query: 'And B?' };
		const done = await run([{ run: reported, output: 'Three.', query: 'How many?' }, failed], {}, { items: 'all', format: 'page' });
		expect(done.items('Report')).toHaveLength(1);
		const [item] = done.items('Report');
		expect(item?.json).toMatchObject({ runs: 2, report: expect.stringMatching(/1\. How many\?[\s\S]*2\. And B\?[\s\S]*HTTP 500\. What to do: Look at the server\./) });
		expect(item?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('of all items leaves out those without a run, and says which', async () => {
		const done = await run([{ output: 'x' }, { run: reported }], { onError: 'continueRegularOutput' }, { items: 'all' });
		expect(done.items('Report').map(({ json }) => [json.runs, json.error !== undefined])).toEqual([[1, false], [undefined, true]]);
		expect((await run([{ run: reported }, { output: 'x' }], {}, { items: 'all' })).error).toMatchObject({ message: expect.stringContaining('has no run'), context: { itemIndex: 1 } });
	});

	describe('pictures of a mail', () => {
		const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>').toString('base64');
		const binary = { logo: { data: dot, mimeType: 'image/png', fileName: 'logo.png' }, file_1: { data: svg, mimeType: 'image/svg+xml', fileName: 'cost.svg' }, file_2: { data: 'AA==', mimeType: 'text/plain' } };
		const twoSteps = makeRun([makeCall('a', {}, { n: 1 }), makeCall('b', {}, { n: 2 })]);
		const mail = async (parameters: Record<string, unknown>) =>
			await runWorkflow({
				nodeTypes: { 'p.runReport': new RunReport() },
				nodes: [start(), node('Report', 'p.runReport', { format: 'mail', ...parameters } as never)],
				connections: connect(['Start', 'main', 'Report']),
				input: [{ json: { run: twoSteps as never }, binary }],
			});

		it('are attached under the names that the mail refers to: logo, chart of the steps, pictures of tools as PNG', async () => {
			const [item] = (await mail({})).items('Report');
			const html = String(item?.json.report);
			expect(item?.json.attachments).toBe('picture_1,picture_2,logo');
			expect(html.match(/src="[^"]*"/g)).toEqual(['src="cid:logo"', 'src="cid:picture_1"', 'src="cid:picture_2"']);
			expect(['logo', 'picture_1', 'picture_2', 'report'].map((field) => item?.binary?.[field]?.mimeType)).toEqual(['image/png', 'image/png', 'image/png', 'text/html']);
			expect(item?.binary?.picture_2?.fileName).toBe('cost.png');
		});

		it('stand inside when asked, and a page always has them inside', async () => {
			const [inside] = (await mail({ options: { mailPictures: 'inside' } })).items('Report');
			expect(String(inside?.json.report).match(/src="data:image\/png;base64,/g)).toHaveLength(3);
			expect([inside?.json.attachments, inside?.binary?.picture_1]).toEqual(['', undefined]);
			const [page] = (await mail({ format: 'page' })).items('Report');
			expect(String(page?.json.report)).toMatch(/<svg [\s\S]*src="data:image\/svg\+xml;base64,/);
			expect(page?.json).not.toHaveProperty('attachments');
		});
	});
});
