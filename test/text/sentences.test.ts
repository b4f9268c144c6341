import fc from 'fast-check';
import { estimateTokens } from '../../lib/text/estimate-tokens';
import { firstSentence } from '../../lib/text/first-sentence';
import { splitSentences } from '../../lib/text/sentences';

const texts = (text: string): string[] => splitSentences(text).map((span) => span.text);

describe('splitSentences', () => {
	it('splits French and English prose', () => {
		expect(texts('Ouvrir la vanne. Attendre ! Est-ce froid ? Oui.')).toEqual([
			'Ouvrir la vanne.',
			'Attendre !',
			'Est-ce froid ?',
			'Oui.',
		]);
		expect(texts('It leaks. "Stop it." He left… Then he came back.')).toHaveLength(4);
	});

	it('does not split at abbreviations, initials, decimals or codes', () => {
		expect(texts('M. Martin règle 3.5 bar, cf. art. 12 de la norme.')).toHaveLength(1);
		expect(texts('Dr. J. Smith wrote No. 5, e.g. about v1.2.3 pumps.')).toHaveLength(1);
	});

	it('keeps list items, table rows and headings as lines', () => {
		expect(texts('# Titre\nUne phrase sur\ndeux lignes. Autre.\n- point un. Suite\n| a | b. C |\n1. Ouvrir. Fermer.')).toEqual([
			'# Titre',
			'Une phrase sur\ndeux lignes.',
			'Autre.',
			'- point un. Suite',
			'| a | b. C |',
			'1. Ouvrir. Fermer.',
		]);
	});

	it('gives exact places with only white space between', () => {
		const word = fc.constantFrom('Vanne', 'a. ', '. ', '\n', '\n\n', '- x', '3.5', '! ', ' ', '\r\n', '| b |', 'É', '…', '\t');
		fc.assert(
			fc.property(fc.array(word).map((words) => words.join('')), (text) => {
				let end = 0;
				for (const span of splitSentences(text)) {
					expect(text.slice(span.start, span.end)).toBe(span.text);
					expect(text.slice(end, span.start).trim()).toBe('');
					expect(span.text.trim()).toBe(span.text);
					end = span.end;
				}
				expect(text.slice(end).trim()).toBe('');
			}),
		);
	});
});

describe('estimateTokens', () => {
	it('counts 3.5 characters a token, rounded up', () => {
		expect([estimateTokens(''), estimateTokens('a'), estimateTokens('x'.repeat(35))]).toEqual([0, 1, 10]);
	});
});

describe('firstSentence', () => {
	it.each([
		['Lists the parts. Then more.', 'Lists the parts.'],
		['\n  🎯 Purpose:\n    1. Reads an object by its ID.\n  📦 Returns:\n    1. The object.', 'Reads an object by its ID.'],
		['Guardrails:\n- Ask first.\n## Objectif :\n- Modifie une fiche.', 'Modifie une fiche.'],
		['Usage notes:\n\nWorks on Mondays. Else not.', 'Works on Mondays.'],
		['Only a heading:', 'Only a heading:'],
		['  ', ''],
	])('of %j is %j', (text, expected) => {
		expect(firstSentence(text)).toBe(expected);
	});

	it('is cut at a word', () => {
		expect(firstSentence('one two three four five six', 16)).toBe('one two three…');
	});
});
