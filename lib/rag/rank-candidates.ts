/**
 * Ranking: the candidates of one or several knowledge bases in one order, by words, by meaning or by both.
 *
 * Cosines of one encoder compare as they are. BM25 scores of two collections do not: they are taken as the share of the query's words,
 * by rarity, that a passage holds. A base that was searched by words alone is ranked by its words alone.
 */
import { blendScores } from '../text/blend-scores';
import type { RankedRef } from './choose-hits';
import type { Candidate, SearchResult } from './store';

/**
 * How the two sides are joined. `blend`: weighted sum of both scores. `ranks`: sum of 1 ÷ (60 + rank) of each side, whatever the
 * scores. `cascade`: words choose, meaning orders what they chose.
 */
export type Fusion = 'blend' | 'ranks' | 'cascade';

/** What the search of one knowledge base gave. */
export interface Found extends SearchResult {
	/** False when only words were compared. */
	readonly isHybrid: boolean;
	/** Share of the query's pairs of words that a passage keeps together, 0..1, by its ref; absent ones count 0. */
	readonly together?: ReadonlyMap<number, number>;
}

interface Entry {
	readonly store: number;
	readonly candidate: Candidate;
	readonly isHybrid: boolean;
	/** Of the query's words, by rarity. */
	readonly words: number;
}

/** Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion", 2009. */
const RANK_OFFSET = 60;
/**
 * What words that stand together, as in the query, add to a score of words at most. It decides between passages that hold the same
 * words and little else.
 */
const TOGETHER = 0.1;
/** Passages that words choose in a cascade, at least, and for each one wanted. */
const CASCADE = 30;

/** Candidates of all knowledge bases, best first; `score` is 0..1. Ties keep the order of the vector side, then of the words. */
export function rankCandidates(found: readonly Found[], choice: { fusion: Fusion; alpha: number; topK: number }): RankedRef[] {
	const entries = new Map<string, Entry>();
	for (const [store, { candidates, ceiling, isHybrid, together }] of found.entries()) {
		for (const candidate of candidates) {
			const words = ((candidate.lexical ?? 0) / (ceiling || 1)) * (1 + TOGETHER * (together?.get(candidate.ref) ?? 0));
			entries.set(`${store}:${candidate.ref}`, { store, candidate, isHybrid, words });
		}
	}
	const scores = scoresOf(found, entries, choice);
	return [...scores].map(([id, score]) => rankedRef(entries.get(id) as Entry, score)).sort((a, b) => b.score - a.score);
}

function rankedRef({ store, candidate }: Entry, score: number): RankedRef {
	const { ref, dense, lexical, matched } = candidate;
	const scores = { ...(dense !== undefined && { dense }), ...(lexical !== undefined && { lexical }) };
	return { store, ref, score, scores, matched: matched ?? [] };
}

function scoresOf(found: readonly Found[], entries: ReadonlyMap<string, Entry>, choice: { fusion: Fusion; alpha: number; topK: number }) {
	if (choice.fusion === 'ranks') return byRanks(entries);
	const blended = blend(found, entries, choice.fusion === 'cascade' ? 0.5 : choice.alpha);
	return choice.fusion === 'cascade' ? cascade(blended, Math.max(CASCADE, 2 * choice.topK)) : new Map(blended.map(({ id, score }) => [id, score]));
}

interface Blended {
	readonly id: string;
	readonly score: number;
	readonly dense: number;
	readonly words: number;
}

function blend(found: readonly Found[], entries: ReadonlyMap<string, Entry>, alpha: number): Blended[] {
	const all = [...entries];
	const dense = new Map(all.flatMap(([id, { candidate }]) => (candidate.dense === undefined ? [] : [[id, candidate.dense] as const])));
	const lowest = Math.min(...found.map(({ lowestDense = Infinity }) => lowestDense));
	// Against the whole collection, not only the candidates: else the distance between two good passages depends on how many are looked at.
	if (dense.size > 0 && lowest < Infinity) dense.set('', lowest);
	// No shared word is a real score, 0: without it the weakest match among the candidates would count as no match.
	const hasWords = all.some(([, { words }]) => words > 0);
	const words = new Map(hasWords ? [...all.map(([id, entry]) => [id, entry.words] as const), ['', 0] as const] : []);
	return blendScores(dense, words, alpha)
		.filter(({ id }) => id !== '')
		.map(({ id, score, first = 0, second = 0 }) => ({ id, score: entries.get(id)?.isHybrid ? score : second, dense: first, words: second }));
}

/** The best by words, in the order of their meaning; behind them the others. Meaning cannot order what was searched by words alone. */
function cascade(blended: readonly Blended[], kept: number): Map<string, number> {
	const byWords = blended.toSorted((a, b) => b.words - a.words);
	const hasDense = blended.some(({ dense }) => dense > 0);
	const chosen = new Set(byWords.slice(0, kept).filter(({ words }) => words > 0).map(({ id }) => id));
	const order = (one: Blended): number => (hasDense ? one.dense : one.words);
	return new Map(blended.map((one) => [one.id, chosen.has(one.id) ? 0.5 + order(one) / 2 : order(one) / 2]));
}

/** Brought to 0..1: a passage that is first on every side there is has 1. */
function byRanks(entries: ReadonlyMap<string, Entry>): Map<string, number> {
	const sides = [(entry: Entry) => entry.candidate.dense, ({ words }: Entry) => (words > 0 ? words : undefined)];
	const sums = new Map([...entries.keys()].map((id) => [id, 0]));
	let most = 0;
	for (const scoreOf of sides) {
		const listed = [...entries].filter(([, entry]) => scoreOf(entry) !== undefined);
		if (listed.length > 0) most += 1 / (RANK_OFFSET + 1);
		listed.sort(([, a], [, b]) => (scoreOf(b) as number) - (scoreOf(a) as number));
		listed.forEach(([id], rank) => sums.set(id, (sums.get(id) as number) + 1 / (RANK_OFFSET + 1 + rank)));
	}
	return new Map([...sums].map(([id, sum]) => [id, most === 0 ? 0 : sum / most]));
}
