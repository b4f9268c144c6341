import { createBm25 } from '../../lib/text/bm25';

describe('createBm25', () => {
	it('gives the textbook score', () => {
		const scores = createBm25([['a', 'a', 'b'], ['b']]).score(['a']);
		const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
		const norm = 1.2 * (1 - 0.75 + (0.75 * 3) / 2);
		expect(scores[0]).toBeCloseTo((idf * 2 * 2.2) / (2 + norm), 12);
		expect(scores[1]).toBe(0);
	});

	it('prefers rare terms, repeated terms and short documents', () => {
		const index = createBm25([['x', 'y'], ['y', 'y'], ['y'], ['z', 'z', 'z', 'z']]);
		const scores = index.score(['x', 'y']);
		expect(scores[0]).toBeGreaterThan(scores[1]!);
		expect(scores[2]).toBeGreaterThan(0);
		expect(scores[3]).toBe(0);
	});

	it('survives an empty collection, empty documents and an empty query', () => {
		expect(createBm25([]).score(['a'])).toHaveLength(0);
		expect([...createBm25([[], ['a']]).score(['a'])].map((score) => score > 0)).toEqual([false, true]);
		expect([...createBm25([['a']]).score([])]).toEqual([0]);
	});

	it('is not confused by tokens named like object members', () => {
		expect(createBm25([['constructor'], ['a']]).score(['constructor', '__proto__'])[0]).toBeGreaterThan(0);
	});
});
