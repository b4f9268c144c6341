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
});
