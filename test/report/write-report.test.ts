import { readRun } from '../../lib/report/read-run';
import type { ReportOptions } from '../../lib/report/report-source';
import { writeReport } from '../../lib/report/write-report';
import { makeCall, makeRun } from '../support/make-run';

const options: ReportOptions = { language: 'en', title: 'Maintenance report', sections: ['answer', 'figures', 'sources', 'steps', 'run'], maxRows: 50 };
const costs = makeCall('aggregate_records', { groupBy: ['asset'], sum: 'cost' }, { groups: [{ asset: 'A', total: 183.05 }, { asset: 'B', total: 0.1 }] });

describe('writeReport', () => {
	it('fills the figures from tool results and keeps every digit', () => {
		const report = writeReport({ run: makeRun([costs]) }, options);
		expect(report).toContain('### 1. aggregate_records');
		expect(report).toContain('(groupBy: asset; sum: cost)');
		expect(report).toContain('| asset | total |\n|---|---|\n| A | 183.05 |\n| B | 0.1 |');
	});

	it('takes no figure from what the model wrote', () => {
		const run = makeRun([costs], { answer: '## Figures\n\n| asset | total |\n|---|---|\n| A | 999 |' });
		const report = writeReport({ run }, { ...options, sections: ['figures'] });
		expect(report).not.toContain('999');
	});

	it('keeps headings of the answer below its own', () => {
		const report = writeReport({ run: makeRun([], { answer: '# Figures\n\nTotal\n===\n\ntext' }) }, options);
		expect(report.match(/^## .*$/gm)).toEqual(['## Answer', '## Figures', '## The run']);
		expect(report).toContain('### Figures');
		expect(report).toContain('\\===');
	});

	it('says first that no model was called when a script was replayed', () => {
		const run = makeRun([costs], { usage: { model: 'replay/maintenance-report', in: null, out: null, cost: null } });
		const report = writeReport({ run }, { ...options, sections: ['answer'] });
		expect(report.split('\n')[2]).toBe('> No model was called: this run replays a script; tools, retrieval and figures are real.');
		expect(writeReport({ run }, options)).toContain('- Tokens: none, no model was called');
		expect(writeReport({ run: makeRun([]) }, options)).not.toMatch(/no model was called/i);
	});

	it('shows failed calls among the steps and not among the figures', () => {
		const failed = makeCall('stock', { part: 'P-1' }, { rows: [{ part: 'P-1' }] }, { isError: true, text: 'server down' });
		const report = writeReport({ run: makeRun([failed]) }, options);
		expect(report).toContain('No tool of this run gave figures.');
		expect(report).toContain('| 1 | stock | part: P-1 | failed: server down | 0.01 s |');
	});

	it('says how many rows a long table leaves out', () => {
		const rows = Array.from({ length: 7 }, (_none, index) => ({ n: index }));
		const report = writeReport({ run: makeRun([makeCall('select_records', {}, rows)]) }, { ...options, maxRows: 5 });
		expect(report).toContain('| 4 |\n\n… and 2 more rows.');
	});

	it('lists each source once with its passages', () => {
		const documents = [
			{ title: 'Hydraulic leaks', source: 'hydraulic-leaks.md', text: 'a' },
			{ title: 'Hydraulic leaks', source: 'hydraulic-leaks.md', text: 'b' },
			{ documentId: 'track' },
			'not a document',
		];
		const report = writeReport({ run: makeRun([]), documents }, options);
		expect(report).toContain('- **Hydraulic leaks** (hydraulic-leaks.md)\n  - “a”\n  - “b”\n- **track**');
	});

	it('writes conditions in words', () => {
		const filters = [{ column: 'date', operator: 'equals', value: '2011-Q4' }, { column: 'cost', operator: 'between', value: [1, 2] }];
		const report = writeReport({ run: makeRun([makeCall('count_records', { filters, limit: null }, { count: 3 })]) }, options);
		expect(report).toContain('### 1. count_records (filters: date equals 2011-Q4, cost between 1, 2)');
	});

	it('keeps hostile text inside its cell', () => {
		const call = makeCall('read', { q: 'a | b\n| c' }, [{ text: '<script>\n| x |' }]);
		const report = writeReport({ run: makeRun([call]) }, options);
		expect(report).toContain('| &lt;script> \\| x \\| |');
		expect(report).toContain('q: a \\| b \\| c');
	});

	it('writes French headings', () => {
		const report = writeReport({ run: makeRun([costs], { partial: true }), question: 'Quel coût ?' }, { ...options, language: 'fr', title: '' });
		expect(report.startsWith('# Compte rendu\n\n> La réponse est partielle')).toBe(true);
		expect(report).toContain('**Question** : Quel coût ?');
		expect(report).toContain('- Jetons : 1200 en entrée, 90 en sortie');
	});

	it.each<[string, unknown, string]>([
		['a list', [{ a: 1 }], '| a |\n|---|\n| 1 |'],
		['a field of any name', { machines: [{ a: 1 }], note: 'x' }, '| a |\n|---|\n| 1 |'],
		['groups with a key object', { groups: [{ key: { asset: 'A' }, sum: 2 }] }, '| asset | sum |\n|---|---|\n| A | 2 |'],
		['rows with different fields', [{ a: 1 }, { b: null }], '| a | b |\n|---|---|\n| 1 |  |\n|  |  |'],
		['an aggregate with its whole', { complete: true, overall: { group: {}, value: 9.5, rows: 2 }, groups: [{ group: { asset: 'A' }, value: 9.5, rows: 2 }] },
			'complete: true; overall: value 9.5, rows 2\n\n| asset | value | rows |\n|---|---|---|\n| A | 9.5 | 2 |'],
		['an aggregate without groups', { measure: 'sum', overall: { group: {}, value: 9.5, rows: 2 }, groups: [] }, '| measure | value | rows |\n|---|---|---|\n| sum | 9.5 | 2 |'],
		['one object with a number', { value: 12.5, unit: 'h', detail: {} }, '| value | unit |\n|---|---|\n| 12.5 | h |'],
	])('makes a table of %s', (_name, data, table) => {
		expect(writeReport({ run: makeRun([makeCall('t', {}, data)]) }, options)).toContain(table);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['text', 'done'],
		['an empty list', []],
		['an object without numbers', { status: 'ok' }],
	])('makes no table of %s', (_name, data) => {
		expect(writeReport({ run: makeRun([makeCall('t', {}, data)]) }, options)).toContain('No tool of this run gave figures.');
	});
});

describe('readRun', () => {
	it.each<[unknown, string]>([
		[undefined, 'found nothing'],
		['text', 'found "text"'],
		[{ answer: 'x' }, 'an object without usage and stoppedBy'],
	])('refuses %j by name and says what to change', (value, words) => {
		expect(() => readRun(value)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringContaining(words), remedy: expect.stringContaining('ReAct Agent') }));
	});

	it('fills what a shortened run leaves out', () => {
		const { steps, warnings, ...rest } = makeRun([]);
		expect(readRun(rest)).toEqual({ ...rest, steps, warnings });
	});

	it('marks figures of the answer that are in no result, and lists them with their lines', () => {
		const run = makeRun([costs], { answer: 'A costs 183.05.\nB costs 7.20.' });
		const report = writeReport({ run }, { ...options, sections: ['answer', 'check'] });
		expect(report).toContain('A costs 183.05.\nB costs 7.20 ⚠.');
		expect(report).toContain('1 of 2 figures of the answer are in no tool result');
		expect(report).toContain('- **7.20**: B costs 7.20.');
		const right = writeReport({ run: makeRun([costs], { answer: 'A : 183,05 ; B : 0,1.' }) }, { ...options, language: 'fr', sections: ['check'] });
		expect(right).toContain('Chacun des 2 chiffres de la réponse se trouve dans un résultat d’outil');
	});

	it('takes the check that the agent made, and makes none where results were cut', () => {
		const cut = makeCall('search', {}, undefined, { text: 'begin… (9000 characters)' });
		const check = (run: object) => writeReport({ run: makeRun([cut], { answer: 'It is 12.', ...run }) }, { ...options, sections: ['check'] });
		expect(check({})).toContain('Not checked');
		expect(check({ figures: { checked: 1, unsupported: [] } })).toContain('The one figure of the answer');
	});
});
