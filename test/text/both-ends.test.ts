import { bothEnds } from '../../lib/text/both-ends';

describe('bothEnds', () => {
	it('leaves a short text as it is', () => {
		expect(bothEnds('Quelle pompe ?', 100)).toBe('Quelle pompe ?');
		expect(bothEnds('', 10)).toBe('');
	});

	it('keeps the beginning and the end of a long one, cut at blanks', () => {
		const text = `Résume ce journal : ${'ligne de journal '.repeat(1_000)} Puis commande le joint N-92c.`;
		const ends = bothEnds(text, 200);
		expect(ends.length).toBeLessThanOrEqual(201);
		expect(ends).toMatch(/^Résume ce journal : ligne[\s\S]*\n[\s\S]*Puis commande le joint N-92c\.$/);
	});

	it('cuts a text without blanks too', () => {
		expect(bothEnds('x'.repeat(1_000), 100).length).toBeLessThanOrEqual(101);
	});
});
