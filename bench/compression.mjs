/**
 * Suite compression: `--data <file>` of {items: [{q, passages: [{title, sentences, support}]}]} or {items: [{q, title, context, sentences:
 * [[start, end]], answers}]}; `--kept 0.5,0.35,0.2` shares of the characters that may stay; `--chart <file.svg>` draws the curves.
 *
 * `kept` is the measured share of characters (of ours with its `[…]` marks), `evidence` the share of supporting sentences that are kept
 * whole, or of items whose answer is still in the text. Baselines, all in the same run and under the same limit: BM25 over sentences
 * without stems, BM25 over title and sentence with our stems, cosine of sentences, both blended, and a filter on whole passages by
 * cosine, as LangChain's EmbeddingsFilter does. Times are of 20 passages of 600 characters made of the data.
 */
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { baselines } from './compression/baselines.mjs';
import { chartOf } from './compression/chart.mjs';
import { readItems } from './compression/items.mjs';
import { timesOf } from './compression/times.mjs';

const require = createRequire(import.meta.url);
const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX';
const SHARES = [0.5, 0.45, 0.35, 0.2];

export async function run({ data, file, kept = SHARES, chart, modelsFolder, say }) {
	if (!data) throw new Error('Give --data <file>; the shapes stand at the head of bench/compression.mjs.');
	const { compress } = require('../dist/lib/compression/compress.js');
	const { localEmbedder } = require('../dist/lib/inference/local-embedder.js');
	const { ModelHostClient } = require('../dist/lib/inference/model-host-client.js');
	const host = new ModelHostClient('auto');
	const embedder = localEmbedder({ model: MODEL, dtype: 'q4', modelsFolder }, host);
	const items = readItems(data);
	const remembered = remember(embedder);
	const judge = lateInteraction(host, modelsFolder);
	const methods = { ...ours(compress, remembered, judge), ...(await baselines(items, remembered)) };
	const results = {};
	for (const [name, method] of Object.entries(methods)) {
		results[name] = [];
		// Late interaction reads every sentence a second time: one point tells whether it is worth that.
		for (const share of name === 'lateInteraction' ? [kept.includes(0.35) ? 0.35 : kept[0]] : kept) results[name].push(await point(items, share, method));
		say(`${name.padEnd(22)} ${results[name].map((one) => `${one.asked}: ${one.evidence.toFixed(3)} (${one.kept.toFixed(3)})`).join('   ')}`);
	}
	const times = await timesOf(items, compress, embedder);
	host.stop();
	if (chart) writeFileSync(chart, chartOf(results, file));
	return { items: items.length, points: results.default, methods: results, msMedian: times.totalMs, times };
}

/** Sentences judged by late interaction too, as with a Reranker node of that method and "Judge Sentences Too". */
function lateInteraction(host, modelsFolder) {
	const { localScorer } = require('../dist/lib/inference/local-reranker.js');
	const score = localScorer({ model: MODEL, dtype: 'q4', method: 'late-interaction', modelsFolder }, host);
	const known = new Map();
	return async ({ query, hits }) => {
		const unknown = hits.filter(({ text }) => !known.has(query + text));
		const scores = await score(query, unknown.map(({ text }) => text));
		unknown.forEach(({ text }, at) => known.set(query + text, scores[at]));
		return hits.map((hit) => ({ ...hit, scores: { rerank: known.get(query + hit.text) } }));
	};
}

/** Ours with all that is connected, and without the encoder. */
function ours(compress, embedder, sentenceJudge) {
	const method = (how, tools) => async (item, share) => {
		const request = { query: item.q, history: [], documents: item.hits, keepShare: share, maxTokens: 1e6, minRelevance: 0, method: how };
		const { documents } = await compress(request, tools);
		return documents.map((hit) => ({ hit: Number(hit.id), excerpts: hit.excerpts ?? [{ start: 0, end: hit.text.length }], characters: hit.text.length }));
	};
	return {
		default: method('recommended', { embedder }),
		extract: method('extract', { embedder }),
		words: method('recommended', {}),
		filter: method('filter', { embedder }),
		lateInteraction: method('recommended', { embedder, sentenceJudge }),
	};
}

async function point(items, share, method) {
	let characters = 0;
	let all = 0;
	let found = 0;
	let wanted = 0;
	for (const item of items) {
		const kept = await method(item, share);
		characters += kept.reduce((sum, one) => sum + one.characters, 0);
		all += item.characters;
		const evidence = evidenceIn(item, kept);
		found += evidence.found;
		wanted += evidence.wanted;
	}
	return { asked: share, kept: round(characters / all), evidence: round(found / wanted) };
}

/** A supporting sentence counts when all of it is kept, an answer when the text holds it. */
function evidenceIn(item, kept) {
	if (item.answers) {
		const text = kept.map(({ hit, excerpts }) => excerpts.map(({ start, end }) => item.hits[hit].text.slice(start, end)).join(' […] ')).join('\n');
		return { found: item.answers.some((answer) => text.includes(answer)) ? 1 : 0, wanted: 1 };
	}
	const isKept = ({ hit, start, end }) => {
		const own = kept.filter((one) => one.hit === hit).flatMap(({ excerpts }) => excerpts);
		const covered = own.reduce((sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)), 0);
		return covered >= item.hits[hit].text.slice(start, end).replace(/\s/g, '').length;
	};
	return { found: item.support.filter(isKept).length, wanted: item.support.length };
}

/** The same vectors for the same texts: a share more costs no further run of the encoder. */
function remember(embedder) {
	const known = new Map();
	return {
		id: embedder.id,
		async embed(texts, options) {
			const unknown = [...new Set(texts)].filter((text) => !known.has(options.kind + text));
			const made = unknown.length > 0 ? await embedder.embed(unknown, options) : [];
			unknown.forEach((text, at) => known.set(options.kind + text, made[at]));
			return texts.map((text) => known.get(options.kind + text));
		},
	};
}

const round = (value) => Math.round(value * 10000) / 10000;
