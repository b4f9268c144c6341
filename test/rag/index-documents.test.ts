import { CodedError } from '../../lib/core/errors';
import { indexDocuments } from '../../lib/rag/index-documents';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

describe('indexDocuments', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('G15 leaves only the new version and reports what happened', async () => {
		const store = bench.store('versions');
		const embedder = fakeEmbedder();
		const outcomes = async (text: string) => (await add(store, [{ id: 'a', text }], embedder)).map((report) => report.outcome);
		expect(await outcomes('vieille procédure de pompe')).toEqual(['added']);
		expect(await outcomes('vieille procédure de pompe')).toEqual(['unchanged']);
		expect(await outcomes('nouvelle procédure de vanne')).toEqual(['updated']);
		expect(await find(store, 'vieille pompe')).toEqual([]);
		expect(await find(store, 'vanne', { embedder })).toEqual(['a']);
		expect((await store.describe()).documents).toBe(1);
	});

	it('stores again when the title, the metadata or the rights changed', async () => {
		const store = bench.store('facts');
		const outcome = async (document: object) => (await add(store, [{ id: 'a', text: 'pompe', ...document }]))[0]!.outcome;
		expect(await outcome({})).toBe('added');
		expect(await outcome({ title: 'Manual' })).toBe('updated');
		expect(await outcome({ title: 'Manual', meta: { page: 2 } })).toBe('changed');
		expect(await outcome({ title: 'Manual', meta: { page: 2 }, acl: ['group:a'] })).toBe('changed');
		expect(await outcome({ title: 'Manual', meta: { page: 2 }, acl: ['group:a'] })).toBe('unchanged');
	});

	it('E04 never embeds blanks, and calls a document without text unreadable', async () => {
		const store = bench.store('blanks');
		const embedder = fakeEmbedder();
		const reports = await add(store, ['a', '', '\n\n', ' ', 'b'], embedder);
		expect(reports.map(({ id, outcome }) => `${id} ${outcome}`).sort()).toEqual([
			'd0 added',
			'd1 unreadable',
			'd2 unreadable',
			'd3 unreadable',
			'd4 added',
		]);
		expect(embedder.requests.flatMap((request) => request.texts)).toEqual(['a', 'b']);
		expect(reports.find((report) => report.id === 'd1')?.reason).toBe('It has no text.');
	});

	it('E03 names both embedders and the remedy when they differ', async () => {
		const store = bench.store('mismatch');
		await add(store, ['pompe'], fakeEmbedder({ id: 'model-x', dimension: 3 }));
		const other = fakeEmbedder({ id: 'model-y', dimension: 4 });
		const message = 'The knowledge base "mismatch" was built with the embeddings "model-x" (3 numbers); now there are';
		await expect(add(store, [{ id: 'n', text: 'vanne' }], other)).rejects.toThrow(`${message} the embeddings "model-y" (4 numbers)`);
		await expect(add(store, [{ id: 'n', text: 'vanne' }])).rejects.toThrow(`${message} no embeddings`);
		await expect(find(store, 'pompe', { embedder: other })).rejects.toMatchObject({
			code: 'BAD_INPUT',
			message: expect.stringContaining('"model-y"'),
			remedy: expect.stringContaining('Connect "model-x" again, or run the operation Rebuild'),
		});
		const shorter = fakeEmbedder({ id: 'model-x', dimension: 2 });
		await expect(find(store, 'pompe', { embedder: shorter })).rejects.toThrow('(3 numbers); now there are the embeddings "model-x" (2 numbers)');
		expect((await store.describe()).documents).toBe(1);
	});

	it('lets an empty knowledge base change its embedder', async () => {
		const store = bench.store('rebind');
		await add(store, ['pompe'], fakeEmbedder({ id: 'x' }));
		await store.remove(['d0']);
		await add(store, ['pompe'], fakeEmbedder({ id: 'y' }));
		expect((await store.manifest()).embedderId).toBe('y');
	});

	it('embeds documents together and finds the one that the embedder refuses', async () => {
		const store = bench.store('batch');
		const fake = fakeEmbedder();
		const embedder = {
			...fake,
			embed: async (texts: readonly string[], options: { kind: 'passage' | 'query' }) => {
				if (texts.includes('too long')) throw new CodedError('BAD_INPUT', 'The text has 9000 tokens.');
				return fake.embed(texts, options);
			},
		};
		expect((await add(store, ['one', 'two'], fake)).map((report) => report.outcome)).toEqual(['added', 'added']);
		expect(fake.requests).toHaveLength(1);
		const reports = await add(store, [{ id: 'x', text: 'fine' }, { id: 'y', text: 'too long' }, { id: 'z', text: 'good' }], embedder);
		expect(reports).toEqual([
			{ id: 'x', outcome: 'added', chunks: 1 },
			{ id: 'y', outcome: 'unreadable', chunks: 0, reason: 'The text has 9000 tokens.' },
			{ id: 'z', outcome: 'added', chunks: 1 },
		]);
	});

	it('stops when the embedder fails for another reason, and keeps what is stored', async () => {
		const store = bench.store('down');
		await add(store, ['before'], fakeEmbedder());
		const embedder = { id: 'fake/words', embed: () => Promise.reject(new CodedError('UPSTREAM', 'The server is down.')) };
		await expect(add(store, [{ id: 'n', text: 'after' }], embedder)).rejects.toThrow('The server is down.');
		expect((await store.describe()).documents).toBe(1);
	});

	it('keeps the documents that were stored before it was cancelled', async () => {
		const store = bench.store('cancel');
		const controller = new AbortController();
		function* documents() {
			for (let n = 0; n < 200; n++) {
				if (n === 100) controller.abort();
				yield { id: `${n}`, text: `texte ${n}` };
			}
		}
		const work = indexDocuments(documents(), { store, signal: controller.signal });
		await expect(work).rejects.toMatchObject({ code: 'ABORTED', message: 'Indexing was cancelled; 64 documents are stored' });
		expect((await store.describe()).documents).toBe(64);
	});

	it('lets other work run between two documents', async () => {
		const store = bench.store('yield');
		let turns = 0;
		const timer = setInterval(() => (turns += 1), 0);
		await add(store, Array.from({ length: 30 }, (_, n) => `texte ${n} `.repeat(50)));
		clearInterval(timer);
		expect(turns).toBeGreaterThan(3);
	});
});
