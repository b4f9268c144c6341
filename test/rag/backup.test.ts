import { backupLines, readHeader, restoreLines } from '../../lib/rag/backup';
import { rebuildTheme } from '../../lib/rag/rebuild';
import type { ThemeStore } from '../../lib/rag/store';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

const embedder = fakeEmbedder();
const documents = [
	{ id: 'a', text: '# Pompe\n\nPurger la pompe N-92c.', title: 'Manuel', source: 'm.md', meta: { year: 2025, tags: ['x'] }, acl: ['g:shop'], scope: 's', pageStarts: [0] },
	{ id: 'b', text: 'Fermer la vanne.', acl: ['u:boss'] },
];

async function linesOf(store: ThemeStore): Promise<string[]> {
	const lines: string[] = [];
	for await (const line of backupLines(store)) lines.push(line);
	return lines;
}

async function restore(store: ThemeStore, lines: readonly string[]) {
	return await restoreLines(store, readHeader(lines[0]), (async function* () { yield* lines.slice(1); })());
}

describe('backup and restore', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

	it('give a knowledge base that answers as the first, with its rights, and knows its documents again', async () => {
		const first = bench.store('first');
		await add(first, documents, embedder);
		const second = bench.store('second');
		expect(await restore(second, await linesOf(first))).toEqual({ documents: 2, chunks: 2, removed: 0 });
		for (const [query, acl] of [['pompe N92C', ['g:shop']], ['vanne', ['u:boss']], ['vanne', ['g:shop']], ['pompe', []]] as const) {
			expect(await find(second, query, { embedder, acl })).toEqual(await find(first, query, { embedder, acl }));
		}
		expect(await second.documents({ scope: 's' })).toMatchObject([{ id: 'a', title: 'Manuel', source: 'm.md', meta: { year: 2025, tags: ['x'] }, acl: ['g:shop'] }]);
		expect(await second.describe()).toMatchObject({ documents: 2, chunks: 2, protected: true, characters: (await first.describe()).characters });
		expect((await add(second, documents, embedder)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
		expect(await second.verify()).toEqual({ ok: true, problems: [] });
	});

	it('keep a protected knowledge base closed when no document has rights any more', async () => {
		const first = bench.store('closed');
		await add(first, documents.slice(0, 1), embedder);
		await first.change([{ id: 'a', acl: [] }]);
		const second = bench.store('closed again');
		await restore(second, await linesOf(first));
		expect(await find(second, 'pompe', { acl: ['g:shop', '*'] })).toEqual([]);
	});

	it('refuse a file that was cut off or is another one, and then remove nothing', async () => {
		const first = bench.store('source');
		await add(first, documents, embedder);
		const lines = await linesOf(first);
		const target = bench.store('target');
		await add(target, [{ id: 'old', text: 'ancien' }], embedder);
		for (const broken of [lines.slice(0, 2), [lines[0]!, lines[1]!, lines[2]!.slice(0, 40)], [lines[0]!, '{"id": 3}']]) {
			await expect(restore(target, broken)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('not a whole backup') });
		}
		expect(() => readHeader('{"hello": 1}')).toThrow('its first line is not that of one');
		expect(() => readHeader('PK')).toThrow('a line of it cannot be read');
		expect(() => readHeader(undefined)).toThrow('not a whole backup');
		expect(() => readHeader(lines[0]!.replace('"version":1', '"version":9'))).toThrow('it has version 9');
		expect((await target.documents({})).map(({ id }) => id)).toContain('old');
		expect(await restore(target, lines)).toMatchObject({ documents: 2, removed: 1 });
	});
});

describe('rebuild', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());
	const other = fakeEmbedder({ id: 'other', dimension: 32 });

	it('E03 embeds what is stored with another encoder; the sources are not needed, rights and ids stay', async () => {
		const store = bench.store('mismatch');
		await add(store, documents, embedder);
		await expect(find(store, 'pompe', { embedder: other })).rejects.toThrow('was built with');
		expect(await rebuildTheme({ store, embedder: other })).toEqual({ embedded: 2, embedderId: 'other', dimension: 32 });
		expect(await find(store, 'pompe', { embedder: other, acl: ['g:shop'] })).toEqual(['a']);
		expect(await store.manifest()).toMatchObject({ embedderId: 'other', dimension: 32, protected: true });
		await expect(find(store, 'pompe', { embedder })).rejects.toThrow('was built with');
		expect((await add(store, documents, other)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
		expect(await store.verify()).toEqual({ ok: true, problems: [] });
	});

	it('goes on where it was cut off, and serves the old vectors until the end', async () => {
		const store = bench.store('cut');
		await add(store, Array.from({ length: 150 }, (_, n) => `pompe ${n}`), embedder);
		let calls = 0;
		const failing = { id: 'other', embed: async (texts: readonly string[], options: never) => {
			if (++calls === 2) throw new Error('down');
			return await other.embed(texts, options);
		} };
		await expect(rebuildTheme({ store, embedder: failing })).rejects.toThrow('down');
		expect((await find(store, 'pompe 7', { embedder }))[0]).toBe('d7');
		expect(await rebuildTheme({ store, embedder: other })).toMatchObject({ embedded: 86 });
		expect((await find(store, 'pompe 7', { embedder: other }))[0]).toBe('d7');
	});

	it('stops when it is cancelled', async () => {
		const store = bench.store('cancelled');
		await add(store, ['pompe'], embedder);
		await expect(rebuildTheme({ store, embedder: other, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
		expect(await find(store, 'pompe', { embedder })).toEqual(['d0']);
	});
});
