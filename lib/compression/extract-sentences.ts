import type { Hit } from '../core/document';
import { type Span, splitSentences } from '../text/sentences';
import { type Judged, type Question, relevanceOf, type RelevanceTools } from './relevance';
import { titleOf } from './semantic-filter';

/** A passage cut down to some of its sentences. */
export interface ExtractedHit extends Hit {
	/** What was kept, as places in the passage that came in; in order. */
	readonly excerpts: readonly { readonly start: number; readonly end: number }[];
}

interface Sentence extends Span {
	readonly hit: number;
	/** Place among the sentences of its passage. */
	readonly place: number;
}

/** What a sentence takes over from its passage as a whole. */
const PASSAGE_WEIGHT = 0.2;
/** Beginnings that mean little without the sentence before. */
const LEANS_BACK =
	/^(?:["«“(]\s*)?(?:il|elle|ils|elles|ce|cela|ceci|ça|cette|ces|celui-ci|celle-ci|ceux-ci|celles-ci|son|sa|ses|leur|leurs|or|donc|ainsi|puis|ensuite|enfin|mais|it|he|she|they|this|that|these|those|his|her|its|their|then|but|so|also|however|therefore|such)(?![\p{L}\p{M}])|^c['’]|^(?:[-*+•–—]\s|\d{1,3}[.)]\s)/iu;
const HEADING = /^#{1,6}\s/;
const LIST_ITEM = /^(?:[-*+•–—]\s|\d{1,3}[.)]\s|\|)/;
const OMITTED = ' […] ';

function sentencesOf(hits: readonly Hit[]): Sentence[] {
	return hits.flatMap((hit, position) =>
		splitSentences(hit.text).map((span, place): Sentence => ({ ...span, hit: position, place })),
	);
}

async function sentenceRelevance(
	question: Question,
	hits: readonly Hit[],
	sentences: readonly Sentence[],
	tools: RelevanceTools,
): Promise<Float64Array> {
	const titles = hits.map(titleOf);
	const judged = sentences.map(({ text, hit }): Judged => ({ text, title: titles[hit] ?? '' }));
	const own = await relevanceOf(question, judged, tools);
	const ofPassages = await relevanceOf(question, hits.map((hit, n) => ({ text: hit.text, title: titles[n] ?? '' })), tools);
	return own.map((score, n) => (1 - PASSAGE_WEIGHT) * score + PASSAGE_WEIGHT * (ofPassages[sentences[n]?.hit ?? 0] ?? 0));
}

/** The sentences without which this one is hard to read: its heading, the head of its list, what its pronoun stands for. */
function supportOf(position: number, sentences: readonly Sentence[]): number[] {
	const sentence = sentences[position];
	if (!sentence) return [];
	const support: number[] = [];
	const first = position - sentence.place;
	let before = position - 1;
	if (LIST_ITEM.test(sentence.text)) {
		while (before >= first && LIST_ITEM.test(sentences[before]?.text ?? '')) before -= 1;
	}
	if (before >= first && LEANS_BACK.test(sentence.text)) support.push(before);
	for (let above = position - 1; above >= first; above--) {
		if (!HEADING.test(sentences[above]?.text ?? '')) continue;
		support.push(above);
		break;
	}
	return support;
}

function choose(sentences: readonly Sentence[], relevance: Float64Array, maxCharacters: number): Set<number> {
	const chosen = new Set<number>();
	let room = maxCharacters;
	const take = (position: number): boolean => {
		const length = sentences[position]?.text.length ?? 0;
		if (chosen.has(position) || length > room) return false;
		chosen.add(position);
		room -= length;
		return true;
	};
	const order = [...sentences.keys()].sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0));
	for (const position of order) {
		if (HEADING.test(sentences[position]?.text ?? '')) continue;
		if (take(position)) for (const support of supportOf(position, sentences)) take(support);
	}
	return chosen;
}

function rebuilt(hit: Hit, kept: readonly Sentence[]): ExtractedHit {
	const excerpts: { start: number; end: number }[] = [];
	let lastPlace = -2;
	for (const { start, end, place } of kept) {
		const last = excerpts.at(-1);
		// Neighbours stay one piece, with what stood between them.
		if (last && place === lastPlace + 1) last.end = end;
		else excerpts.push({ start, end });
		lastPlace = place;
	}
	const text = excerpts.map(({ start, end }) => hit.text.slice(start, end)).join(OMITTED);
	return { ...hit, text, excerpts };
}

/**
 * Keeps the sentences that serve the question most, word for word and in their order.
 *
 * A sentence's relevance is its own and, for a part, that of its passage. A kept sentence brings its heading, the head of its list
 * and, when it begins with a pronoun, the sentence before, as far as there is room. Left out parts are shown as `[…]`. Passages
 * without a kept sentence are left out; all other fields of a passage stay.
 *
 * @param maxCharacters  of all kept sentences together; less than the shortest sentence gives []
 */
export async function extractSentences(
	question: Question,
	hits: readonly Hit[],
	maxCharacters: number,
	tools: RelevanceTools,
): Promise<ExtractedHit[]> {
	const sentences = sentencesOf(hits);
	const relevance = await sentenceRelevance(question, hits, sentences, tools);
	const chosen = choose(sentences, relevance, maxCharacters);
	return hits.flatMap((hit, position) => {
		const kept = sentences.filter((sentence, n) => sentence.hit === position && chosen.has(n));
		return kept.length === 0 ? [] : [rebuilt(hit, kept)];
	});
}
