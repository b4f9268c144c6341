import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forgetToolVectors, toolVectors } from '../../lib/routing/tool-vectors';
import { fakeEmbedder } from '../support/fake-embedder';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'tool-vectors-'));
	forgetToolVectors();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const segments = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.seg'));

describe('toolVectors', () => {
	it('keeps vectors by content on disk: another process embeds nothing, a changed text once', async () => {
		const texts = ['read a file', 'write a file', 'read a file'];
		const first = await toolVectors(texts, { embedder: fakeEmbedder({ id: 'test/disk' }), folder });
		expect(first[0]).toEqual(first[2]);
		forgetToolVectors();
		const again = fakeEmbedder({ id: 'test/disk' });
		expect(await toolVectors(texts, { embedder: again, folder })).toEqual(first);
		expect(again.requests).toEqual([]);
		await toolVectors(['read a file', 'delete a file'], { embedder: again, folder });
		expect(again.requests.map((request) => request.texts)).toEqual([['delete a file']]);
	});

	it('sees what another process wrote meanwhile, and keeps embedders apart', async () => {
		const own = fakeEmbedder({ id: 'test/one' });
		await toolVectors(['a'], { embedder: own, folder });
		const [segment] = segments();
		expect(segment).toBeDefined();
		const other = fakeEmbedder({ id: 'test/two' });
		await toolVectors(['a'], { embedder: other, folder });
		expect(other.requests).toHaveLength(1);
		expect(new Set(segments().map((name) => path.dirname(name))).size).toBe(2);
	});

	it('embeds anew what a damaged or foreign file does not hold', async () => {
		await toolVectors(['a', 'b'], { embedder: fakeEmbedder({ id: 'test/broken' }), folder });
		const file = path.join(folder, segments()[0] ?? '');
		truncateSync(file, 8 + 16 + 64 * 4 + 5);
		writeFileSync(path.join(path.dirname(file), 'zz.seg'), 'not vectors');
		forgetToolVectors();
		const embedder = fakeEmbedder({ id: 'test/broken' });
		const vectors = await toolVectors(['a', 'b'], { embedder, folder });
		expect(embedder.requests.flatMap(({ texts }) => texts)).toHaveLength(1);
		expect(vectors.every((vector) => vector.length === 64)).toBe(true);
	});

	it('goes on without a folder that cannot be written, and says so once', async () => {
		const blocked = path.join(folder, 'file');
		writeFileSync(blocked, '');
		const said: string[] = [];
		const log = (_level: string, message: string): void => void said.push(message);
		const vectors = await toolVectors(['a', 'b'], { embedder: fakeEmbedder({ id: 'test/blocked' }), folder: blocked, log });
		expect(vectors).toHaveLength(2);
		expect(said).toEqual([expect.stringContaining('could not be kept on disk')]);
	});

	it('says in the log how far a long indexing is', async () => {
		const said: string[] = [];
		const texts = Array.from({ length: 600 }, (_, at) => `tool ${at}`);
		await toolVectors(texts, { embedder: fakeEmbedder({ id: 'test/progress' }), log: (_level, message) => void said.push(message) });
		expect(said).toEqual(['Tool Router: 256 of 600 tool texts indexed', 'Tool Router: 512 of 600 tool texts indexed', 'Tool Router: 600 of 600 tool texts indexed']);
	});
});
