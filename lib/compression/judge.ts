import type { Hit } from '../core/document';
import { createBreather } from './breather';
import { type Material, materialOf } from './material';
import { isForeignTo } from './meaning-match';
import type { Question, RelevanceTools } from './question';
import { ofPassages, unitRelevance } from './relevance';
import { unitsOf } from './units';

/** Passages with the relevance of each of their units. */
export interface Judged {
	readonly material: Material;
	/** Of each unit, as `unitRelevance` gives it. */
	readonly relevance: Float64Array;
	/** Why meaning was not compared; absent when it was. */
	readonly note?: string;
}

/** Splits and judges passages. Throws what embedder and judge throw. */
export async function judge(question: Question, hits: readonly Hit[], tools: RelevanceTools): Promise<Judged> {
	const breathe = createBreather(tools.signal);
	const material = await materialOf(hits, await unitsOf(hits, breathe), breathe);
	const note = noteFor(question, material, tools);
	return { material, relevance: await unitRelevance(question, material, tools, breathe), ...(note !== undefined && { note }) };
}

function noteFor(question: Question, material: Material, { embedder }: RelevanceTools): string | undefined {
	if (!embedder) return 'Only words were compared: no embeddings are connected.';
	if (!isForeignTo(embedder.id, question, material)) return undefined;
	return `Only words were compared: the embeddings (${embedder.id}) read English only, and question or passages are French.`;
}

/** Relevance of each passage, 0..1 within this call. */
export function passageRelevance({ material, relevance }: Judged): Float64Array {
	return ofPassages(material, relevance);
}

/** The same judgement for some of the passages, without judging again. */
export function restrict({ material, relevance, note }: Judged, kept: readonly number[]): Judged {
	const newPlace = new Map(kept.map((hit, position) => [hit, position]));
	const units = material.units.flatMap((unit, position) => {
		const hit = newPlace.get(unit.hit);
		return hit === undefined ? [] : [{ unit: { ...unit, hit }, position }];
	});
	const pick = <T>(list: readonly T[]): T[] => kept.map((hit) => list[hit]!);
	return {
		material: {
			hits: pick(material.hits),
			titles: pick(material.titles),
			titleTokens: pick(material.titleTokens),
			languages: pick(material.languages),
			units: units.map(({ unit }) => unit),
			tokens: units.map(({ position }) => material.tokens[position] ?? []),
		},
		relevance: Float64Array.from(units, ({ position }) => relevance[position] ?? 0),
		...(note !== undefined && { note }),
	};
}
