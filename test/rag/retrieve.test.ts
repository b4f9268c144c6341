import { alphaFor, retrieve } from '../../lib/rag/retrieve';
import { analyse } from '../../lib/text/analyse';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

describe('retrieve', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it.each([
		['G01', ["l'évènement", 'les événements', 'la pompe'], 'evenement', ['d0', 'd1']],
		['G04', ['pompe N-92d', 'pompe N-92c', 'vanne'], 'N 92 c', ['d1', 'd0']],
		['G05', ['un arrêt-machine', 'une vanne'], 'arrêt machine', ['d0']],
		['G06', ['Vérifier la vanne.', 'le joint'], 'vanne', ['d0']],
		['G08', ['l’arrêt d’urgence', 'la vanne'], "l'arrêt urgence", ['d0']],
	])('%s finds in a stored knowledge base what was written', async (id, documents, query, expected) => {
		const store = bench.store(`row ${id}`);
		await add(store, documents);
		expect((await find(store, query)).sort()).toEqual([...expected].sort());
		expect((await find(store, query))[0]).toBe(expected[0]);
	});

	it('G03 ranks the exact form first', async () => {
		const store = bench.store('exact');
		await add(store, ['le côté gauche', 'la cote gauche']);
		expect(await find(store, 'cote')).toEqual(['d1', 'd0']);
		expect(await find(store, 'côté')).toEqual(['d0', 'd1']);
	});

	it('G12 gives a passage found by both sides once, with both scores, first', async () => {
		const store = bench.store('fused');
		const embedder = fakeEmbedder();
		await add(store, ['pompe de relevage', 'vanne de la pompe', 'filtre'], embedder);
		const { hits, method } = await retrieve({ query: 'pompe de relevage', topK: 10 }, { store, embedder });
		expect(method).toBe('hybrid');
		expect(hits.map((hit) => hit.id)).toEqual([...new Set(hits.map((hit) => hit.id))]);
		expect(hits[0]).toMatchObject({ id: 'd0#0', score: 1, scores: { dense: expect.closeTo(1, 5), lexical: expect.any(Number) } });
	});

	it('G14 gives the stored text and metadata whichever side found it', async () => {
		const store = bench.store('payload');
		const embedder = fakeEmbedder();
		await add(store, [{ id: 'a', text: '# Start\n\nOpen the valve.', title: 'Manual', source: 'm.md', meta: { page: 3 } }], embedder);
		for (const alpha of [0, 0.5, 1]) {
			const { hits } = await retrieve({ query: 'open valve', topK: 1, alpha }, { store, embedder });
			expect(hits[0]).toMatchObject({
				documentId: 'a',
				text: '# Start\n\nOpen the valve.',
				title: 'Manual',
				source: 'm.md',
				section: 'Start',
				meta: { page: 3 },
			});
		}
	});

	it('finds a passage by its headings', async () => {
		const store = bench.store('headings');
		await add(store, [`# Chaudière\n\n${'Ouvrir la vanne. '.repeat(90)}`]);
		const { hits } = await retrieve({ query: 'chaudière', topK: 10 }, { store });
		expect(hits.length).toBeGreaterThan(1);
		expect(hits.map((hit) => hit.text).join(' ')).toContain('Ouvrir');
	});

	it('compares words when the embedder fails at the query, with a warning, and throws its error when told to', async () => {
		const store = bench.store('failing');
		const embedder = fakeEmbedder();
		await add(store, ['pompe de relevage', 'vanne'], embedder);
		const failures: [string, () => Promise<Float32Array[]>][] = [
			['no answer', () => Promise.reject(new Error('no answer'))],
			['gave no vector for the query', async () => []],
			['gave no vector for the query', async () => [new Float32Array(64).fill(NaN)]],
		];
		for (const [n, [why, embed]] of failures.entries()) {
			const broken = { id: embedder.id, embed };
			const query = `pompe cassée ${n}`;
			const found = await retrieve({ query, topK: 5 }, { store, embedder: broken });
			expect(found).toMatchObject({ method: 'lexical', hits: [{ documentId: 'd0' }], notes: [], warnings: [expect.stringContaining(why)] });
			expect(found.warnings[0]).toMatch(/^The embeddings could not be used \(.+\): only words were compared/);
			await expect(retrieve({ query, topK: 5, whenEmbedderFails: 'fail' }, { store, embedder: broken })).rejects.toThrow(why);
			const stopped = retrieve({ query, topK: 5, signal: AbortSignal.abort() }, { store, embedder: broken });
			await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
		}
		expect(await retrieve({ query: 'pompe cassée 0', topK: 5 }, { store, embedder })).toMatchObject({ method: 'hybrid', warnings: [] });
	});

	it('works by words alone without an embedder, and says so', async () => {
		const store = bench.store('lexical');
		await add(store, ['pompe', 'vanne']);
		const plain = await retrieve({ query: 'pompe', topK: 5 }, { store });
		expect(plain).toMatchObject({ method: 'lexical', alpha: 0, hits: [{ score: 1 }] });
		expect(plain.notes).toEqual(['Only words were compared: no embeddings are connected.']);
		const built = await retrieve({ query: 'pompe', topK: 5 }, { store, embedder: fakeEmbedder() });
		expect(built.notes).toEqual(['Only words were compared: this knowledge base was built without embeddings.']);
		const dense = bench.store('dense only');
		await add(dense, ['pompe'], fakeEmbedder());
		expect((await retrieve({ query: 'pompe', topK: 5 }, { store: dense })).notes[0]).toContain('built with "fake/words", but no');
	});

	it('gives nothing for a query that shares no word, and asks nothing for an empty one', async () => {
		const store = bench.store('none');
		const embedder = fakeEmbedder();
		await add(store, ['pompe'], embedder);
		expect(await find(store, 'zèbre')).toEqual([]);
		embedder.requests.length = 0;
		expect(await retrieve({ query: ' ', topK: 5 }, { store, embedder })).toMatchObject({ hits: [], notes: ['The query is empty.'] });
		expect(embedder.requests).toEqual([]);
	});

	it('leans on words where one passage holds the whole query, if the asker may see it', async () => {
		const store = bench.store('coverage');
		const embedder = fakeEmbedder();
		const texts = ['la pompe fuit', 'le moteur chauffe', 'la vanne'].map((text, n) => ({ id: `d${n}`, text, acl: [n === 0 ? 'a' : 'b'] }));
		await add(store, texts, embedder);
		const alpha = async (query: string, acl: string[]) => (await retrieve({ query, topK: 5, acl }, { store, embedder })).alpha;
		expect(await alpha('la pompe fuit', ['a'])).toBe(0);
		expect(await alpha('la pompe fuit', ['b'])).toBe(0.45);
		expect(await alpha('pompe bleue du hangar', ['a'])).toBeCloseTo(0.6 * (1 - 1 / 81), 5);
	});

	it('gives an encoder that reads English only half of its weight for a query in French', async () => {
		const embedder = { ...fakeEmbedder(), id: 'local/onnx-community/all-MiniLM-L6-v2-ONNX@q4' };
		const store = bench.store('foreign');
		await add(store, ['le moteur chauffe', 'the motor is hot'], embedder);
		const alpha = async (query: string) => (await retrieve({ query, topK: 5 }, { store, embedder })).alpha;
		expect(await alpha('comment purger la pompe avant un démarrage')).toBeCloseTo(0.3, 5);
		expect(await alpha('how to bleed the pump before a start')).toBeCloseTo(0.6, 5);
	});

	it('leans on words for codes, quotes and short queries, and where one passage holds all of them', () => {
		const alpha = (query: string, coverage = 0.2) => alphaFor(query, analyse(query), coverage);
		expect(alpha('Comment purger une pompe avant son démarrage ?', 0.9)).toBeLessThan(alpha('pompe N-92c'));
		expect(alpha('pompe N-92c')).toBeLessThan(alpha('pompe'));
		expect(alpha('la phrase "arrêt complet" du manuel')).toBeLessThan(alpha('la phrase arrêt complet du manuel'));
		const description = 'La machine de presse numéro deux vibre fortement depuis hier matin quand le moteur principal dépasse la vitesse habituelle';
		expect(alpha('Comment purger une pompe avant son démarrage ?')).toBeLessThan(alpha(description));
		expect(alpha(`${description} N-92c`)).toBeGreaterThan(alpha('pompe N-92c'));
		expect(alpha('pompe')).toBeLessThan(alpha('Comment purger une pompe avant son démarrage ?'));
	});
});

describe('what hits carry', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('says where a passage stands: page and position', async () => {
		const store = bench.store('places');
		const first = 'Purger la pompe. '.repeat(60);
		await add(store, [{ id: 'manual', text: `${first}\n\n${'Fermer la vanne. '.repeat(60)}`, pageStarts: [0, first.length + 2] }]);
		const { hits } = await retrieve({ query: 'vanne', topK: 1 }, { store });
		expect(hits[0]).toMatchObject({ page: 2 });
		expect(hits[0]?.end).toBe(hits[0]!.start! + hits[0]!.text.length);
		expect(hits[0]?.text).toContain('Fermer la vanne.');
	});

	it('G12 gives a text that stands in two documents once, and names the other', async () => {
		const store = bench.store('twice');
		await add(store, [{ id: 'a', text: 'Fermer la vanne à 50 bar.' }, { id: 'b', text: 'Fermer la  vanne à 50 bar.' }, { id: 'c', text: 'Fermer la vanne à 60 bar.' }]);
		const { hits } = await retrieve({ query: 'vanne', topK: 3 }, { store });
		expect(hits.map(({ documentId, alsoIn }) => [documentId, alsoIn])).toEqual([['a', ['b']], ['c', undefined]]);
	});

	it('gives one passage for each document, and passages around it, when asked to', async () => {
		const store = bench.store('around');
		const section = (n: number) => `# Partie ${n}\n\nLa pompe numéro ${n}.\n\n`;
		await add(store, [{ id: 'a', text: [1, 2, 3].map(section).join('') }, { id: 'b', text: 'La pompe.' }]);
		const { hits } = await retrieve({ query: 'pompe numéro 2', topK: 5, onePerDocument: true, neighbours: 1 }, { store });
		expect(hits.map(({ documentId }) => documentId).sort()).toEqual(['a', 'b']);
		const first = hits.find(({ documentId }) => documentId === 'a');
		expect(first?.text).toContain('numéro 2');
		expect(first?.context).toMatch(/numéro 1\.[^]*numéro 2\.[^]*numéro 3\./);
	});
});
