import { retrieveAll } from '../../lib/rag/retrieve';
import { retrieveFrom } from '../../lib/rag/retrieve-from';
import { stopStoreThreads } from '../../lib/rag/threaded-store';
import type { ThemeStore } from '../../lib/rag/store';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, storeBench } from './make-store';

const embedder = fakeEmbedder();

describe('several knowledge bases at once', () => {
	const bench = storeBench();
	afterAll(async () => {
		await stopStoreThreads();
		await bench.clean();
	});
	const place = (theme: string) => ({ folder: bench.folder, theme });
	const ask = async (themes: string[], query: string, options: object = {}) =>
		await retrieveFrom(themes.map(place), { query, topK: 10, ...options }, embedder);

	beforeAll(async () => {
		const machines = ['la pompe N-92c fuit', 'le moteur chauffe', 'la vanne est fermée', 'remplacer le joint de la pompe'];
		await add(bench.store('machines'), machines, embedder);
		await add(bench.store('canteen'), ['le menu de midi', 'la liste des desserts', 'le café est une pompe à énergie'], embedder);
		await add(bench.store('words'), ['la pompe de secours', 'le plan du site']);
		await add(bench.store('rights'), [{ id: 'open', text: 'la pompe de tous', acl: ['*'] }, { id: 'closed', text: 'la pompe N-92c secrète', acl: ['u:boss'] }], embedder);
	});

	it('give one list, each hit with its knowledge base and an id of its own', async () => {
		const { hits } = await ask(['machines', 'canteen'], 'la pompe fuit');
		expect(hits[0]).toMatchObject({ id: 'machines/d0#0', documentId: 'd0', knowledgeBase: 'machines', matched: ['pompe', 'fuit'] });
		expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
		expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
	});

	it.each(['blend', 'ranks', 'cascade'] as const)('do not put the best of a base that does not fit on a level with the best of one that does (%s)', async (fusion) => {
		const { hits } = await ask(['canteen', 'machines'], 'remplacer le joint de la pompe', { fusion });
		expect(hits[0]).toMatchObject({ knowledgeBase: 'machines', documentId: 'd3' });
		const best = hits.find(({ knowledgeBase }) => knowledgeBase === 'canteen')!;
		expect(best.score).toBeLessThan(fusion === 'ranks' ? 0.99 : 0.9);
	});

	it('give the same as one alone when the others have nothing', async () => {
		await add(bench.store('empty'), [], embedder);
		const alone = await ask(['machines'], 'pompe moteur');
		const both = await ask(['machines', 'empty'], 'pompe moteur');
		expect(both.hits.map(({ documentId, score }) => [documentId, score])).toEqual(alone.hits.map(({ documentId, score }) => [documentId, score]));
		expect(alone.hits[0]).not.toHaveProperty('knowledgeBase');
	});

	it('rank one that has no vectors by its words, and name it in the note', async () => {
		const { hits, method, notes } = await ask(['machines', 'words'], 'la pompe de secours');
		expect(hits[0]).toMatchObject({ knowledgeBase: 'words', documentId: 'd0', score: 1 });
		expect(method).toBe('hybrid');
		expect(notes).toEqual(['words: Only words were compared: this knowledge base was built without embeddings.']);
	});

	it('keep their rights: what one protects is not found through another', async () => {
		const found = async (acl: string[]) => (await ask(['machines', 'rights'], 'pompe N-92c secrète', { acl })).hits.map(({ id }) => id);
		expect(await found(['u:ann', '*'])).not.toContain('rights/closed#0');
		expect(await found([])).toEqual(expect.not.arrayContaining(['rights/open#0', 'rights/closed#0']));
		expect((await found(['u:boss']))[0]).toBe('rights/closed#0');
	});

	it('fail together when one does not exist', async () => {
		await expect(ask(['machines', 'nowhere'], 'pompe')).rejects.toThrow('There is no knowledge base "nowhere"');
		await expect(retrieveFrom([], { query: 'x', topK: 1 })).rejects.toMatchObject({ code: 'BAD_INPUT' });
	});

	it('search a name that is given twice once', async () => {
		expect((await ask(['machines', ' machines'], 'pompe')).hits.map(({ id }) => id)).toContain('d0#0');
	});

	it('ask an encoder once for a query, also when it comes again', async () => {
		const counting = fakeEmbedder();
		const store = bench.store('cached') as ThemeStore;
		await add(store, ['pompe'], counting);
		counting.requests.length = 0;
		const once = async () => await retrieveAll({ query: 'une question nouvelle', topK: 1 }, { stores: [{ use: async (work) => await work(store) }], embedder: counting });
		await once();
		await once();
		expect(counting.requests).toHaveLength(1);
	});
});
