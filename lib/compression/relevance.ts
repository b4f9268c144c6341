import type { Hit } from '../core/document';
import { analyse } from '../text/analyse';
import { normaliseScores } from '../text/blend-scores';
import type { Breathe } from './breather';
import { headingsAbove, isHeading, leansBack } from './carry-over';
import type { Material } from './material';
import { meaningScores } from './meaning-match';
import { HISTORY_WEIGHT, type Question, recentTurns, type RelevanceTools } from './question';
import { pointedAt } from './second-hop';
import { rarities, type Tokens, wordScores } from './word-match';

/**
 * The weights below were chosen on 159 HotpotQA questions, 60 of 2WikiMultihopQA and 60 of PIAF, French, with eight passages each, that
 * belong to no bench of this project; values around them did the same within a point. They were then checked on others of the same and
 * on the sets of `bench compression`.
 */
const MEANING_WEIGHT = 0.3;
const JUDGE_WEIGHT = 0.3;
const PASSAGE_WEIGHT = 0.3;
/** Of the sentence that a pronoun refers to. */
const REFERENT_WEIGHT = 0.25;
/** What a sentence gains when the question, or a relevant sentence elsewhere, names the title of its passage. */
const POINTED_WEIGHT = 0.5;
/** What the first sentence of that passage gains beside: it says who or what bears the title. */
const OPENING_WEIGHT = 0.75;
/** The judge sees so many sentences at most: the best by words and meaning. */
const JUDGED_UNITS = 100;

const weighed = (a: Float64Array, b: Float64Array, weight: number): Float64Array =>
	a.map((value, position) => (1 - weight) * value + weight * (b[position] ?? 0));

/** BM25 for the query and, for a part, for the last turns; brought to 0..1. */
async function byWords(question: Question, texts: readonly Tokens[], rarity: (token: string) => number, breathe: Breathe): Promise<Float64Array> {
	const scores = await wordScores(analyse(question.query), texts, rarity, breathe);
	const turns = recentTurns(question);
	if (turns === '') return normaliseScores(scores);
	const fromTurns = await wordScores(analyse(turns), texts, rarity, breathe);
	return normaliseScores(scores.map((score, position) => score + HISTORY_WEIGHT * (fromTurns[position] ?? 0)));
}

/** Of each passage, half its best unit and half the mean of its units; 0..1. Spares an encoder run over whole passages. */
export function ofPassages(material: Material, scores: Float64Array): Float64Array {
	const best = new Float64Array(material.hits.length).fill(-Infinity);
	const sums = new Float64Array(material.hits.length);
	const counts = new Float64Array(material.hits.length);
	for (const [position, { hit }] of material.units.entries()) {
		const score = scores[position] ?? 0;
		best[hit] = Math.max(best[hit] ?? 0, score);
		sums[hit] = (sums[hit] ?? 0) + score;
		counts[hit] = (counts[hit] ?? 0) + 1;
	}
	return normaliseScores(best.map((top, hit) => (counts[hit] === 0 ? 0 : (top + (sums[hit] ?? 0) / (counts[hit] ?? 1)) / 2)));
}

async function judged(question: Question, material: Material, base: Float64Array, tools: RelevanceTools): Promise<Float64Array> {
	if (!tools.sentenceJudge) return base;
	const places = [...base.keys()].sort((a, b) => (base[b] ?? 0) - (base[a] ?? 0)).slice(0, JUDGED_UNITS);
	const asHits = places.map((place): Hit => {
		const unit = material.units[place];
		const title = material.titles[unit?.hit ?? 0] ?? '';
		return { id: String(place), documentId: String(place), text: [title, unit?.text].filter(Boolean).join(': '), meta: {}, score: base[place] ?? 0 };
	});
	const ranked = await tools.sentenceJudge({ query: question.query, hits: asHits, ...(tools.signal && { signal: tools.signal }) });
	const found = normaliseScores(ranked.map((hit) => hit.scores?.rerank ?? hit.score));
	const scores = base.map((value) => (1 - JUDGE_WEIGHT) * value);
	ranked.forEach((hit, position) => (scores[Number(hit.id)]! += JUDGE_WEIGHT * (found[position] ?? 0)));
	return scores;
}

/**
 * How much each unit serves the question, from 0; about 0..2 within this call, comparable only in it.
 *
 * A blend of BM25 over title and sentence, stemmed, of the encoder's cosine and, when there is one, of the judge; 30 % is that
 * of the whole passage. Passages that the question or a relevant sentence names gain (`pointedAt`), their opening sentence most. [] gives
 * [] and asks nothing. Throws what embedder and judge throw.
 */
export async function unitRelevance(question: Question, material: Material, tools: RelevanceTools, breathe: Breathe): Promise<Float64Array> {
	const { units, tokens, titleTokens } = material;
	if (units.length === 0) return new Float64Array(0);
	const texts = inContext(material);
	const rarity = await rarities(texts, breathe);
	const words = withReferents(await byWords(question, texts, rarity, breathe), material);
	const meaning = await meaningScores(question, material, words, tools);
	const own = await judged(question, material, meaning ? weighed(words, meaning, MEANING_WEIGHT) : words, tools);
	const whole = passageTokens(material);
	const passageWords = await byWords(question, whole, await rarities(whole, breathe), breathe);
	const passages = meaning ? weighed(passageWords, ofPassages(material, meaning), MEANING_WEIGHT) : passageWords;
	const base = own.map((score, position) => (1 - PASSAGE_WEIGHT) * score + PASSAGE_WEIGHT * (passages[units[position]?.hit ?? 0] ?? 0));
	const pointers = units.map(({ hit }, position) => ({ hit, tokens: tokens[position] ?? [] }));
	const bonus = pointedAt({ titles: titleTokens, question: analyse(question.query), sentences: pointers, relevance: base }, rarity);
	const opening = openings(material);
	return base.map((score, position) => {
		const weight = POINTED_WEIGHT + (opening.has(position) ? OPENING_WEIGHT : 0);
		return score + weight * (bonus[units[position]?.hit ?? 0] ?? 0);
	});
}

/** Of each passage that begins its document, or does not say where it stands, the first unit that is no heading. */
function openings({ hits, units }: Material): Set<number> {
	const first = new Map<number, number>();
	for (const [position, unit] of units.entries()) {
		const begins = (hits[unit.hit]?.start ?? 0) === 0;
		if (begins && !first.has(unit.hit) && !isHeading(unit)) first.set(unit.hit, position);
	}
	return new Set(first.values());
}

/** Each unit with the words of its title and of the heading above. */
function inContext({ units, tokens, titleTokens }: Material): Tokens[] {
	const headings = headingsAbove(units);
	return units.map((unit, position) => {
		const heading = tokens[headings[position] ?? -1] ?? [];
		return [...(titleTokens[unit.hit] ?? []), ...heading, ...(tokens[position] ?? [])];
	});
}

/** A unit that begins with a pronoun is silently about what the one before names. */
function withReferents(scores: Float64Array, { units }: Material): Float64Array {
	const before = (position: number): number => (leansBack(units[position]!) ? REFERENT_WEIGHT * (scores[position - 1] ?? 0) : 0);
	return normaliseScores(scores.map((score, position) => score + before(position)));
}

function passageTokens({ hits, units, tokens, titleTokens }: Material): Tokens[] {
	const whole = hits.map((_, hit) => [...(titleTokens[hit] ?? [])]);
	for (const [position, { hit }] of units.entries()) whole[hit]?.push(...(tokens[position] ?? []));
	return whole;
}
