import { chartTools } from '../../lib/toolkits/chart';
import { diffLines } from '../../lib/toolkits/diff-lines';
import { textTools } from '../../lib/toolkits/text';
import fc from 'fast-check';
import { callTool, dataOf } from './call-tool';

describe('text tools', () => {
	const tools = textTools();

	it('counts words, sentences and occurrences, accents aside', async () => {
		const text = "L'été est là. Été pourri !\nFin";
		expect(await dataOf(tools, 'count_in_text', { text, search: 'ete' })).toEqual({ characters: 30, words: 6, sentences: 3, lines: 2, occurrences: 2 });
		expect(await dataOf(tools, 'count_in_text', { text: '' })).toEqual({ characters: 0, words: 0, sentences: 0, lines: 0 });
	});

	it('extracts what has a form', async () => {
		const text = 'Écrire à jean.dupont@usine.fr (https://usine.fr/p?a=1). Pièce N-92C, 1 234,56 €, le 31/12/2025 ou le 3 janvier 2026 : « urgent ».';
		const values = async (what: string) => (await dataOf(tools, 'extract_from_text', { text, what })).values;
		expect(await values('emails')).toEqual(['jean.dupont@usine.fr']);
		expect(await values('urls')).toEqual(['https://usine.fr/p?a=1']);
		expect(await values('codes')).toEqual(['N-92C']);
		expect(await values('numbers')).toContain('1 234,56');
		expect(await values('dates')).toEqual(['31/12/2025', '3 janvier 2026']);
		expect(await values('quoted')).toEqual(['« urgent »']);
	});

	it('finds and replaces by regular expression', async () => {
		expect(await dataOf(tools, 'find_in_text_by_regex', { text: 'P-1 p-22', pattern: 'p-(\\d+)', flags: 'i' })).toEqual({
			matches: [{ text: 'P-1', at: 0, groups: ['1'] }, { text: 'p-22', at: 4, groups: ['22'] }], total: 2, complete: true,
		});
		expect(await dataOf(tools, 'replace_in_text_by_regex', { text: 'a1b2', pattern: '\\d', replacement: '<$&>' })).toEqual({ text: 'a<1>b<2>', count: 2 });
		expect((await callTool(tools, 'find_in_text_by_regex', { text: 'x', pattern: '(' })).text).toContain('not a regular expression');
	});

	it('stops a pattern that would run for years', async () => {
		const began = performance.now();
		const output = await callTool(tools, 'find_in_text_by_regex', { text: `${'a'.repeat(40)}!`, pattern: '^(a+)+$' });
		expect(output).toMatchObject({ isError: true, text: expect.stringContaining('simpler pattern') });
		expect(performance.now() - began).toBeLessThan(5_000);
	});

	it('compares texts', async () => {
		expect(await dataOf(tools, 'compare_texts', { first: 'Pompe arrêtée', second: 'pompe arretee' })).toMatchObject({ equal: false, equal_ignoring_case_and_accents: true, likeness: 1 });
		expect(await dataOf(tools, 'compare_texts', { first: 'a b', second: 'b c' })).toMatchObject({ likeness: 0.333, only_in_first: ['a'], only_in_second: ['c'] });
	});

	it('shows changed lines with a little around them', async () => {
		const before = ['1', '2', '3', '4', '5', '6', '7', '8'].join('\n');
		expect(await dataOf(tools, 'diff_texts', { before, after: before.replace('5', 'five\n5b') })).toEqual({ added: 2, removed: 1, diff: '…\n  3\n  4\n- 5\n+ five\n+ 5b\n  6\n  7\n…' });
		expect(diffLines('a', 'a')).toEqual({ added: 0, removed: 0, diff: '' });
	});

	it('counts as many changes as lead from one text to the other', () => {
		const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 });
		fc.assert(fc.property(lines, lines, (before, after) => {
			const { added, removed } = diffLines(before.join('\n'), after.join('\n'));
			expect(before.length - removed + added).toBe(after.length);
		}));
	});
});

describe('draw_chart', () => {
	const tools = chartTools();
	const data = [{ mois: 'janv.', 'coût.€': 12.5, type: 'A' }, { mois: 'févr.', 'coût.€': 8, type: 'B' }];
	const bytes = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64');

	it('draws bars, lines and a pie as PNG and SVG', async () => {
		for (const kind of ['bar', 'line', 'pie']) {
			const output = await callTool(tools, 'draw_chart', { kind, data, x: 'mois', y: 'coût.€', title: 'Coûts par mois', format: 'both' });
			expect(output.isError ? output.text : '').toBe('');
			expect(output.data).toEqual({ title: 'Coûts par mois', rows: 2, files: ['Coûts-par-mois.png', 'Coûts-par-mois.svg'] });
			expect(bytes(output.files?.[0]?.data).subarray(1, 4).toString()).toBe('PNG');
			const svg = bytes(output.files?.[1]?.data).toString();
			expect(svg).toContain('févr.');
			expect(svg).toMatch(/aria-roledescription="(bar|line mark|arc mark)"/);
		}
	}, 30_000);

	it('takes a Vega-Lite specification, and fetches nothing for it', async () => {
		const spec = { data: { values: [{ url: 1, y: 2 }] }, mark: 'point', encoding: { x: { field: 'url', type: 'quantitative' }, y: { field: 'y', type: 'quantitative' } } };
		expect((await callTool(tools, 'draw_chart', { spec, format: 'svg' })).files).toHaveLength(1);
		const remote = await callTool(tools, 'draw_chart', { spec: { ...spec, data: { url: 'http://127.0.0.1/x.csv' } } });
		expect(remote).toMatchObject({ isError: true, text: expect.stringContaining('"url" is not allowed') });
		const endless = await callTool(tools, 'draw_chart', { spec: { ...spec, data: { sequence: { start: 0, stop: 1e12 } } } });
		expect(endless.text).toContain('"sequence" is not allowed');
	});

	it('says what is wrong with the rows', async () => {
		expect((await callTool(tools, 'draw_chart', { kind: 'bar', data, x: 'month', y: 'coût.€' })).text).toContain('no field "month"; they have: mois, coût.€, type');
		expect((await callTool(tools, 'draw_chart', { kind: 'bar', data: [{ a: 'x', b: 'y' }], x: 'a', y: 'b' })).text).toContain('must hold numbers');
		expect((await callTool(tools, 'draw_chart', {})).text).toContain('or spec');
	});
});
