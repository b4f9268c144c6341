import type { DocumentToIndex } from '../../lib/rag/index-documents';
import { type SyncOptions, syncDocuments } from '../../lib/rag/sync';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

const texts = (from: number, to: number, word = 'pompe'): DocumentToIndex[] =>
	Array.from({ length: to - from }, (_, n) => ({ id: `d${from + n}`, text: `${word} numéro ${from + n}` }));

describe('synchronising a source', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	async function synced(theme: string, count: number) {
		const store = bench.store(theme);
		const embedder = fakeEmbedder();
		const run = async (documents: readonly DocumentToIndex[], options: Partial<SyncOptions> = {}) => {
			const report = await syncDocuments(documents, { store, embedder }, { scope: 'drive', isComplete: true, ...options });
			const outcomes = Object.fromEntries(report.reports.filter(({ outcome }) => outcome !== 'unchanged').map(({ id, outcome }) => [id, outcome]));
			return { ...report, outcomes };
		};
		await run(texts(0, count));
		return { store, embedder, run };
	}

	it('G15 adds, updates, leaves and removes, and tells which', async () => {
		const { store, embedder, run } = await synced('usual', 10);
		const before = embedder.requests.length;
		const { outcomes, removed } = await run([...texts(1, 9), { id: 'd9', text: 'vanne' }, { id: 'new', text: 'joint' }]);
		expect(outcomes).toEqual({ d9: 'updated', new: 'added' });
		expect(removed).toEqual(['d0']);
		expect(embedder.requests.slice(before).flatMap((request) => request.texts)).toEqual(['vanne', 'joint']);
		expect((await store.documents({ scope: 'drive' })).map(({ id }) => id)).toEqual(['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'new']);
		expect(await find(store, 'numéro 0')).not.toContain('d0');
	});

	it('removes nothing from another source, nor single documents', async () => {
		const { store, embedder, run } = await synced('scopes', 10);
		await add(store, [{ id: 'single', text: 'pompe seule' }], embedder);
		await syncDocuments([{ id: 'mail1', text: 'pompe' }], { store, embedder }, { scope: 'mail', isComplete: true });
		expect((await run(texts(0, 9))).removed).toEqual(['d9']);
		expect((await store.documents({})).map(({ id }) => id)).toEqual(expect.arrayContaining(['single', 'mail1']));
	});

	it('removes nothing when the list is empty or not said to be complete', async () => {
		const { store, run } = await synced('careful', 10);
		expect(await run(texts(0, 9), { isComplete: false })).toMatchObject({ removed: [], note: expect.stringContaining('1 documents are not in the list') });
		expect(await run([])).toMatchObject({ removed: [], note: expect.stringContaining('the list is empty') });
		expect((await store.describe()).documents).toBe(10);
	});

	it('refuses to remove more than a fifth, before it changes anything', async () => {
		const { store, embedder, run } = await synced('share', 10);
		const before = embedder.requests.length;
		await expect(run([...texts(0, 7), { id: 'new', text: 'joint' }])).rejects.toThrow('would remove 3 of its 10 documents, more than 20 %');
		expect(embedder.requests.length).toBe(before);
		expect((await store.describe()).documents).toBe(10);
		expect((await run(texts(0, 7), { mostRemoved: 0.3 })).removed).toEqual(['d7', 'd8', 'd9']);
	});

	it('keeps the older version of a document that is there but cannot be read', async () => {
		const { store, run } = await synced('unreadable', 10);
		expect((await run(texts(1, 10), { unreadableIds: ['d0'] })).removed).toEqual([]);
		expect((await store.describe()).documents).toBe(10);
	});

	it('foretells without changing anything', async () => {
		const { store, run } = await synced('dry', 10);
		const next: DocumentToIndex[] = [...texts(1, 8), { id: 'd8', text: 'vanne' }, { id: 'd9', text: 'pompe numéro 9', acl: ['u:a'] }, { id: 'new', text: 'x' }];
		const foretold = await run(next, { dryRun: true });
		expect(foretold.outcomes).toEqual({ d8: 'updated', d9: 'changed', new: 'added' });
		expect(foretold.removed).toEqual(['d0']);
		expect((await store.describe()).documents).toBe(10);
		const done = await run(next);
		expect(done.outcomes).toEqual(foretold.outcomes);
		expect(done.removed).toEqual(foretold.removed);
	});

	it('keeps what is stored when it is cancelled, and removes nothing then', async () => {
		const { store } = await synced('cancelled', 10);
		const cancel = new AbortController();
		const embedder = fakeEmbedder();
		const slow = { id: embedder.id, embed: async (list: readonly string[]) => (cancel.abort(), await embedder.embed(list, { kind: 'passage' })) };
		const next = [...texts(0, 1, 'vanne'), ...texts(1, 9)];
		await expect(syncDocuments(next, { store, embedder: slow, signal: cancel.signal }, { scope: 'drive', isComplete: true })).rejects.toMatchObject({ code: 'ABORTED' });
		expect((await store.describe()).documents).toBe(10);
		expect(await store.verify()).toEqual({ ok: true, problems: [] });
	});

	it('wants a name for the source', async () => {
		const store = bench.store('noname');
		await expect(syncDocuments([], { store }, { scope: ' ', isComplete: true })).rejects.toThrow('The source to synchronise has no name');
	});
});

describe('a source that is read document by document', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('is never in memory as a whole: what is read is stored before much more is read', async () => {
		const store = bench.store('stream');
		let read = 0;
		let stored = 0;
		let most = 0;
		const counting: typeof store = Object.assign(Object.create(store) as typeof store, {
			put: async (...given: Parameters<typeof store.put>) => {
				stored += 1;
				return await store.put(...given);
			},
		});
		const ids = Array.from({ length: 500 }, (_, n) => `d${n}`);
		async function* documents() {
			for (const id of ids) {
				read += 1;
				most = Math.max(most, read - stored);
				yield { id, text: `Le document ${id} parle de la pompe.` };
			}
		}
		const { reports } = await syncDocuments({ ids, documents: documents() }, { store: counting }, { scope: 'folder', isComplete: true });
		expect(reports).toHaveLength(500);
		expect(most).toBeLessThan(100);
	});

	it('does not remove what was listed and could not be read', async () => {
		const store = bench.store('unread');
		const both = [{ id: 'a', text: 'pompe' }, { id: 'b', text: 'vanne' }];
		await syncDocuments(both, { store }, { scope: 's', isComplete: true });
		async function* onlyFirst() {
			yield both[0]!;
		}
		expect((await syncDocuments({ ids: ['a', 'b'], documents: onlyFirst() }, { store }, { scope: 's', isComplete: true, mostRemoved: 1 })).removed).toEqual([]);
		expect((await store.documents({ scope: 's' })).map(({ id }) => id)).toEqual(['a', 'b']);
	});
});
