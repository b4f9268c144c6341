import { retrieve } from '../../lib/rag/retrieve';
import { pairFinder, pairShares } from '../../lib/rag/word-pairs';
import { add, storeBench } from './make-store';

describe('words that stand together', () => {
	it.each([
		['Who likes Oil Painting?', 'en', 'He likes oil paintings.', 1],
		['Who likes Oil Painting?', 'en', 'He likes oil and glass painting.', 0.5],
		['purger la pompe à eau', 'fr', 'Purgez les pompes à eau.', 1],
		['purger la pompe à eau', 'fr', "L'eau de la pompe est purgée.", 0],
		["l'arrêt d'urgence", 'fr', 'les ARRETS d’urgence', 1],
		['environmental engineering', 'en', 'engineering, environmental', 0],
	] as const)('%s (%s) in "%s": %d', (query, language, text, share) => {
		const kept = pairFinder(query, language)!(text);
		expect(kept.filter(Boolean).length / kept.length).toBe(share);
	});

	it('are none in one word, across a sign, or without words that mean something', () => {
		for (const query of ['pompe', 'pompe. moteur', '', '"', '(*)']) expect(pairFinder(query, 'fr')).toBeUndefined();
	});

	it('count by their rarity: a pair that nearly all passages keep tells them apart no more', () => {
		expect(pairShares([])).toEqual([]);
		expect(pairShares([[true, true]])).toEqual([1]);
		const [common, rare, none] = pairShares([[true, false], [false, true], [false, false], [true, false], [true, false]]) as [number, number, number];
		expect(rare).toBeGreaterThan(2 * common);
		expect(common + rare).toBeCloseTo(1, 10);
		expect(none).toBe(0);
	});

	it('put the passage that keeps the phrase before one that has the same words apart', async () => {
		const bench = storeBench();
		const store = bench.store('phrases');
		await add(store, ['She likes olive oil, glass painting and tea.', 'She likes tea, glass, olive and oil painting.', 'She likes coffee.']);
		const { hits } = await retrieve({ query: 'Who likes oil painting?', topK: 2 }, { store });
		expect(hits.map(({ documentId }) => documentId)).toEqual(['d1', 'd0']);
		await bench.clean();
	});

	it('stay fast for a long text and a long query', () => {
		const pairsIn = pairFinder('un deux trois quatre cinq six sept huit neuf dix onze douze treize pompe moteur vanne joint', 'fr')!;
		const text = 'pompe a b c moteur a b vanne, '.repeat(3_000);
		const from = performance.now();
		pairsIn(text);
		expect(performance.now() - from).toBeLessThan(1_000);
	});
});
