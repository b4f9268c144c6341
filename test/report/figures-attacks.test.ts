import { checkFigures } from '../../lib/report/check-figures';

const wrong = (answer: string, texts: string[], data: unknown[] = []): string[] => checkFigures(answer, { texts, data }).unsupported.map(({ text }) => text);

describe('a right figure is no alarm', () => {
	it.each<[string, string, string[], unknown[]?]>([
		['with narrow blanks between thousands, as French sets them', 'Coût 1\u202f234,50\u202f€, soit 12\u00a0000\u00a0km.', [], [{ cost: 1234.5, km: 12_000 }]],
		['in metres', 'La flèche mesure 12 m.', [], [{ length: 12 }]],
		['in metres out of words', 'Elle mesure 1,2 m.', ['longueur 1200 mm']],
		['a million', 'Soit 12 m d’euros.', ['12 millions']],
		['as a time of day', 'Panne à 14h30.', ['2012-10-05T14:30:00Z']],
		['as a time of day with blanks', 'Panne à 14 h 30.', ['à 14:30']],
		['as hours and minutes', 'Durée 2 h 15 min.', [], [{ duration_min: 135 }]],
		['as hours and minutes in words', 'It took 2 hours and 15 minutes.', ['2.25 h']],
		['as a date with two digits for the year', 'Le 03/03/26.', ['2026-03-03']],
		['out of such a date', 'Le 3 mars 2026.', ['03/03/26']],
		['as a day without its year', 'Le 3 mars, March 3rd.', ['2026-03-03']],
		['as a span of days', 'Du 3 au 5 mars 2026.', ['2026-03-03', '2026-03-05']],
		['as a share in words', 'Soit 20 pour cent, 20 percent.', [], [{ share: 0.2 }]],
		['as a sum of all in its line', 'A 10, B 20 et C 30, soit 60 au total.', ['10 20 30']],
		['in full-width digits', '１２３ €', ['123']],
		['as the number of a code', 'Machine 12.', ['M-12']],
	])('%s', (_what, answer, texts, data = []) => {
		expect(wrong(answer, texts, data)).toEqual([]);
	});
});

describe('a planted figure is found', () => {
	it.each<[string, string, string[], string[], unknown[]?]>([
		['metres', 'Elle mesure 13 m.', [], ['13 m'], [{ length: 12 }]],
		['a time of day', 'Panne à 14h45.', ['2012-10-05T14:30:00Z'], ['14h45']],
		['the month of a day', 'Le 3 avril.', ['2026-03-03'], ['3 avril']],
		['the day of a month', 'Le 4 mars.', ['2026-03-03'], ['4 mars']],
		['a year of two digits', 'Le 03/03/25.', ['2026-03-03'], ['03/03/25']],
		['a cost that is only a day of a date', 'Coût 10 €.', ['2012-10-05'], ['10 €']],
		['a share that is only a month', 'Soit 5 %.', ['2012-10-05'], ['5 %']],
		['hours that are only a part of a code', 'Durée 12 h, 101 euros.', ['M-12', 'P101/A'], ['12 h', '101 euros']],
		['narrow blanks', 'Coût 1\u202f235,50 €.', [], ['1 235,50 €'], [{ cost: 1234.5 }]],
		['full-width digits', '１２４ €', ['123'], ['124 €']],
		['a wrong sum of all in its line', 'A 10, B 20 et C 30, soit 61 au total.', ['10 20 30'], ['61 au']],
	])('in %s', (_what, answer, texts, expected, data = []) => {
		expect(wrong(answer, texts, data)).toEqual(expected);
	});

	it('everywhere in a report in French, and none of its right ones is', () => {
		const rows = Array.from({ length: 40 }, (_, n) => ({ machine: `Pelle ${n + 1}`, cout: 1_500 + n * 137.25, duree_h: 2 + n * 1.5, date: `2026-03-${String((n % 28) + 1).padStart(2, '0')}T08:15:00Z` }));
		const euros = (value: number): string => new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 2 }).format(value);
		const lineOf = ({ machine, cout, duree_h, date }: (typeof rows)[number], more = 0): string =>
			`- ${machine} : ${euros(cout + more)} €, ${String(duree_h).replace('.', ',')} h d’arrêt, le ${Number(date.slice(8, 10))} mars 2026 à 8h15`;
		expect(wrong(rows.map((row) => lineOf(row)).join('\n'), [], [{ rows }])).toEqual([]);
		expect(wrong(rows.map((row, n) => lineOf(row, n % 4 === 0 ? 10.07 : 0)).join('\n'), [], [{ rows }])).toHaveLength(10);
	});
});

it('an answer of very many figures in one line is checked in time', () => {
	const began = performance.now();
	expect(checkFigures('1 , '.repeat(50_000), { texts: ['1'], data: [] }).checked).toBe(50_000);
	expect(performance.now() - began).toBeLessThan(10_000);
});
