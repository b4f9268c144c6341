import { checkFigures, markFigures } from '../../lib/report/check-figures';
import { findFigures } from '../../lib/text/find-figures';

const wrong = (answer: string, texts: string[] = [], data: unknown[] = []): string[] => checkFigures(answer, { texts, data }).unsupported.map(({ text }) => text);

describe('findFigures', () => {
	it.each([
		['Coût : 1 234,56 € et 12 %', ['number 1 234,56 €', 'number 12 %']],
		['1.500,23 or 1,500.23 or 1,234', ['number 1.500,23 or', 'number 1,500.23 or', 'number 1,234']],
		['Le 5 octobre 2012, le 1er mars 2013 et October 5, 2012', ['date 5 octobre 2012', 'date 1er mars 2013', 'date October 5, 2012']],
		['05/10/2012, 2012-10-05T10:00:00Z, Q3 2012, 2012-Q4, T3 2012, octobre 2012, 2012-10, 2012', ['date 05/10/2012', 'date 2012-10-05T10:00:00Z', 'date Q3 2012', 'date 2012-Q4', 'date T3 2012', 'date octobre 2012', 'date 2012-10', 'date 2012']],
		['pièce N-92c, P101/A et norme 12296-1', ['code N-92c', 'code P101/A', 'code 12296-1']],
		['1. D’abord la 2e machine\n2. puis 3rd: 12h et 45kg', ['number 12h', 'number 45kg']],
		['1.2 M€, 3 millions', ['number 1.2 M€', 'number 3 millions']],
		['Rien ici.', []],
	])('finds what %j states', (text, expected) => {
		expect(findFigures(text).map((figure) => `${figure.kind} ${figure.text}`)).toEqual(expected);
	});
});

describe('a figure of an answer is supported', () => {
	it.each([
		['in another format', 'Le coût est de 1 234,56 €.', ['cost: 1234.56']],
		['rounded', 'About 1,235 € or 1.2 k€.', ['cost: 1234.56']],
		['as a share', 'Soit 12,3 %.', ['{"share": 0.1234}']],
		['as the same date in words', 'Le 5 octobre 2012.', ['2012-10-05']],
		['as the month of a known day', 'En octobre 2012 (2012-Q4).', ['2012-10-05T08:00:00Z']],
		['as a code in another spelling', 'Joint n92C.', ['part N-92c']],
		['from the question', 'Seuil de 42 atteint.', ['Quelles machines dépassent 42 ?']],
		['as a range of known ends', 'Entre 10-15 pannes.', ['10', '15 pannes']],
	])('%s', (_how, answer, texts) => {
		expect(wrong(answer, texts)).toEqual([]);
	});

	it.each([
		['a number of a result', 'Total 45 210.', { total: 45_210 }],
		['a negative one, said in words', 'Down by 12.5 points.', { change: -12.5 }],
		['the number of its rows', 'Trois colonnes, 3 lignes.', { rows: [{ a: 1 }, { a: 1 }, { a: 1 }] }],
		['the sum of a column', 'Ensemble 60.', { rows: [{ n: 10 }, { n: 20 }, { n: 30 }] }],
		['another unit of what its column names', '1,5 h soit 90 min.', { duration_min: 90 }],
	])('by structured data: %s', (_how, answer, data) => {
		expect(wrong(answer, [], [data])).toEqual([]);
	});

	it('as the difference of two in its line, or the total of a list or a table of the answer', () => {
		expect(wrong('De 100 à 130 : hausse de 30.', ['100', '130'])).toEqual([]);
		expect(wrong('- A : 12\n- B : 15\n- C : 9\n\nTotal : 36 pour 3 machines', ['12', '15', '9'])).toEqual([]);
		expect(wrong('| m | n |\n|---|---|\n| A | 12 |\n| B | 15 |\n\nEn tout 27 sur 2 machines.', ['12', '15'])).toEqual([]);
	});
});

describe('a figure of an answer is found unsupported', () => {
	it.each([
		['a wrong digit', 'Total 45 310 €.', ['total 45210'], ['45 310 €']],
		['a wrong rounding', 'Environ 1 240.', ['1234.56'], ['1 240']],
		['another date', 'Le 6 octobre 2012.', ['2012-10-05'], ['6 octobre 2012']],
		['a day where only the month is known', 'Le 6 octobre 2012.', ['octobre 2012'], ['6 octobre 2012']],
		['another code', 'Joint N-92d.', ['N-92c'], ['N-92d']],
		['a year', 'En 2013.', ['2012-10-05'], ['2013']],
		['a share that is not one', '12,4 %.', ['0.1234'], ['12,4 %']],
		['a count that is not one', '- A\n- B\n\n5 machines.', [], ['5 machines']],
	])('%s', (_how, answer, texts, expected) => {
		expect(wrong(answer, texts)).toEqual(expected);
	});

	it('with its line and its place, so that it can be marked', () => {
		const answer = 'Bon.\nTotal 45 310 € le 5 octobre 2012.';
		const { checked, unsupported } = checkFigures(answer, { texts: ['45210, 2012-10-05'], data: [] });
		expect([checked, unsupported]).toEqual([2, [{ kind: 'number', text: '45 310 €', index: 11, line: 'Total 45 310 € le 5 octobre 2012.' }]]);
		expect(markFigures(answer, unsupported, ' ⚠')).toBe('Bon.\nTotal 45 310 € ⚠ le 5 octobre 2012.');
	});

	it('finds every planted figure among many right ones', () => {
		const rows = Array.from({ length: 100 }, (_, i) => ({ machine: `M-${100 + i}`, cost: 1_000 + i * 37.31, hours: i * 1.5 }));
		const lines = rows.map(({ machine, cost, hours }) => `- ${machine} : ${cost.toFixed(2).replace('.', ',')} €, ${hours} h`);
		expect(wrong(lines.join('\n'), [], [{ rows }])).toEqual([]);
		const planted = lines.map((line, i) => (i % 10 === 3 ? line.replace(/(\d+),(\d\d) €/, (_all, whole: string, cents: string) => `${Number(whole) + 11},${cents} €`) : line));
		expect(wrong(planted.join('\n'), [], [{ rows }])).toHaveLength(10);
	});
});

it('is fast on long answers and large results', () => {
	const data = Array.from({ length: 20_000 }, (_, i) => ({ n: i * 1.7, d: '2012-10-05' }));
	const began = performance.now();
	checkFigures(Array.from({ length: 300 }, (_, i) => `- ligne ${i} : ${i * 3.3} €`).join('\n'), { texts: [], data: [data] });
	expect(performance.now() - began).toBeLessThan(5_000);
});
