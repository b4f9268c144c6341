import type { Hit } from '../core/document';
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
	readonly ref: number;
	readonly score: number;
	readonly scores: { readonly [part: string]: number };
}

/** The same words in other places are one passage: who reads gains nothing from the second. Numbers and signs count. */
const sameText = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

function hitOf(passage: Passage, { score, scores }: RankedRef): Hit {
	const { id, documentId, text, title, source, titlePath, page, start, end, meta } = passage;
	return {
		...{ id, documentId, text },
		...(title !== undefined && { title }),
		...(source !== undefined && { source }),
		...(titlePath.length > 0 && { section: titlePath.join(' › ') }),
		...(page !== undefined && { page }),
		...{ start, end, meta, score, scores },
	};
}

async function withContext(hit: Hit, position: number, neighbours: number, store: ThemeStore): Promise<Hit> {
	if (neighbours <= 0) return hit;
	const around = await store.neighbours(hit.documentId, position - neighbours, position + neighbours);
	return { ...hit, context: around.map(({ text }) => text).join('\n\n') };
}

/**
 * The passages of a ranking as hits, best first: a text that comes twice is given once, with the other documents in `alsoIn`; a
 * passage that was removed meanwhile is left out.
 */
export async function chooseHits(ranking: readonly RankedRef[], choice: HitChoice, store: ThemeStore): Promise<Hit[]> {
	const chosen = new Map<string, { hit: Hit; position: number; alsoIn: Set<string> }>();
	const documents = new Set<string>();
	for (let from = 0; from < ranking.length && chosen.size < choice.topK; from += choice.topK) {
		const part = new Map(ranking.slice(from, from + choice.topK).map((ranked) => [ranked.ref, ranked]));
		for (const passage of await store.passages([...part.keys()])) {
			const text = sameText(passage.text);
			const before = chosen.get(text);
			if (before && before.hit.documentId !== passage.documentId) before.alsoIn.add(passage.documentId);
			const isTaken = before !== undefined || (choice.onePerDocument === true && documents.has(passage.documentId));
			if (isTaken || chosen.size === choice.topK) continue;
			documents.add(passage.documentId);
			const hit = hitOf(passage, part.get(passage.ref) as RankedRef);
			chosen.set(text, { hit, position: passage.position, alsoIn: new Set() });
		}
	}
	return await Promise.all(
		[...chosen.values()].map(async ({ hit, position, alsoIn }) => {
			const found = alsoIn.size > 0 ? { ...hit, alsoIn: [...alsoIn] } : hit;
			return await withContext(found, position, choice.neighbours ?? 0, store);
		}),
	);
}
