import fc from 'fast-check';
import type { DocumentToIndex } from '../../lib/rag/index-documents';
import { backupLines, readHeader, restoreLines } from '../../lib/rag/backup';
import { rebuildTheme } from '../../lib/rag/rebuild';
import { openOrCreateTheme, openTheme, removeTheme, type ThemePlace } from '../../lib/rag/open-theme';
import type { ThemeStore } from '../../lib/rag/store';
import { analyse } from '../../lib/text/analyse';
import { createBm25 } from '../../lib/text/bm25';
import { fakeEmbedder } from '../support/fake-embedder';
import { fits } from '../rag/naive-filter';
import { add, find } from '../rag/make-store';

const WORDS = 'pompe vanne joint moteur filtre huile pression fuite arrêt alarme N-92c P101/A capteur niveau la de et'.split(' ');
const embedder = fakeEmbedder();

/** A fixed pseudo-random text of 5 to 30 words. */
export function someText(seed: number): string {
	let state = (seed + 1) * 2654435761;
	const next = (below: number) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below;
	return Array.from({ length: 5 + next(25) }, () => WORDS[next(WORDS.length)]).join(' ');
}

/** How stores are opened; by default as the nodes do it. */
export interface StoreWays {
	readonly openTheme: typeof openTheme;
	readonly openOrCreateTheme: typeof openOrCreateTheme;
	readonly removeTheme: typeof removeTheme;
}

/** Tests that every store must pass. `placeOf` names a place for a knowledge base; stores are opened one after the other. */
export function itIsAStore(placeOf: (theme: string) => ThemePlace, ways: StoreWays = { openTheme, openOrCreateTheme, removeTheme }): void {
	const { openTheme: openOld, openOrCreateTheme: openNew, removeTheme: removeOld } = ways;
	const open: ThemeStore[] = [];
	const made = async (theme: string): Promise<ThemeStore> => {
		const store = await openNew(placeOf(theme), { createdBy: 'test', now: () => 1_700_000_000_000 });
		open.push(store);
		return store;
	};
	afterEach(async () => {
		for (const store of open.splice(0)) await store.close();
	});

	it('G06 G08 scores words as BM25 over the same tokens, also after updates and removals', async () => {
		const store = await made('bm25');
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
			const passages = new Map((await store.passages(candidates.map(({ ref }) => ref))).map((passage) => [passage.ref, passage]));
			for (const { ref, lexical } of candidates) {
				expect(lexical).toBeCloseTo(expected[kept.indexOf(Number(passages.get(ref)!.documentId.slice(1)))]!, 4);
			}
		}
	});

	it('scores a passage for a third within the passages before and after it, of its own document only', async () => {
		const store = await made('context');
		const parts = ['# Un\n\nLa pompe fuit.', '# Deux\n\nLe joint de la pompe use.', '# Trois\n\nLe joint est noir, la vanne non.', '# Quatre\n\nLe toit fuit.'];
		await add(store, [{ id: 'a', text: parts.join('\n\n') }, { id: 'b', text: 'Le joint fuit.' }]);
		const { candidates } = await store.search({ tokens: analyse('le joint fuit', { language: 'fr' }), candidates: 10 });
		const passages = await store.passages(candidates.map(({ ref }) => ref));
		const own = passages.map(({ titlePath, text }) => analyse([...titlePath, text].join('\n'), { language: 'fr' }));
		const at = (id: string) => passages.findIndex((passage) => passage.id === id);
		const index = createBm25(['a#0', 'a#1', 'a#2', 'a#3', 'b#0'].map((id) => own[at(id)] ?? []));
		const alone = index.score(analyse('le joint fuit', { language: 'fr' }));
		const lexical = (id: string) => candidates.find(({ ref }) => ref === passages[at(id)]!.ref)!.lexical!;
		expect(lexical('b#0')).toBeCloseTo(alone[4]!, 4);
		expect(lexical('a#1')).toBeGreaterThan(alone[1]!);
		expect(lexical('a#0')).not.toBeCloseTo(alone[0]!, 3);
	});

	it('finds the same nearest vectors as a plain comparison', async () => {
		const store = await made('dense');
		const texts = Array.from({ length: 30 }, (_, n) => someText(n));
		await add(store, texts, embedder);
		const [vector] = await embedder.embed(['pompe moteur'], { kind: 'query' });
		const vectors = await embedder.embed(texts, { kind: 'passage' });
		const cosine = vectors.map((other) => other.reduce((sum, value, i) => sum + value * vector![i]!, 0));
		const { candidates } = await store.search({ tokens: [], vector: vector!, candidates: 5 });
		const best = [...cosine].sort((a, b) => b - a).slice(0, 5);
		expect(candidates.map((candidate) => candidate.dense!).sort((a, b) => b - a)).toEqual(best.map((score) => expect.closeTo(score, 4)));
	});

	it('G10 keeps knowledge bases apart', async () => {
		for (const [theme, text] of [['one', 'pompe rouge'], ['two', 'pompe verte']] as const) {
			const store = await openNew(placeOf(theme), { createdBy: 'test' });
			await add(store, [text]);
			await store.close();
		}
		const first = await openOld(placeOf('one'));
		open.push(first);
		const { candidates } = await first.search({ tokens: analyse('pompe'), candidates: 5 });
		expect((await first.passages(candidates.map(({ ref }) => ref))).map(({ text }) => text)).toEqual(['pompe rouge']);
	});

	it('G15 replaces the older version, keeps its rights, and reports what it did', async () => {
		const store = await made('versions');
		const outcome = async (document: DocumentToIndex) => (await add(store, [document], embedder))[0]?.outcome;
		expect(await outcome({ id: 'a', text: 'pompe ancienne', acl: ['g:x'] })).toBe('added');
		expect(await outcome({ id: 'a', text: 'pompe nouvelle' })).toBe('updated');
		expect(await outcome({ id: 'a', text: 'pompe nouvelle' })).toBe('unchanged');
		expect(await outcome({ id: 'a', text: 'pompe nouvelle', meta: { n: 1 } })).toBe('changed');
		expect(await find(store, 'ancienne', { acl: ['g:x'] })).toEqual([]);
		expect(await find(store, 'nouvelle', { acl: ['g:x'] })).toEqual(['a']);
		expect(await store.documents({ ids: ['a', 'b'] })).toMatchObject([{ id: 'a', acl: ['g:x'], meta: { n: 1 }, chunks: 1 }]);
		expect(await store.describe()).toMatchObject({ documents: 1, chunks: 1, protected: true, embedderId: 'fake/words', dimension: 64 });
	});

	it('G16 removes a document from every index and tolerates unknown ids', async () => {
		const store = await made('remove');
		await add(store, ['pompe rouge', 'vanne bleue'], embedder);
		expect(await store.remove(['d0', 'nowhere', 'd0'])).toEqual({ removed: ['d0'], unknown: ['nowhere'] });
		expect(await find(store, 'pompe rouge', { embedder })).toEqual(['d1']);
		expect(await find(store, 'pompe rouge')).toEqual([]);
		expect(await store.passages([987654321])).toEqual([]);
		expect(await store.verify()).toEqual({ ok: true, problems: [] });
		await store.compact();
		expect(await find(store, 'vanne', { embedder })).toEqual(['d1']);
	});

	it('E03 names both embedders when they do not fit', async () => {
		const store = await made('embedders');
		await add(store, ['pompe'], embedder);
		await expect(add(store, ['vanne'], fakeEmbedder({ id: 'other', dimension: 3 }))).rejects.toThrow('was built with the embeddings "fake/words" (64 numbers); now there are the embeddings "other" (3 numbers)');
	});

	it('gives the neighbours of a passage in order', async () => {
		const store = await made('neighbours');
		await add(store, [{ id: 'a', text: '# Un\n\npremier\n\n# Deux\n\ndeuxième\n\n# Trois\n\ntroisième' }]);
		expect((await store.neighbours('a', 1, 5)).map(({ position, titlePath }) => [position, titlePath])).toEqual([[1, ['Deux']], [2, ['Trois']]]);
	});

	it('never shows what the naive reading of rights and filters forbids, on either side', async () => {
		const users = ['u:a', 'u:b', 'g:x', 'g:y', '*'];
		const some = <Value>(list: readonly Value[], seed: number): Value[] => list.filter((_, n) => ((seed >> n) & 1) === 1);
		const documents = Array.from({ length: 120 }, (_, n): DocumentToIndex => {
			const acl = some(users, (n * 7) % 32);
			return { id: `d${n}`, text: someText(n), acl, meta: { n: n % 10, site: ['Lyon', 'Brest', null][n % 3]!, tags: some(['p', 'q'], n) } };
		});
		const store = await made('leaks');
		await add(store, documents, embedder);
		const filters = [undefined, { field: 'n', operator: '<', value: 5 }, { not: { field: 'site', operator: '==', value: 'Lyon' } }, { field: 'tags', operator: 'contains', value: 'p' }] as const;
		let seen = 0;
		await fc.assert(
			fc.asyncProperty(fc.subarray(users), fc.constantFrom(...filters), fc.nat(50), async (acl, filter, query) => {
				const found = await find(store, someText(query), { acl, embedder, topK: 200, ...(filter && { filter }) });
				const right = documents.filter((one) => one.acl!.some((token) => acl.includes(token)) && (!filter || fits(one.meta!, filter)));
				expect(found.filter((id) => !right.some((one) => one.id === id))).toEqual([]);
				expect(new Set(found).size).toBe(right.length);
				seen += found.length;
			}),
			{ numRuns: 40, seed: 3 },
		);
		expect(seen).toBeGreaterThan(0);
		expect(await find(store, 'pompe', { embedder })).toEqual([]);
		expect((await find(store, 'pompe', { embedder, acl: 'all', topK: 200 })).length).toBe(120);
	}, 60_000);

	it('answers an asker as if what he may not see were not there: no score, weight or count tells of it', async () => {
		const visible = Array.from({ length: 12 }, (_, n): DocumentToIndex => ({ id: `v${n}`, text: someText(n), acl: ['u:a'] }));
		const hidden = Array.from({ length: 30 }, (_, n): DocumentToIndex => ({ id: `h${n}`, text: `${someText(n + 50)} licenciement fusion ${someText(n)}`, acl: n % 2 ? ['u:b'] : [] }));
		const answers: string[] = [];
		for (const [theme, documents] of [['apart', visible], ['among', [...hidden.slice(0, 9), ...visible, ...hidden.slice(9)]]] as const) {
			const store = await made(theme);
			await add(store, documents, embedder);
			const found: unknown[] = [];
			for (const query of ['pompe pression', 'N-92c', 'licenciement', 'fusion de la pompe', 'le plan de licenciement N-92c']) {
				const [vector] = await embedder.embed([query], { kind: 'query' });
				const { candidates, ...rest } = await store.search({ tokens: analyse(query), vector: vector!, candidates: 50, acl: ['u:a'] });
				const names = new Map((await store.passages(candidates.map(({ ref }) => ref))).map(({ ref, id }) => [ref, id]));
				const plain = candidates.map(({ ref, matched = [], ...scores }) => ({ id: names.get(ref), ...scores, matched: [...matched].sort() }));
				found.push(rest, plain.sort((a, b) => (a.id! < b.id! ? -1 : 1)));
			}
			answers.push(JSON.stringify(found, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(5)) : value)));
			await open.pop()?.close();
		}
		expect(answers[1]).toBe(answers[0]);
		expect(answers[0]).toContain('"v0#0"');
	}, 60_000);

	it('is protected by rights that are nobody’s, before the document is stored: a source whose rights cannot be read lies open to nobody', async () => {
		const store = await made('unread');
		await add(store, [{ id: 'open', text: 'pompe de tous' }]);
		expect(await find(store, 'pompe')).toEqual(['open']);
		let wasProtected: boolean | undefined;
		const slow = { ...embedder, embed: async (...given: Parameters<typeof embedder.embed>) => ((wasProtected = (await store.manifest()).protected), await embedder.embed(...given)) };
		await store.remove(['open']);
		await add(store, [{ id: 'a', text: 'pompe secrète', acl: [] }, { id: 'b', text: 'pompe de Bob', acl: ['u:b'] }], slow);
		expect(wasProtected).toBe(true);
		expect(await find(store, 'pompe', { acl: ['u:b'] })).toEqual(['b']);
		await open.pop()?.close();
		const other = await made('unread too');
		await add(other, [{ id: 'a', text: 'pompe' }]);
		await add(other, [{ id: 'a', text: 'pompe', acl: [] }]);
		expect(await find(other, 'pompe', { acl: ['u:b'] })).toEqual([]);
	}, 60_000);

	it('stays protected when the last rights are taken away', async () => {
		const store = await made('sticky');
		await add(store, [{ id: 'a', text: 'pompe', acl: ['u:a'] }, { id: 'b', text: 'pompe' }]);
		expect(await store.change([{ id: 'a', acl: [] }, { id: 'gone', acl: [] }])).toEqual({ changed: ['a'], unknown: ['gone'] });
		expect(await find(store, 'pompe', { acl: ['u:a'] })).toEqual([]);
		await store.remove(['a']);
		expect(await find(store, 'pompe', { acl: ['u:a'] })).toEqual([]);
	});

	it('answers the same search again as long as nothing changes, and to nobody else', async () => {
		const store = await made('answers');
		await add(store, [{ id: 'a', text: 'pompe rouge', acl: ['u:a'] }, { id: 'b', text: 'pompe bleue', acl: ['u:b'] }], embedder);
		const seen = async (acl: string[]) => await find(store, 'pompe', { embedder, acl });
		for (let turn = 0; turn < 2; turn++) {
			expect(await seen(['u:a'])).toEqual(['a']);
			expect(await seen(['u:b'])).toEqual(['b']);
			expect(await seen([])).toEqual([]);
		}
		await store.change([{ id: 'a', acl: ['u:b'] }]);
		expect(await seen(['u:a'])).toEqual([]);
		expect((await seen(['u:b'])).sort()).toEqual(['a', 'b']);
		await store.remove(['b']);
		expect(await seen(['u:b'])).toEqual(['a']);
		await add(store, [{ id: 'a', text: 'vanne rouge' }], embedder);
		expect(await find(store, 'pompe', { acl: ['u:b'] })).toEqual([]);
	});

	it('goes into a backup, comes out of it the same, and takes the vectors of another encoder at once', async () => {
		const store = await made('copied');
		await add(store, [{ id: 'a', text: '# Pompe\n\nPurger la pompe.', title: 'Manuel', acl: ['u:a'], meta: { n: 1 } }, 'la vanne'], embedder);
		const lines: string[] = [];
		for await (const line of backupLines(store)) lines.push(line);
		await open.pop()?.close();
		const copy = await made('copy');
		await restoreLines(copy, readHeader(lines[0]), (async function* () { yield* lines.slice(1); })());
		expect(await find(copy, 'purger', { embedder, acl: ['u:a'] })).toEqual(['a']);
		expect(await find(copy, 'vanne', { embedder, acl: ['u:a'] })).toEqual(['a']);
		expect(await copy.whole('a')).toMatchObject({ stored: { acl: ['u:a'], meta: { n: 1 } }, chunks: [{ titlePath: ['Pompe'], vector: expect.any(Float32Array) }] });
		expect(await copy.whole('nowhere')).toBeUndefined();
		const other = fakeEmbedder({ id: 'other', dimension: 24 });
		await copy.stageVectors({ id: 'other', dimension: 24 }, []);
		expect(await copy.adoptVectors({ id: 'other', dimension: 24 })).toBe(false);
		expect(await rebuildTheme({ store: copy, embedder: other })).toMatchObject({ embedded: 2, dimension: 24 });
		expect(await find(copy, 'purger pompe', { embedder: other, acl: ['u:a'] })).toEqual(['a']);
		expect(await copy.verify()).toEqual({ ok: true, problems: [] });
	}, 60_000);

	it('verifies and compacts in steps: tells how far it is, can be cancelled between them, and loses nothing', async () => {
		const store = await made('steps');
		await add(store, ['la pompe', 'la vanne']);
		const told: string[] = [];
		const controller = new AbortController();
		const log = (_: string, message: string): void => void told.push(message);
		expect(await store.verify({ log })).toEqual({ ok: true, problems: [] });
		await store.compact({ log });
		const verified = told.filter((message) => message.startsWith('Verifying'));
		expect(verified.length).toBeGreaterThan(2);
		expect(verified.at(-1)).toMatch(new RegExp(`\\(${verified.length} of ${verified.length}\\)$`));
		expect(told.at(-1)).toMatch(/^Compacting: .+ \(3 of 3\)$/);
		const cancelAtSecond = (_: string, message: string): void => void (/\(2 of/.test(message) && controller.abort());
		for (const work of [store.verify({ log: cancelAtSecond, signal: controller.signal }), store.compact({ signal: controller.signal })]) {
			await expect(work).rejects.toMatchObject({ code: 'ABORTED', message: expect.stringMatching(/was cancelled after [01] of \d+ steps/) });
		}
		expect(await find(store, 'vanne')).toEqual(['d1']);
		const lines: string[] = [];
		await expect(async () => { for await (const line of backupLines(store, { signal: controller.signal })) lines.push(line); }).rejects.toThrow('The backup was cancelled after 0 of 2 documents');
		expect(lines).toHaveLength(1);
	});

	it('tells which words of the query a passage holds', async () => {
		const store = await made('matched');
		await add(store, ['la pompe N-92c fuit', 'le moteur']);
		const { candidates } = await store.search({ tokens: analyse('pompes N-92c moteur'), candidates: 5 });
		const [passage] = await store.passages(candidates.map(({ ref }) => ref));
		expect(passage?.documentId).toBe('d0');
		expect([...(candidates[0]?.matched ?? [])].sort()).toEqual(expect.arrayContaining(['#n92c', 'pomp']));
		expect(candidates[0]?.matched).not.toContain('moteur');
	});

	it('says that a knowledge base does not exist, before and after it is deleted', async () => {
		await expect(openOld(placeOf('gone'))).rejects.toThrow('There is no knowledge base "gone"');
		await expect(removeOld(placeOf('gone'))).rejects.toThrow('There is no knowledge base "gone"');
		await (await openNew(placeOf('gone'), { createdBy: 'test' })).close();
		await removeOld(placeOf('gone'));
		await expect(openOld(placeOf('gone'))).rejects.toMatchObject({ code: 'BAD_INPUT', remedy: expect.stringContaining('RAG Index') });
	});
}
