/**
 * Suite routing: {tools: [{name, description, parameters}], queries: [{q, relevant: [names], groups?: [[names]]}]}. With groups, a
 * group counts when one of its names is found. Also {servers: [{tools}]}: tool lists of MCP servers, asked with the questions of
 * bench/data/mcp-queries.json; those of test/fixtures/mcp-servers without --data. With --n N the tools are repeated in variants
 * up to N, to measure time.
 *
 * Methods, in one run: `bm25` (plain words, the baseline), `cosine` (encoder alone), `blend` (the two, half and half, plain
 * words), `default` (what the Tool Router does). `ratioToBm25` is the median time of `default` against plain BM25's.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const CUTS = [1, 5, 10];

export async function run({ data: given, n, modelsFolder, say }) {
	const data = withTools(given ?? realTools(), n);
	const { localEmbedder } = require('../dist/lib/inference/local-embedder.js');
	const { routeTools } = require('../dist/lib/routing/tool-router.js');
	const { rankTools } = require('../dist/lib/routing/rank-tools.js');
	const embedder = localEmbedder({ model: 'onnx-community/all-MiniLM-L6-v2-ONNX', dtype: 'q4', modelsFolder });
	const tools = data.tools.map(toTool);
	const began = performance.now();
	await rankTools(tools, 'warm', { embedder, log: (_level, message) => say(message) });
	const indexS = (performance.now() - began) / 1000;
	say(`${tools.length} tools indexed in ${indexS.toFixed(1)} s`);
	const plain = plainMethods(tools, embedder);
	await plain.prepare();
	const tally = { bm25: [], cosine: [], blend: [], default: [] };
	const times = { bm25: [], default: [] };
	let tokensAll = 0;
	let tokensRouted = 0;
	for (const [at, query] of data.queries.entries()) {
		const bm25 = timed(times.bm25, () => plain.bm25(query.q));
		const start = performance.now();
		const { ranked } = await routeTools(tools, query.q, { topK: 10, passthroughUpTo: 0, alwaysOn: [], embedder });
		times.default.push(performance.now() - start);
		const cosine = await plain.cosine(query.q);
		const names = { bm25: top(bm25, tools), cosine: top(cosine, tools), blend: top(half(bm25, cosine), tools) };
		names.default = ranked.map(({ tool }) => tool.name);
		for (const method of Object.keys(tally)) tally[method].push(measure(names[method], groupsOf(query)));
		if (at === 0) {
			const route = await routeTools(tools, query.q, { topK: 8, passthroughUpTo: 12, alwaysOn: [], embedder });
			({ tokensAll, tokensShown: tokensRouted } = route);
		}
		if ((at + 1) % 500 === 0) say(`${at + 1} of ${data.queries.length} queries`);
	}
	const methods = Object.fromEntries(Object.entries(tally).map(([name, rows]) => [name, average(rows)]));
	const msMedian = median(times.default);
	return {
		tools: tools.length,
		queries: data.queries.length,
		...methods.default,
		msMedian,
		ratioToBm25: msMedian / median(times.bm25),
		indexS,
		tokensAll,
		tokensRouted,
		methods,
	};
}

function realTools() {
	const packed = readFileSync(new URL('../test/fixtures/mcp-servers/tools.json.gz', import.meta.url));
	return JSON.parse(gunzipSync(packed).toString('utf8'));
}

/** The data as tools and queries, made larger for `--n`. */
function withTools({ tools, servers, queries }, n) {
	const all = tools ?? servers.flatMap((server) => server.tools.map((tool) => ({ ...tool, parameters: tool.inputSchema })));
	const asked = queries ?? JSON.parse(readFileSync(new URL('data/mcp-queries.json', import.meta.url), 'utf8')).queries;
	const more = Array.from({ length: Math.max(0, (n ?? 0) - all.length) }, (_, at) => {
		const tool = all[at % all.length];
		return { ...tool, name: `${tool.name}_site_${at}`, description: `For site ${at}. ${tool.description ?? ''}` };
	});
	return { tools: [...all, ...more], queries: asked };
}

function toTool({ name, description, parameters }) {
	const { firstSentence } = require('../dist/lib/text/first-sentence.js');
	const text = description ?? '';
	const inputSchema = parameters?.type ? parameters : { type: 'object', properties: parameters ?? {} };
	return { name, intent: firstSentence(text), description: text, inputSchema, tags: [], run: async () => ({ text: '' }) };
}

/** The baselines: lower-cased words of name and description, and the encoder on the same text. */
function plainMethods(tools, embedder) {
	const { createBm25 } = require('../dist/lib/text/bm25.js');
	const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const texts = tools.map(({ name, description }) => `${name.replace(/[_-]+/g, ' ')}: ${description}`);
	const index = createBm25(texts.map(words));
	let vectors = [];
	return {
		prepare: async () => void (vectors = await embedder.embed(texts, { kind: 'passage' })),
		bm25: (query) => [...index.score(words(query))],
		cosine: async (query) => {
			const [asked] = await embedder.embed([query], { kind: 'query' });
			return vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * asked[at], 0));
		},
	};
}

function half(a, b) {
	const scale = (scores) => {
		const low = Math.min(...scores);
		const range = Math.max(...scores) - low || 1;
		return scores.map((score) => (score - low) / range);
	};
	const [left, right] = [scale(a), scale(b)];
	return left.map((score, at) => (score + right[at]) / 2);
}

function top(scores, tools) {
	const order = scores.map((score, at) => [score, at]).sort((a, b) => b[0] - a[0]);
	return order.slice(0, 50).map(([, at]) => tools[at].name);
}

function groupsOf({ relevant, groups }) {
	return groups ?? relevant.map((name) => [name]);
}

/** Share of the groups found among the first k, and the discounted gain of the first ten. */
function measure(names, groups) {
	const found = (k) => groups.filter((group) => group.some((name) => names.slice(0, k).includes(name))).length / groups.length;
	const open = groups.map((group) => new Set(group));
	let gain = 0;
	for (const [at, name] of names.slice(0, 10).entries()) {
		const hit = open.findIndex((group) => group.has(name));
		if (hit < 0) continue;
		open.splice(hit, 1);
		gain += 1 / Math.log2(at + 2);
	}
	const ideal = groups.slice(0, 10).reduce((sum, _group, at) => sum + 1 / Math.log2(at + 2), 0);
	return Object.fromEntries([...CUTS.map((k) => [`r${k}`, found(k)]), ['ndcg10', gain / ideal]]);
}

function average(rows) {
	const keys = Object.keys(rows[0] ?? {});
	return Object.fromEntries(keys.map((key) => [key, round(rows.reduce((sum, row) => sum + row[key], 0) / rows.length)]));
}

function round(value) {
	return Math.round(value * 1e4) / 1e4;
}

function timed(times, fn) {
	const start = performance.now();
	const value = fn();
	times.push(performance.now() - start);
	return value;
}

function median(values) {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
