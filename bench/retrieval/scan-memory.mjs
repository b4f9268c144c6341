/**
 * A process of its own that tells what searching a large knowledge base costs in memory, as RAG Retriever does it, in its thread:
 * `node --expose-gc scan-memory.mjs <folder> <theme>` prints `{scanRssMb, threadRssMb, processRssMb}`.
 *
 * Resident set (RSS) of the whole process. The baseline of `scanRssMb` is the same process when its thread has already searched a
 * knowledge base of 100 passages 200 times; then it opens the large one, searches it 200 times, 200 times with a filter that one
 * document of a hundred fits, and is measured again. So code, JIT and heaps that any search needs are not in it; the bytes of the
 * vectors, the columns, SQLite's cache and all garbage of the thread are: only the main heap is collected before. `threadRssMb` is
 * what the thread cost for the small one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { searcher, syntheticSource } from '../retrieval.mjs';

const require = createRequire(import.meta.url);
const { openOrCreateTheme, openTheme } = require('../../dist/lib/rag/open-theme.js');
const { analyse } = require('../../dist/lib/text/analyse.js');
const { stopStoreThreads } = require('../../dist/lib/rag/threaded-store.js');
require('../../dist/lib/rag/retrieve.js');
const [, , folder, theme] = process.argv;
const FILTER = { filter: { field: 'part', operator: '==', value: 7 } };

function rssMb() {
	globalThis.gc();
	return process.memoryUsage.rss() / 1e6;
}

async function putSmall(place, { words, vector }) {
	const store = await openOrCreateTheme(place, { createdBy: 'bench' });
	for (let n = 0; n < 10; n++) {
		const chunks = Array.from({ length: 10 }, () => words(120)).map((text) => ({
			...{ text, start: 0, end: text.length, titlePath: [], tokens: analyse(text, { language: 'fr' }), vector: vector() },
		}));
		await store.put({ document: { id: `d${n}`, text: '', meta: { part: n } }, hash: 'x', chunks }, { id: 'synthetic', dimension: 384 });
	}
	await store.close();
}

async function searchAll(place, queries, options) {
	const store = await openTheme(place, 'search');
	const ask = searcher(store, queries);
	for (const query of queries) await ask(query, options);
	await store.close();
}

const own = mkdtempSync(path.join(tmpdir(), 'bench-memory-'));
try {
	const source = syntheticSource();
	const queries = Array.from({ length: 200 }, () => ({ q: source.words(6), vector: source.vector() }));
	const small = { folder: own, theme: 'small' };
	const bare = rssMb();
	await putSmall(small, source);
	await searchAll(small, queries, {});
	const before = rssMb();
	await searchAll({ folder, theme }, queries, {});
	await searchAll({ folder, theme }, queries, FILTER);
	const after = rssMb();
	const [scanRssMb, threadRssMb, processRssMb] = [after - before, before - bare, after].map(Math.round);
	process.stdout.write(JSON.stringify({ scanRssMb, threadRssMb, processRssMb }));
} finally {
	await stopStoreThreads();
	rmSync(own, { recursive: true });
}
