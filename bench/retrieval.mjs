/**
 * Suite retrieval: {docs: [{id, text, title?, meta?}], queries: [{q, relevant: [ids]}]}, or N synthetic passages with `--n N`.
 *
 * `default` is what RAG Retriever does: its store on disk, its passages, its weights. The other methods rank whole documents in
 * memory: BM25 over plain words, BM25 over the analyser's tokens, cosine, and both blended half and half. Recall is found ÷ relevant.
 * Times are of the search alone, the query's vector being known; brute force is a float scan of the same vectors in this process.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX';
const DIMENSION = 384;

const load = (file) => require(`../dist/lib/${file}.js`);

export async function run({ data, n, modelsFolder, say }) {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-retrieval-'));
	try {
		return n === undefined ? await measureQuality(data, modelsFolder, folder, say) : await measureSpeed(n, folder, say);
	} finally {
		load('inference/model-host-client').stopModelHosts();
		rmSync(folder, { recursive: true });
	}
}

async function measureQuality({ docs, queries }, modelsFolder, folder, say) {
	const embedder = remembering(load('inference/local-embedder').localEmbedder({ model: MODEL, dtype: 'q4', modelsFolder }));
	const place = { folder, theme: 'bench' };
	const store = load('rag/sqlite-store').openOrCreateStore(place, { createdBy: 'bench' });
	say(`Indexing ${docs.length} documents`);
	const started = performance.now();
	await load('rag/index-documents').indexDocuments(docs.map(({ id, text, title, meta }) => ({ id, text, title, meta: plainMeta(meta) })), { store, embedder });
	const indexS = (performance.now() - started) / 1000;
	await embedder.embed(queries.map(({ q }) => q), { kind: 'query' });
	await store.close();
	const timed = await searchAll(place, embedder, queries);
	const rankers = { ...(await memoryRankers(docs, embedder)), default: (_, position) => timed.rankings[position] };
	const methods = {};
	for (const [name, rank] of Object.entries(rankers)) {
		const rankings = [];
		for (const [position, { q }] of queries.entries()) rankings.push(await rank(q, position));
		methods[name] = scoresOf(rankings, queries);
		say(`${name.padEnd(12)} ${JSON.stringify(methods[name])}`);
	}
	return { docs: docs.length, queries: queries.length, ...methods.default, indexS: round(indexS), ...timed.times, methods };
}

/** Each document once, at the place of its best passage. */
async function searchAll(place, embedder, queries) {
	const { openStore } = load('rag/sqlite-store');
	const { retrieve } = load('rag/retrieve');
	const opened = performance.now();
	const store = openStore(place);
	await retrieve({ query: queries[0].q, topK: 1 }, { store, embedder });
	const openMs = performance.now() - opened;
	const times = [];
	const rankings = [];
	for (const { q } of queries) {
		const from = performance.now();
		const { hits } = await retrieve({ query: q, topK: 50 }, { store, embedder });
		times.push(performance.now() - from);
		// A text that stands in several documents is given once, with all of them.
		rankings.push([...new Set(hits.flatMap((hit) => [hit.documentId, ...(hit.alsoIn ?? [])]))]);
	}
	const brute = await bruteForceMs(store, embedder, queries);
	await store.close();
	return { rankings, times: timesOf(times, brute, openMs) };
}

function timesOf(times, bruteForceMs, openMs) {
	const msMedian = median(times);
	const rssMb = Math.round(process.memoryUsage().rss / 1e6);
	return { msMedian: round(msMedian), bruteForceMs: round(bruteForceMs), ratioToBruteForce: round(msMedian / bruteForceMs), openMs: round(openMs), rssMb };
}

/** Median of a scan of as many vectors of the same length, kept as one block, with a sort for the best 50. */
async function bruteForceMs(store, embedder, queries) {
	const { chunks, dimension } = await store.describe();
	const block = Float32Array.from({ length: chunks * dimension }, (_, i) => Math.sin(i));
	const times = [];
	for (const { q } of queries.slice(0, 100)) {
		const [query] = await embedder.embed([q], { kind: 'query' });
		times.push(scanMs(block, query));
	}
	return median(times);
}

function scanMs(block, query) {
	const from = performance.now();
	const scores = new Float32Array(block.length / query.length);
	for (let row = 0, at = 0; row < scores.length; row++, at += query.length) {
		let sum = 0;
		for (let i = 0; i < query.length; i++) sum += block[at + i] * query[i];
		scores[row] = sum;
	}
	[...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 50);
	return performance.now() - from;
}

async function memoryRankers(docs, embedder) {
	const { analyse } = load('text/analyse');
	const { createBm25 } = load('text/bm25');
	const { blendScores } = load('text/blend-scores');
	const texts = docs.map(({ title, text }) => (title ? `${title}\n${text}` : text));
	const plain = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const plainIndex = createBm25(texts.map(plain));
	const stemmedIndex = createBm25(texts.map((text) => analyse(text)));
	const vectors = await embedder.embed(texts, { kind: 'passage' });
	const bm25 = async (q) => plainIndex.score(plain(q));
	const stemmed = async (q) => stemmedIndex.score(analyse(q));
	const cosine = async (q) => {
		const [query] = await embedder.embed([q], { kind: 'query' });
		return vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * query[i], 0));
	};
	const byId = (scores) => new Map(docs.map(({ id }, position) => [id, scores[position]]));
	const ranked = (score) => async (q) => rankedIds(docs, await score(q));
	return {
		bm25: ranked(bm25),
		bm25Stemmed: ranked(stemmed),
		cosine: ranked(cosine),
		blend: async (q) => blendScores(byId(await cosine(q)), byId(await stemmed(q)), 0.5).map(({ id }) => id).slice(0, 50),
	};
}

function rankedIds(docs, scores) {
	return [...docs.keys()]
		.filter((position) => scores[position] !== 0)
		.sort((a, b) => scores[b] - scores[a])
		.slice(0, 50)
		.map((position) => docs[position].id);
}

function scoresOf(rankings, queries) {
	const sums = { r1: 0, r2: 0, r5: 0, r10: 0, ndcg10: 0, mrr10: 0 };
	for (const [position, { relevant }] of queries.entries()) {
		const wanted = new Set(relevant);
		const gains = rankings[position].slice(0, 10).map((id) => (wanted.has(id) ? 1 : 0));
		for (const k of [1, 2, 5, 10]) sums[`r${k}`] += gains.slice(0, k).reduce((sum, gain) => sum + gain, 0) / wanted.size;
		const dcg = (list) => list.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
		sums.ndcg10 += dcg(gains) / dcg(Array(Math.min(10, wanted.size)).fill(1));
		const first = gains.indexOf(1);
		sums.mrr10 += first < 0 ? 0 : 1 / (first + 1);
	}
	return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, round(sum / queries.length)]));
}

/**
 * N passages of 120 words each with clustered vectors, ten to a document; 200 queries, 20 hits each: hybrid, each side alone, and with
 * a filter that one document of a hundred fits. `cpuMs` beside a time is what this process worked: on a busy machine the wall shows
 * other processes. `recall20` compares the vector side with exact floats.
 */
async function measureSpeed(n, folder, say) {
	const { openOrCreateStore, openStore } = load('rag/sqlite-store');
	const { words, vector } = syntheticSource();
	const place = { folder, theme: 'speed' };
	const store = openOrCreateStore(place, { createdBy: 'bench' });
	const { analyse } = load('text/analyse');
	say(`Indexing ${n} synthetic passages`);
	const block = new Float32Array(n * DIMENSION);
	const started = performance.now();
	for (let at = 0; at < n; at += 10) {
		const texts = Array.from({ length: Math.min(10, n - at) }, () => words(120));
		const chunks = texts.map((text, i) => {
			const made = vector();
			block.set(made, (at + i) * DIMENSION);
			return { text, start: 0, end: text.length, titlePath: [], tokens: analyse(text, { language: 'fr' }), vector: made };
		});
		const document = { id: `d${at}`, text: texts.join('\n'), meta: { part: (at / 10) % 100 } };
		await store.put({ document, hash: 'x', chunks }, { id: 'synthetic', dimension: DIMENSION });
	}
	const indexS = (performance.now() - started) / 1000;
	await store.close();
	const from = performance.now();
	const open = openStore(place);
	const queries = Array.from({ length: 200 }, () => ({ q: words(6), vector: vector() }));
	const ask = searcher(open, queries);
	await ask(queries[0], {});
	const openMs = performance.now() - from;
	const modes = {
		hybrid: {},
		vector: { alpha: 1 },
		words: { alpha: 0 },
		filtered: { filter: { field: 'part', operator: '==', value: 7 } },
	};
	const times = {};
	for (const [mode, options] of Object.entries(modes)) times[mode] = await timeAll(queries, (query) => ask(query, options));
	const stallMs = await stallsOf(place, queries);
	const memory = memoryOf(place);
	const brute = timesSummary(queries.slice(0, 50).map(({ vector: query }) => scanMs(block, query)));
	const recall20 = await recallOf(open, queries.slice(0, 50), block);
	await open.close();
	for (const [mode, one] of Object.entries(times)) say(`${mode.padEnd(9)} ${JSON.stringify(one)}`);
	const ratios = Object.fromEntries(Object.entries(times).map(([mode, one]) => [mode, round(one.p50 / brute.p50)]));
	return {
		...{ docs: Math.ceil(n / 10), chunks: n, queries: queries.length, indexS: round(indexS), openMs: round(openMs) },
		...{ msMedian: times.hybrid.p50, bruteForceMs: brute.p50, ratioToBruteForce: ratios.hybrid, ratios, times, recall20, ...memory, stallMs },
		rssMb: Math.round(process.memoryUsage.rss() / 1e6),
	};
}

/** What a search costs in memory, measured in a process of its own: see `retrieval/scan-memory.mjs`. */
function memoryOf({ folder, theme }) {
	const file = path.join(import.meta.dirname, 'retrieval/scan-memory.mjs');
	const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', '--disable-warning=ExperimentalWarning', file, folder, theme], { encoding: 'utf8' });
	if (status !== 0) throw new Error(`The measure of memory ended with ${status}: ${stderr}`);
	return JSON.parse(stdout);
}

/** The longest time in which a timer of this process could not run: the first search of a knowledge base, and 50 more, by the way they are made. */
async function stallsOf(place, queries) {
	const { openTheme } = load('rag/open-theme');
	const ways = { inLine: load('rag/sqlite-store').openStore, thread: async (at) => await openTheme(at, 'search') };
	const stalls = {};
	for (const [name, open] of Object.entries(ways)) {
		load('rag/theme-rows').forgetTheme(load('storage/paths').themeFile(place.folder, place.theme));
		const first = watchStalls();
		const store = await open(place);
		const ask = searcher(store, queries);
		await ask(queries[0], {});
		stalls[`${name}First`] = round(first.stop());
		const rest = watchStalls();
		for (const query of queries.slice(0, 50)) await ask(query, {});
		stalls[name] = round(rest.stop());
		await store.close();
	}
	await load('rag/threaded-store').stopStoreThreads();
	return stalls;
}

function watchStalls() {
	let longest = 0;
	let last = performance.now();
	const look = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last - 1);
		last = now;
	};
	const timer = setInterval(look, 1);
	return { stop: () => (look(), clearInterval(timer), longest) };
}

/** Words by a steep distribution and vectors in 50 clusters, always the same ones for a seed. */
export function syntheticSource(seed = 7) {
	const random = randomFrom(seed);
	const letters = (number) => [...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
	const word = () => `q${letters(Math.floor(20_000 * random() ** 4))}x`;
	const clusters = Array.from({ length: 50 }, () => unit(Float32Array.from({ length: DIMENSION }, () => random() - 0.5)));
	return {
		words: (count) => Array.from({ length: count }, word).join(' '),
		vector: () => unit(clusters[Math.floor(random() * clusters.length)].map((value) => value + (random() - 0.5) * 0.08)),
	};
}

/** Searches 20 passages of a store, the vectors of the queries being known. */
export function searcher(store, queries) {
	const { retrieve } = load('rag/retrieve');
	const known = new Map(queries.map(({ q, vector }) => [q, vector]));
	const embedder = { id: 'synthetic', embed: async (texts) => texts.map((text) => known.get(text)) };
	return async ({ q }, options) => await retrieve({ query: q, topK: 20, ...options }, { store, embedder });
}

async function timeAll(queries, search) {
	const times = [];
	const cpu = process.cpuUsage();
	for (const query of queries) {
		const from = performance.now();
		await search(query);
		times.push(performance.now() - from);
	}
	const used = process.cpuUsage(cpu);
	return { ...timesSummary(times), cpuMs: round((used.user + used.system) / 1000 / queries.length) };
}

function timesSummary(times) {
	const sorted = [...times].sort((a, b) => a - b);
	return { min: round(sorted[0]), p50: round(sorted[Math.floor(sorted.length / 2)]), p95: round(sorted[Math.floor(sorted.length * 0.95)]) };
}

async function recallOf(store, queries, block) {
	let found = 0;
	for (const { vector } of queries) {
		const exact = new Float32Array(block.length / DIMENSION);
		for (let row = 0; row < exact.length; row++) {
			let sum = 0;
			for (let i = 0; i < DIMENSION; i++) sum += block[row * DIMENSION + i] * vector[i];
			exact[row] = sum;
		}
		const worst = [...exact].sort((a, b) => b - a)[19];
		const { candidates } = await store.search({ tokens: [], vector, candidates: 20 });
		found += candidates.filter(({ dense }) => dense >= worst - 1e-6).length;
	}
	return round(found / (20 * queries.length));
}

function remembering(embedder) {
	const known = new Map();
	return {
		id: embedder.id,
		async embed(texts, options) {
			const missing = [...new Set(texts)].filter((text) => !known.has(options.kind + text));
			const made = missing.length > 0 ? await embedder.embed(missing, options) : [];
			missing.forEach((text, position) => known.set(options.kind + text, made[position]));
			return texts.map((text) => known.get(options.kind + text));
		},
	};
}

function plainMeta(meta = {}) {
	return Object.fromEntries(Object.entries(meta).filter(([, value]) => typeof value !== 'object' || value === null));
}

function unit(vector) {
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

function randomFrom(seed) {
	let state = seed;
	return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
	return Math.round(value * 10_000) / 10_000;
}
