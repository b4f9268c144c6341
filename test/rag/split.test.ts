import fc from 'fast-check';
import { contextLine, splitText } from '../../lib/rag/split';

const MANUAL = `Preface of the manual.

# Pump

## Start

Open the valve. Wait for pressure.

## Stop

Close the valve.

# Annex
`;

describe('splitText', () => {
	it('splits at headings and remembers their path', () => {
		expect(splitText(MANUAL).map((chunk) => [chunk.titlePath, chunk.text.trim().split('\n')[0]])).toEqual([
			[[], 'Preface of the manual.'],
			[['Pump', 'Start'], '# Pump'],
			[['Pump', 'Stop'], '## Stop'],
			[['Annex'], '# Annex'],
		]);
	});

	it('does not take a comment in a code block for a heading', () => {
		expect(splitText('text\n```\n# not a heading\n```\nmore')).toHaveLength(1);
	});

	it('prefers paragraphs, then sentences, to cut at', () => {
		const paragraph = 'Une phrase de taille moyenne ici. '.repeat(4).trim();
		const chunks = splitText(`${paragraph}\n\n${paragraph}`, { targetCharacters: 150 });
		expect(chunks.map((chunk) => chunk.text.trim())).toEqual([paragraph, paragraph]);
		for (const chunk of splitText('Une phrase de taille moyenne ici. '.repeat(30), { targetCharacters: 150 })) {
			expect(chunk.text.trim()).toMatch(/\.$/);
		}
	});

	it('repeats whole sentences of the chunk before when asked to', () => {
		const text = Array.from({ length: 12 }, (_, n) => `Phrase numéro ${n} du texte.`).join(' ');
		const chunks = splitText(text, { targetCharacters: 100, overlapCharacters: 50 });
		for (const [position, chunk] of chunks.entries()) {
			if (position === 0) continue;
			expect(chunk.start).toBeLessThan(chunks[position - 1]!.end);
			expect(chunk.text).toMatch(/^Phrase/);
		}
	});

	it('cuts a sentence without end at blanks, and a word without end anywhere but inside a character', () => {
		expect(splitText('mot '.repeat(500), { targetCharacters: 100 }).every((chunk) => chunk.text.endsWith(' '))).toBe(true);
		for (const chunk of splitText('\u{1f527}'.repeat(301), { targetCharacters: 99 })) {
			expect(Buffer.from(chunk.text).toString()).toBe(chunk.text);
		}
	});

	it('gives nothing for a text of white space', () => {
		expect(splitText('')).toEqual([]);
		expect(splitText(' \n\t\n')).toEqual([]);
	});

	it('gives the text back when the chunks are joined, none too long', () => {
		const piece = fc.constantFrom('# T\n', '## S\n', 'Mot. ', 'long'.repeat(40), '\n\n', '\n', '- x\n', '\r\n\r\n', '```\n', ' ', 'é');
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 50, max: 400 }), (pieces, targetCharacters) => {
				const text = pieces.join('');
				const chunks = splitText(text, { targetCharacters });
				if (text.trim() !== '') expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
				for (const chunk of chunks) expect(chunk.end - chunk.start).toBeLessThanOrEqual(1.25 * targetCharacters);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('contextLine', () => {
	it('joins title and headings, each once', () => {
		expect(contextLine('Pump manual', ['Pump', 'Start'])).toBe('Pump manual › Pump › Start');
		expect(contextLine('Pump', ['Pump'])).toBe('Pump');
		expect(contextLine(undefined, [])).toBe('');
	});
});
