import { analyse } from '../../lib/text/analyse';
import { createBm25 } from '../../lib/text/bm25';
import { deleteTheme, openStore } from '../../lib/rag/sqlite-store';
import { themeFile } from '../../lib/storage/paths';
import { openDatabase } from '../../lib/storage/sqlite';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

const WORDS = 'pompe vanne joint moteur filtre huile pression fuite arrêt alarme N-92c P101/A capteur niveau la de et'.split(' ');

/** A fixed pseudo-random text of 5 to 30 words. */
function someText(seed: number): string {
	let state = seed * 2654435761;
	const next = (below: number) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below;
	return Array.from({ length: 5 + next(25) }, () => WORDS[next(WORDS.length)]).join(' ');
}

describe('the embedded store', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('scores words as BM25 over the same tokens, also after updates and removals', async () => {
		const store = bench.store('bm25');
		const texts = Array.from({ length: 40 }, (_, n) => someText(n));
		await add(store, texts);
		await store.remove(['d3', 'd17']);
		texts[5] = someText(100);
		await add(store, [{ id: 'd5', text: texts[5] }]);
		const kept = [...texts.keys()].filter((n) => n !== 3 && n !== 17);
		const index = createBm25(kept.map((n) => analyse(texts[n]!)));
		for (const query of ['pompe fuite', 'N-92c', 'la pression de huile', 'P101']) {
			const expected = index.score(analyse(query));
			const { candidates } = await store.search({ tokens: analyse(query), candidates: 100 });
			expect(candidates).toHaveLength(expected.filter((score) => score > 0).length);
			for (const { ref, lexical } of candidates) {
				const [passage] = await store.passages([ref]);
				expect(lexical).toBeCloseTo(expected[kept.indexOf(Number(passage!.documentId.slice(1)))]!, 5);
			}
		}
	});

	it('finds the same nearest vectors as a plain comparison', async () => {
		const store = bench.store('dense');
		const embedder = fakeEmbedder();
		const texts = Array.from({ length: 30 }, (_, n) => someText(n));
		await add(store, texts, embedder);
		const [vector] = await embedder.embed(['pompe moteur'], { kind: 'query' });
		const vectors = await embedder.embed(texts, { kind: 'passage' });
		const cosine = vectors.map((other) => other.reduce((sum, value, i) => sum + value * vector![i]!, 0));
		const { candidates } = await store.search({ tokens: [], vector: vector!, candidates: 5 });
		const best = [...cosine].sort((a, b) => b - a).slice(0, 5);
		expect(candidates.map((candidate) => candidate.dense!).sort((a, b) => b - a)).toEqual(best.map((score) => expect.closeTo(score, 5)));
	});

	it('G10 keeps knowledge bases apart', async () => {
		const first = bench.store('one');
		const second = bench.store('two');
		await add(first, ['pompe rouge']);
		await add(second, ['pompe verte']);
		const { candidates } = await first.search({ tokens: analyse('pompe'), candidates: 5 });
		expect((await first.passages(candidates.map(({ ref }) => ref))).map(({ text }) => text)).toEqual(['pompe rouge']);
	});

	it('G09 G10 applies access before scoring, on both sides, and fails closed', async () => {
		const store = bench.store('acl');
		const embedder = fakeEmbedder();
		const acl = [['group:a'], ['group:b'], ['group:a', "user:o'hara \"x\""], [], ['group:b']];
		await add(store, acl.map((tokens, n) => ({ id: `d${n}`, text: `pompe numéro ${n}`, acl: tokens })), embedder);
		const seen = async (asker?: string[]) => (await find(store, 'pompe', { topK: 4, embedder, ...(asker && { acl: asker }) })).sort();
		expect(await seen(['group:a'])).toEqual(['d0', 'd2']);
		expect(await seen(["user:o'hara \"x\""])).toEqual(['d2']);
		expect(await seen(['group:a', 'group:b'])).toEqual(['d0', 'd1', 'd2', 'd4']);
		expect(await seen(['group:none'])).toEqual([]);
		expect(await seen([])).toEqual([]);
		expect(await seen()).toEqual([]);
		expect(await find(store, 'pompe', { acl: ['group:b'] })).toEqual(['d1', 'd4']);
	});

	it('G16 removes a document from both sides and tolerates unknown ids', async () => {
		const store = bench.store('remove');
		const embedder = fakeEmbedder();
		await add(store, ['pompe rouge', 'vanne bleue'], embedder);
		expect(await find(store, 'pompe rouge', { embedder })).toContain('d0');
		expect(await store.remove(['d0', 'nowhere', 'd0'])).toEqual({ removed: ['d0'], unknown: ['nowhere'] });
		expect(await find(store, 'pompe rouge', { embedder })).toEqual(['d1']);
		expect(await find(store, 'pompe rouge')).toEqual([]);
	});

	it('sees what another connection wrote', async () => {
		const writer = bench.store('shared');
		const embedder = fakeEmbedder();
		await add(writer, ['pompe'], embedder);
		const reader = openStore({ folder: bench.folder, theme: 'shared' });
		expect(await find(reader, 'pompe', { embedder })).toEqual(['d0']);
		await add(writer, [{ id: 'new', text: 'pompe neuve' }], embedder);
		expect((await find(reader, 'pompe', { embedder })).sort()).toEqual(['d0', 'new']);
		await reader.close();
	});

	it('tells how much of the query the best passage that may be seen holds', async () => {
		const store = bench.store('coverage');
		await add(store, ['la pompe fuit', 'le moteur chauffe', 'la vanne'].map((text, n) => ({ id: `d${n}`, text, acl: [n === 0 ? 'a' : 'b'] })));
		const coverage = async (query: string, acl: string[]) => (await store.search({ tokens: analyse(query), candidates: 5, acl })).coverage;
		expect(await coverage('pompe fuit', ['a'])).toBeGreaterThan(0.8);
		expect(await coverage('pompe fuit', ['b'])).toBe(0);
		expect(await coverage('pompe bleue du hangar', ['a'])).toBeLessThan(0.5);
		expect(await store.passages([12345])).toEqual([]);
	});

	it('describes itself', async () => {
		const store = bench.store('Base décrite');
		await add(store, ['pompe', 'vanne'], fakeEmbedder({ dimension: 8 }));
		expect(await store.describe()).toMatchObject({
			theme: 'Base décrite',
			documents: 2,
			chunks: 2,
			characters: 10,
			embedderId: 'fake/words',
			dimension: 8,
			createdBy: 'test',
			protected: false,
			createdAt: '2023-11-14T22:13:20.000Z',
		});
	});

	it('says that a knowledge base does not exist, before and after it is deleted', async () => {
		const place = { folder: bench.folder, theme: 'gone' };
		expect(() => openStore(place)).toThrow('There is no knowledge base "gone"');
		expect(() => deleteTheme(place)).toThrow('There is no knowledge base "gone"');
		await bench.store('gone').close();
		deleteTheme(place);
		expect(() => openStore(place)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', remedy: expect.stringContaining('RAG Index') }));
	});

	it('refuses a file of a newer format', async () => {
		await bench.store('newer').close();
		const database = openDatabase(themeFile(bench.folder, 'newer'), { create: false });
		database.run("UPDATE meta SET value = '99' WHERE name = 'format'");
		database.close();
		expect(() => openStore({ folder: bench.folder, theme: 'newer' })).toThrow('The knowledge base "newer" has format 99');
	});
});
