import { analyse } from '../../lib/text/analyse';
import type { DocumentToIndex } from '../../lib/rag/index-documents';
import { deleteTheme, openStore } from '../../lib/rag/sqlite-store';
import { themeFile } from '../../lib/storage/paths';
import { openDatabase } from '../../lib/storage/sqlite';
import { fakeEmbedder } from '../support/fake-embedder';
import { add, find, storeBench } from './make-store';

describe('the embedded store', () => {
	const bench = storeBench();
	afterAll(() => bench.clean());

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

	it('gives nothing for a passage that is not there', async () => {
		expect(await bench.store('empty').passages([12345])).toEqual([]);
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

	it('analyses the words of an older file anew, once, and refuses those of a newer analysis', async () => {
		const store = bench.store('older');
		await add(store, [{ id: 'a', text: '# Pompe\n\nPurger la pompe N-92c.', title: 'Manuel' }, 'la vanne']);
		const tokens = analyse('pompes N92C');
		const before = await store.search({ tokens, candidates: 5 });
		const database = openDatabase(themeFile(bench.folder, 'older'), { create: false });
		// As an analyser that knew no stems and no codes would have left it.
		database.exec("UPDATE meta SET value = '0' WHERE name = 'analyser'; INSERT INTO words (words) VALUES ('delete-all'); UPDATE terms SET tokens = x''; UPDATE rows SET length = 1");
		const migrated = openStore({ folder: bench.folder, theme: 'older' });
		expect(await migrated.search({ tokens, candidates: 5 })).toEqual(before);
		expect(await store.search({ tokens, candidates: 5 })).toEqual(before);
		expect(await migrated.verify()).toEqual({ ok: true, problems: [] });
		await migrated.close();
		database.run("UPDATE meta SET value = '99' WHERE name = 'analyser'");
		database.close();
		expect(() => openStore({ folder: bench.folder, theme: 'older' })).toThrow('was built with text analysis 99');
	});

	it('migrates a file of the first format when it is opened: words, vectors, metadata and rights hold', async () => {
		const documents: DocumentToIndex[] = [
			{ id: 'a', text: '# Pompe\n\nPurger la pompe N-92c.', title: 'Manuel', acl: ['u:a'], meta: { site: 'Lyon', tags: ['x', 'y'] } },
			{ id: 'b', text: 'la vanne', meta: { site: 'Brest' } },
		];
		const embedder = fakeEmbedder();
		const today = bench.store('today');
		await add(today, documents, embedder);
		const source = openDatabase(themeFile(bench.folder, 'today'), { create: false });
		const database = openDatabase(themeFile(bench.folder, 'first'), { create: true });
		database.exec(FIRST_FORMAT);
		const copy = (sql: string, into: string): void => {
			for (const row of source.iterate(sql)) database.run(`INSERT INTO ${into} VALUES (${row.map(() => '?').join(', ')})`, ...row);
		};
		copy('SELECT id, key, title, source, meta, language, hash, characters, changed_at FROM documents', 'documents');
		copy('SELECT id, document, position, text, start, "end", title_path, 1 FROM chunks', 'chunks');
		copy('SELECT chunk, vector FROM vectors', 'vectors');
		copy('SELECT token, document FROM document_acl', 'document_acl');
		copy("SELECT name, value FROM meta WHERE name NOT IN ('format', 'protected', 'removed_from', 'theme')", 'meta');
		database.exec("INSERT INTO meta VALUES ('format', '1'), ('theme', 'first')");
		for (const one of [source, database]) one.close();
		const place = { folder: bench.folder, theme: 'first' };
		const first = openStore(place);
		const filter = { field: 'tags', operator: 'contains', value: 'y' } as const;
		for (const options of [{ acl: ['u:a'] }, { acl: ['u:b'] }, { acl: 'all', filter }, { acl: ['u:a'], filter }] as const) {
			for (const store of [first, today]) expect(await find(store, 'pompes N92C', { embedder, ...options })).toEqual(options.acl[0] === 'u:b' ? [] : ['a']);
		}
		expect(await first.describe()).toMatchObject({ format: 2, protected: true, documents: 2, embedderId: 'fake/words' });
		expect(await first.verify()).toEqual({ ok: true, problems: [] });
		await add(first, [{ id: 'c', text: 'joint neuf', scope: 's', acl: ['u:a'] }], embedder);
		expect(await find(first, 'joint', { embedder, acl: ['u:a'] })).toContain('c');
		for (const store of [first, openStore(place)]) await store.close();
	});

	it('refuses a file of a newer format', async () => {
		await bench.store('newer').close();
		const database = openDatabase(themeFile(bench.folder, 'newer'), { create: false });
		database.run("UPDATE meta SET value = '99' WHERE name = 'format'");
		database.close();
		expect(() => openStore({ folder: bench.folder, theme: 'newer' })).toThrow('The knowledge base "newer" has format 99');
	});
});

/** The tables of the first format. */
const FIRST_FORMAT = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE documents (
	id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT, source TEXT, meta TEXT NOT NULL, language TEXT,
	hash TEXT NOT NULL, characters INTEGER NOT NULL, changed_at TEXT NOT NULL
);
CREATE TABLE chunks (
	id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents (id), position INTEGER NOT NULL,
	text TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, title_path TEXT NOT NULL, length INTEGER NOT NULL
);
CREATE INDEX chunks_of_document ON chunks (document, position);
CREATE TABLE vectors (chunk INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE document_acl (token TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (token, document)) WITHOUT ROWID;
CREATE INDEX acl_of_document ON document_acl (document);
CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '=#.,/-_'");
CREATE VIRTUAL TABLE word_counts USING fts5vocab (words, col);
CREATE VIRTUAL TABLE word_places USING fts5vocab (words, instance);
`;
