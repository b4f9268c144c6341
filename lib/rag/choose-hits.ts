import type { Hit } from '../core/document';
import { snippetOf } from './snippet';
import type { Passage, ThemeStore } from './store';

export interface HitChoice {
	/** Hits wanted, at least 1. */
	readonly topK: number;
	/** True gives the best passage of each document only. */
	readonly onePerDocument?: boolean;
	/** Passages before and after each hit that are given with it, in `context`; default 0. */
	readonly neighbours?: number;
}

export interface RankedRef {
	/** Position of its store among those searched. */
	readonly store: number;
	readonly ref: number;
	readonly score: number;
	readonly scores: { readonly [part: string]: number };
	/** Tokens of the query that it holds. */
	readonly matched: readonly string[];
}

/** One of the knowledge bases that were searched. */
export interface SearchedStore {
	/** Gives the open store to `work`. */
	use<Result>(work: (store: ThemeStore) => Promise<Result>): Promise<Result>;
	/** Name, when hits must say where they come from: the ids of two knowledge bases may be the same. */
	readonly name?: string;
}

/** The same words in other places are one passage: who reads gains nothing from the second. Numbers and signs count. */
const sameText = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

function hitOf(passage: Passage, ranked: RankedRef, name: string | undefined, wordsOf: (tokens: readonly string[]) => string[]): Hit {
	const { id, documentId, text, title, source, titlePath, page, start, end, meta } = passage;
	const { score, scores, matched } = ranked;
	const words = wordsOf(matched);
	const snippet = snippetOf({ text, start }, words);
	return {
		...{ id: name === undefined ? id : `${name}/${id}`, documentId, text },
		...(title !== undefined && { title }),
		...(source !== undefined && { source }),
		...(titlePath.length > 0 && { section: titlePath.join(' › ') }),
		...(page !== undefined && { page }),
		...{ start, end, meta, score, scores },
		...(words.length > 0 && { matched: words }),
		...(snippet && { snippet }),
		...(name !== undefined && { knowledgeBase: name }),
	};
}

interface Chosen {
	readonly hit: Hit;
	readonly place: { readonly base: SearchedStore; readonly position: number };
	readonly alsoIn: Set<string>;
}

async function withContext({ hit, place, alsoIn }: Chosen, neighbours: number): Promise<Hit> {
	const found = alsoIn.size > 0 ? { ...hit, alsoIn: [...alsoIn] } : hit;
	if (neighbours <= 0) return found;
	const { base, position } = place;
	const around = await base.use(async (store) => await store.neighbours(hit.documentId, position - neighbours, position + neighbours));
	return { ...found, context: around.map(({ text }) => text).join('\n\n') };
}

/** The passages of a part of a ranking, in its order. */
async function passagesOf(part: readonly RankedRef[], stores: readonly SearchedStore[]): Promise<(readonly [RankedRef, Passage])[]> {
	const found = new Map<string, Passage>();
	for (const [at, base] of stores.entries()) {
		const refs = part.filter((ranked) => ranked.store === at).map(({ ref }) => ref);
		const passages = refs.length > 0 ? await base.use(async (store) => await store.passages(refs)) : [];
		for (const passage of passages) found.set(`${at}:${passage.ref}`, passage);
	}
	return part.flatMap((ranked) => {
		const passage = found.get(`${ranked.store}:${ranked.ref}`);
		return passage ? [[ranked, passage] as const] : [];
	});
}

/**
 * The passages of a ranking as hits, best first: a text that comes twice is given once, with the other documents in `alsoIn`; a
 * passage that was removed meanwhile is left out.
 *
 * @param wordsOf  the words of the query for tokens that matched
 */
export async function chooseHits(
	ranking: readonly RankedRef[],
	choice: HitChoice,
	stores: readonly SearchedStore[],
	wordsOf: (tokens: readonly string[]) => string[],
): Promise<Hit[]> {
	const chosen = new Map<string, Chosen>();
	const documents = new Set<string>();
	for (let from = 0; from < ranking.length && chosen.size < choice.topK; from += choice.topK) {
		for (const [ranked, passage] of await passagesOf(ranking.slice(from, from + choice.topK), stores)) {
			const base = stores[ranked.store] as SearchedStore;
			const text = sameText(passage.text);
			const before = chosen.get(text);
			if (before && before.hit.documentId !== passage.documentId) before.alsoIn.add(passage.documentId);
			const document = `${ranked.store}:${passage.documentId}`;
			const isTaken = before !== undefined || (choice.onePerDocument === true && documents.has(document));
			if (isTaken || chosen.size === choice.topK) continue;
			documents.add(document);
			const hit = hitOf(passage, ranked, base.name, wordsOf);
			chosen.set(text, { hit, place: { base, position: passage.position }, alsoIn: new Set() });
		}
	}
	const hits: Hit[] = [];
	for (const one of chosen.values()) hits.push(await withContext(one, choice.neighbours ?? 0));
	return hits;
}
