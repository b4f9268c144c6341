/**
 * Retrieval: finds the passages of one or several knowledge bases that answer a query.
 *
 * Comes in: a query, open stores, an embedder when there is one. Goes out: hits, best first, with the parts of their scores,
 * and notes for the builder. Words and vectors are both asked; by default the weighted sum of their scores ranks. It opens nothing
 * and closes nothing.
 */
import type { Embedder, Hit } from '../core/document';
import { CodedError, messageOf, raise } from '../core/errors';
import { readsEnglishOnly } from '../inference/english-only';
import { analyse } from '../text/analyse';
import { detectLanguage } from '../text/language';
import { chooseHits, type HitChoice, type SearchedStore } from './choose-hits';
import { embedderMismatch } from './embedder-mismatch';
import type { Filter } from './filter';
import { wordMatcher } from './matched-words';
import { vectorOfQuery } from './query-vectors';
import { type Found, type Fusion, rankCandidates } from './rank-candidates';
import { EVERYONE } from './rights';
import type { Candidate, ThemeManifest, ThemeStore } from './store';
import { pairFinder, pairShares } from './word-pairs';

export type Access = readonly string[] | 'all';

export interface RetrieveOptions extends HitChoice {
	readonly query: string;
	/** Weight of the vector side, 0 (words only) to 1 (vectors only); `auto` decides by the shape of the query. */
	readonly alpha?: number | 'auto';
	/** How words and meaning are joined; default `blend`, the only one that reads `alpha`. */
	readonly fusion?: Fusion;
	/** Access tokens of the asker (see SearchRequest); a function is called only when the knowledge base has rights, and may throw. */
	readonly acl?: Access | (() => Access);
	readonly filter?: Filter;
	/** What to do when the embedder fails at the query: compare words only, with a warning (default), or throw its error. */
	readonly whenEmbedderFails?: 'words' | 'fail';
	readonly signal?: AbortSignal;
}

export interface RetrieveTools {
	readonly store: ThemeStore;
	readonly embedder?: Embedder;
}

export interface RetrieveAllTools {
	/** In the order that decides between equals; with several, each has a name, and hits carry it. */
	readonly stores: readonly SearchedStore[];
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
	/** What went wrong on the way: the embedder failed, and passages may be missing. [] when all went well. */
	readonly warnings: readonly string[];
}

/** Of each side, looked at before blending: at least so many, and twice as many as are wanted. */
const CANDIDATES = 50;
/** Passages whose texts are looked through for words that stand together. */
const LOOKED_THROUGH = 30;
/** Passages, best by words, of which one may hold the whole query. */
const COVERING = 3;
/** What remains of the weight of an encoder that reads English only, for a query in French. */
const FOREIGN_WEIGHT = 0.5;
/** Words, stop words aside, from which a query is a description: one code in it does not decide any more. */
const LONG_QUERY = 12;
const QUOTED = /["«»“”][^"«»“”]{2,}["«»“”]/u;

/**
 * The weight of the vector side for a query: quoted words and codes are matched as written, a word or two say little to an
 * encoder, a sentence says enough, a description says most. The more of the query's words one passage holds, the more words decide:
 * where all stand together there is nothing left to guess.
 *
 * @param coverage  share of the query's words in one passage, 0..1, whatever their rarity and how often they come
 */
export function alphaFor(query: string, tokens: readonly string[], coverage: number): number {
	const isLiteral = QUOTED.test(query) || tokens.some((token) => token.startsWith('#'));
	const words = tokens.filter((token) => token.startsWith('=')).length;
	const byLength = words <= 2 ? 0.45 : words < LONG_QUERY ? 0.6 : 0.7;
	const byShape = isLiteral ? byLength / 2 + (words < LONG_QUERY ? 0 : 0.2) : byLength;
	return byShape * (1 - coverage ** 4);
}

/** The vector of a query, or why there is none: as it was built, or because something failed. */
type Meaning = { readonly vector: Float32Array } | { readonly note: string } | { readonly warning: string };

async function meaningOf(options: RetrieveOptions, manifest: ThemeManifest, embedder: Embedder | undefined): Promise<Meaning> {
	if (options.alpha === 0) return { note: 'Only words were compared: the weight of meaning is 0.' };
	if (manifest.embedderId === null) {
		const why = embedder ? 'this knowledge base was built without embeddings' : 'no embeddings are connected';
		return { note: `Only words were compared: ${why}.` };
	}
	if (!embedder) {
		return { note: `Only words were compared: this knowledge base was built with "${manifest.embedderId}", but no embeddings are connected.` };
	}
	const given = { id: embedder.id, dimension: manifest.dimension ?? 0 };
	if (embedder.id !== manifest.embedderId) throw embedderMismatch(manifest, given);
	const vector = await embedded(options, manifest, embedder);
	if (typeof vector === 'string') return { warning: vector };
	if (vector.length !== manifest.dimension) throw embedderMismatch(manifest, { ...given, dimension: vector.length });
	return { vector };
}

/** The vector of the query, or the warning that stands for it when the embedder fails and words may do. */
async function embedded(options: RetrieveOptions, manifest: ThemeManifest, embedder: Embedder): Promise<Float32Array | string> {
	const { query, signal } = options;
	try {
		const vector = await vectorOfQuery(embedder, { query, dimension: manifest.dimension, signal });
		if (vector?.every(Number.isFinite)) return vector;
		throw new CodedError('UPSTREAM', `The embeddings "${embedder.id}" gave no vector for the query`, { retryable: true });
	} catch (error) {
		signal?.throwIfAborted();
		if (options.whenEmbedderFails === 'fail') return raise(error);
		return `The embeddings could not be used (${messageOf(error)}): only words were compared, so passages that say it in other words may be missing.`;
	}
}

function accessOf(acl: RetrieveOptions['acl'], manifest: ThemeManifest): Access {
	if (!manifest.protected) return [];
	return typeof acl === 'function' ? acl() : (acl ?? []);
}

interface Searched extends Found {
	readonly note?: string;
	readonly warning?: string;
	/** True when nobody in particular asks a knowledge base with rights. */
	readonly isForAll: boolean;
}

const FOR_ALL = 'No user is known, and this knowledge base has rights: only documents that everyone may see were searched.';

async function searchOne(options: RetrieveOptions, store: ThemeStore, embedder: Embedder | undefined): Promise<Searched> {
	const manifest = await store.manifest();
	const acl = accessOf(options.acl, manifest);
	const meaning = await meaningOf(options, manifest, embedder);
	const isHybrid = 'vector' in meaning;
	const found = await store.search({
		tokens: isHybrid && options.alpha === 1 && options.fusion !== 'cascade' ? [] : analyse(options.query),
		...(isHybrid && meaning),
		candidates: Math.max(CANDIDATES, 2 * options.topK),
		acl,
		...(options.filter && { filter: options.filter }),
	});
	const isForAll = manifest.protected && acl !== 'all' && acl.every((token) => token === EVERYONE);
	return { ...found, isHybrid, isForAll, together: await pairsOf(options.query, found.candidates, store), ...(!isHybrid && meaning) };
}

/** For the best by words only: the others cannot come up by it. */
async function pairsOf(query: string, candidates: readonly Candidate[], store: ThemeStore): Promise<Map<number, number>> {
	const pairsIn = pairFinder(query, detectLanguage(query));
	const best = bestByWords(candidates);
	if (!pairsIn || best.length < 2) return new Map();
	const passages = await store.passages(best.slice(0, LOOKED_THROUGH).map(({ ref }) => ref));
	const shares = pairShares(passages.map(({ title, titlePath, text }) => pairsIn([title, ...titlePath, text].filter(Boolean).join('. '))));
	return new Map(passages.map(({ ref }, at) => [ref, shares[at] ?? 0]));
}

function bestByWords(candidates: readonly Candidate[]): Candidate[] {
	return candidates.filter(({ lexical = 0 }) => lexical > 0).sort((a, b) => (b.lexical ?? 0) - (a.lexical ?? 0));
}

/** The largest share of the query's words, 0..1, that one of the passages holds that are best by words; only what the asker may see. */
function coverageOf(tokens: readonly string[], found: readonly Found[], wordsOf: (tokens: readonly string[]) => string[]): number {
	const all = wordsOf(tokens).length;
	const best = found.flatMap(({ candidates }) => bestByWords(candidates).slice(0, COVERING));
	return all === 0 ? 0 : Math.max(0, ...best.map(({ matched = [] }) => wordsOf(matched).length / all));
}

/**
 * Finds the passages of several knowledge bases that fit a query, in one order: see `rank-candidates.ts`.
 *
 * @throws CodedError BAD_INPUT when the embedder is not the one that a knowledge base was built with; what stores throw, and what the
 *         embedder throws when `whenEmbedderFails` is `fail`
 */
export async function retrieveAll(given: RetrieveOptions, tools: RetrieveAllTools): Promise<RetrieveResult> {
	const query = given.query.trim();
	if (query === '') return { hits: [], method: 'lexical', alpha: 0, notes: ['The query is empty.'], warnings: [] };
	const options = { ...given, query, topK: Math.max(1, Math.floor(given.topK)) };
	const { fusion = 'blend', alpha: wanted = 'auto', topK } = options;
	const found: Searched[] = [];
	for (const base of tools.stores) found.push(await base.use(async (store) => await searchOne(options, store, tools.embedder)));
	const isHybrid = found.some((one) => one.isHybrid);
	const language = detectLanguage(query);
	const wordsOf = wordMatcher(query, language);
	const isForeign = language === 'fr' && readsEnglishOnly(tools.embedder?.id ?? '');
	const tokens = analyse(query);
	const auto = (): number => alphaFor(query, tokens, coverageOf(tokens, found, wordsOf)) * (isForeign ? FOREIGN_WEIGHT : 1);
	const alpha = isHybrid ? (wanted === 'auto' ? auto() : wanted) : 0;
	const ranking = rankCandidates(found, { fusion, alpha, topK });
	const hits = await chooseHits(ranking, options, tools.stores, wordsOf);
	const told = (of: (one: Searched) => string | undefined): string[] =>
		found.flatMap((one, at) => {
			const text = of(one);
			const { name } = tools.stores[at] as SearchedStore;
			return text === undefined ? [] : [name === undefined ? text : `${name}: ${text}`];
		});
	const notes = [...told(({ isForAll }) => (isForAll ? FOR_ALL : undefined)), ...told(({ note }) => note)];
	const said = { notes, warnings: told(({ warning }) => warning) };
	return { hits, method: isHybrid ? 'hybrid' : 'lexical', alpha, ...said };
}

/**
 * Finds the passages that fit a query.
 *
 * Works without an embedder, by words alone, and says so in `notes`; when the embedder fails, in `warnings`. A blank query gives no
 * hits. Ties keep the order of the vector side, then of the lexical one.
 *
 * @throws as `retrieveAll`
 */
export async function retrieve(options: RetrieveOptions, { store, embedder }: RetrieveTools): Promise<RetrieveResult> {
	return await retrieveAll(options, { stores: [{ use: async (work) => await work(store) }], ...(embedder && { embedder }) });
}
