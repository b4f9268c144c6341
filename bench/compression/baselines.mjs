import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { analyse } = require('../../dist/lib/text/analyse.js');
const { createBm25 } = require('../../dist/lib/text/bm25.js');
const { normaliseScores } = require('../../dist/lib/text/blend-scores.js');

/** What ours is compared with: each takes whole pieces from the best one on while they fit. */
export async function baselines(items, embedder) {
	const scores = new Map();
	for (const item of items) scores.set(item, await scoresOf(item, embedder));
	const sentences = (name) => (item, share) => fill(item, scores.get(item).pieces, scores.get(item)[name], share);
	return {
		bm25: sentences('plain'),
		bm25StemmedTitle: sentences('stemmed'),
		cosine: sentences('cosine'),
		blend: sentences('blend'),
		embeddingsFilter: (item, share) => fill(item, wholePassages(item), scores.get(item).passages, share),
	};
}

async function scoresOf(item, embedder) {
	const pieces = item.hits.flatMap(({ spans }, hit) => spans.map(({ start, end }) => ({ hit, start, end })));
	const texts = pieces.map(({ hit, start, end }) => item.hits[hit].text.slice(start, end));
	const titled = texts.map((text, at) => [item.hits[pieces[at].hit].title, text].filter(Boolean).join('\n'));
	const plain = createBm25(texts.map(wordsOf)).score(wordsOf(item.q));
	const stemmed = createBm25(titled.map((text) => analyse(text))).score(analyse(item.q));
	const [asked] = await embedder.embed([item.q], { kind: 'query' });
	const cosine = await cosines(asked, titled.map((text) => text.replace('\n', ': ')), embedder);
	const passages = await cosines(asked, item.hits.map(({ title, text }) => [title, text].filter(Boolean).join(': ')), embedder);
	const words = normaliseScores(stemmed);
	const blend = normaliseScores(cosine).map((value, at) => (value + words[at]) / 2);
	return { pieces, plain, stemmed, cosine, blend, passages };
}

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const wholePassages = (item) => item.hits.map(({ text }, hit) => ({ hit, start: 0, end: text.length }));

async function cosines(asked, texts, embedder) {
	const vectors = await embedder.embed(texts, { kind: 'passage' });
	return vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * asked[i], 0));
}

function fill(item, pieces, scores, share) {
	let room = Math.floor(share * item.characters);
	const kept = [];
	for (const at of [...pieces.keys()].sort((a, b) => scores[b] - scores[a])) {
		const { hit, start, end } = pieces[at];
		if (end - start > room) continue;
		room -= end - start;
		kept.push({ hit, excerpts: [{ start, end }], characters: end - start });
	}
	return kept;
}
