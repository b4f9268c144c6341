import fc from 'fast-check';
import { wordMatcher } from '../../lib/rag/matched-words';
import { snippetOf } from '../../lib/rag/snippet';
import { analyse } from '../../lib/text/analyse';

const filler = 'Le texte continue sans rien dire. '.repeat(60);

describe('a snippet', () => {
	it('is the part with the words of the query, exact text with its place in the document', () => {
		const text = `${filler}Purger la pompe N-92c avant le démarrage. ${filler}`;
		const snippet = snippetOf({ text, start: 100 }, ['pompe', 'DEMARRAGE'])!;
		expect(snippet.text).toContain('Purger la pompe N-92c avant le démarrage.');
		expect(snippet.text.length).toBeLessThanOrEqual(1000);
		expect(text.slice(snippet.start - 100, snippet.end - 100)).toBe(snippet.text);
		expect(snippet.text).toMatch(/^Le texte/);
		expect(snippet.text).toMatch(/\.$/);
	});

	it('prefers the place with most different words', () => {
		const text = `pompe pompe pompe. ${filler}La pompe et le joint. ${filler}`;
		expect(snippetOf({ text, start: 0 }, ['pompe', 'joint'])?.text).toContain('La pompe et le joint.');
	});

	it('is absent for a passage that is short enough, and the beginning where no word stands', () => {
		expect(snippetOf({ text: 'court', start: 0 }, ['court'])).toBeUndefined();
		expect(snippetOf({ text: filler, start: 7 }, ['zèbre'])).toMatchObject({ start: 7 });
	});

	it('is exact and at most 1,000 characters, whatever the text', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1001, maxLength: 3000, unit: 'grapheme' }), fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 3 }), (text, words) => {
				const snippet = snippetOf({ text, start: 5 }, words)!;
				expect(snippet.text).toBe(text.slice(snippet.start - 5, snippet.end - 5));
				expect(snippet.text.length).toBeLessThanOrEqual(1000);
				expect(snippet.text.length).toBeGreaterThan(0);
			}),
			{ numRuns: 200 },
		);
	});
});

describe('matched words', () => {
	it('are those of the query as written, whatever their form in the passage', () => {
		const words = wordMatcher("Quelles pompes N-92c pour l'évaporateur ?", 'fr');
		expect(words(analyse('La pompe n92C et les évaporateurs', { language: 'fr' }))).toEqual(['pompes', 'N-92c', "l'évaporateur"]);
		expect(words([])).toEqual([]);
	});
});
