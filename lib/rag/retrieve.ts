/**
 * Retrieval: finds the passages of a knowledge base that answer a query.
 *
 * Comes in: a query, an open store, an embedder when there is one. Goes out: hits, best first, with the parts of their scores,
 * and notes for the builder. Words and vectors are both asked; the weighted sum of their scores ranks. It opens nothing and closes
 * nothing.
 */
import type { Embedder, Hit } from '../core/document';
import { analyse } from '../text/analyse';
import { blendScores } from '../text/blend-scores';
import { chooseHits, type HitChoice, type RankedRef } from './choose-hits';
import { embedderMismatch } from './embedder-mismatch';
import type { Filter } from './filter';
import type { Candidate, ThemeManifest, ThemeStore } from './store';

export type Access = readonly string[] | 'all';

export interface RetrieveOptions extends HitChoice {
	readonly query: string;
	/** Weight of the vector side, 0 (words only) to 1 (vectors only); `auto` decides by the shape of the query. */
	readonly alpha?: number | 'auto';
	/** Access tokens of the asker (see SearchRequest); a function is called only when the knowledge base has rights, and may throw. */
	readonly acl?: Access | (() => Access);
	readonly filter?: Filter;
	readonly signal?: AbortSignal;
}

export interface RetrieveTools {
	readonly store: ThemeStore;
	readonly embedder?: Embedder;
}

export interface RetrieveResult {
	/** At most topK, best first. */
	readonly hits: readonly Hit[];
	readonly method: 'hybrid' | 'lexical';
	/** The weight that was used; 0 for `lexical`. */
	readonly alpha: number;
	/** What the builder should know: why a side was left out. */
	readonly notes: readonly string[];
}

/** Of each side, looked at before blending: at least so many, and twice as many as are wanted. */
const CANDIDATES = 50;
/** Words, stop words aside, from which a query is a description: one code in it does not decide any more. */
const LONG_QUERY = 12;
const QUOTED = /["«»“”][^"«»“”]{2,}["«»“”]/u;

/**
 * The weight of the vector side for a query: quoted words and codes are matched as written, a word or two say little to an
 * encoder, a sentence says enough, a description says most. The more of the query's words one passage holds, the more words decide: where all stand together
 * there is nothing left to guess.
 *
 * @param coverage  SearchResult.coverage
 */
export function alphaFor(query: string, tokens: readonly string[], coverage: number): number {
	const isLiteral = QUOTED.test(query) || tokens.some((token) => token.startsWith('#'));
	const words = tokens.filter((token) => token.startsWith('=')).length;
	const byLength = words <= 2 ? 0.45 : words < LONG_QUERY ? 0.6 : 0.7;
	const byShape = isLiteral ? byLength / 2 + (words < LONG_QUERY ? 0 : 0.2) : byLength;
	return byShape * (1 - coverage ** 4);
}

/** The vector of the query, or why there is none. */
async function queryVector(
	options: RetrieveOptions,
	manifest: ThemeManifest,
	embedder: Embedder | undefined,
): Promise<Float32Array | string> {
	if (options.alpha === 0) return 'Only words were compared: the weight of meaning is 0.';
	if (manifest.embedderId === null) {
		return embedder
			? 'Only words were compared: this knowledge base was built without embeddings.'
			: 'Only words were compared: no embeddings are connected.';
	}
	if (!embedder) {
		return `Only words were compared: this knowledge base was built with "${manifest.embedderId}", but no embeddings are connected.`;
	}
	const given = { id: embedder.id, dimension: manifest.dimension ?? 0 };
	if (embedder.id !== manifest.embedderId) throw embedderMismatch(manifest, given);
	const [vector] = await embedder.embed([options.query], { kind: 'query', ...(options.signal && { signal: options.signal }) });
	if (vector && vector.length !== manifest.dimension) throw embedderMismatch(manifest, { ...given, dimension: vector.length });
	return vector ?? 'Only words were compared: the embeddings gave no vector for the query.';
}

function accessOf(acl: RetrieveOptions['acl'], manifest: ThemeManifest): Access {
	if (!manifest.protected) return [];
	return typeof acl === 'function' ? acl() : (acl ?? []);
}

function rank(candidates: readonly Candidate[], alpha: number, lowest: number | undefined): RankedRef[] {
	const byRef = new Map(candidates.map((candidate) => [String(candidate.ref), candidate]));
	const dense = new Map([...byRef].flatMap(([ref, { dense: score }]) => (score === undefined ? [] : [[ref, score] as const])));
	// Against the whole collection, not only the candidates: else the distance between two good passages depends on how many are looked at.
	if (dense.size > 0 && lowest !== undefined) dense.set('', lowest);
	// No shared word is a real score, 0: without it the weakest match among the candidates would count as no match.
	const lexical = new Map([...byRef].map(([ref, { lexical: score = 0 }]) => [ref, score]));
	if (candidates.some((candidate) => candidate.lexical !== undefined)) lexical.set('', 0);
	else lexical.clear();
	return blendScores(dense, lexical, alpha).flatMap(({ id, score }) => {
		const candidate = byRef.get(id);
		if (!candidate) return [];
		const { ref, dense: cosine, lexical: words } = candidate;
		return [{ ref, score, scores: { ...(cosine !== undefined && { dense: cosine }), ...(words !== undefined && { lexical: words }) } }];
	});
}

/**
 * Finds the passages that fit a query.
 *
 * Works without an embedder, by words alone, and says so in `notes`. A blank query gives no hits. Ties keep the order of the
 * vector side, then of the lexical one.
 *
 * @throws CodedError BAD_INPUT when the embedder is not the one that the knowledge base was built with; what embedder and store throw
 */
export async function retrieve(options: RetrieveOptions, tools: RetrieveTools): Promise<RetrieveResult> {
	const query = options.query.trim();
	if (query === '') return { hits: [], method: 'lexical', alpha: 0, notes: ['The query is empty.'] };
	const manifest = await tools.store.manifest();
	const acl = accessOf(options.acl, manifest);
	const vector = await queryVector(options, manifest, tools.embedder);
	const isHybrid = typeof vector !== 'string';
	const topK = Math.max(1, Math.floor(options.topK));
	const tokens = isHybrid && options.alpha === 1 ? [] : analyse(query);
	const { candidates, coverage, lowestDense } = await tools.store.search({
		tokens,
		...(isHybrid && { vector }),
		candidates: Math.max(CANDIDATES, 2 * topK),
		acl,
		...(options.filter && { filter: options.filter }),
	});
	const { alpha: wanted = 'auto' } = options;
	const alpha = isHybrid ? (wanted === 'auto' ? alphaFor(query, tokens, coverage) : wanted) : 0;
	const hits = await chooseHits(rank(candidates, alpha, lowestDense), { ...options, topK }, tools.store);
	return { hits, method: isHybrid ? 'hybrid' : 'lexical', alpha, notes: isHybrid ? [] : [vector] };
}
