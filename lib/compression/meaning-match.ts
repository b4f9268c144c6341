import { readsEnglishOnly } from '../inference/english-only';
import { normaliseScores } from '../text/blend-scores';
import { detectLanguage } from '../text/language';
import { headingsAbove } from './carry-over';
import type { Material } from './material';
import { HISTORY_WEIGHT, type Question, recentTurns, type RelevanceTools } from './question';

/**
 * Characters that the encoder is given at most: some 2 s on two cores with a small local one. Of a longer material it sees the
 * sentences that are best by words.
 */
const ENCODED_CHARACTERS = 16_000;

const dot = (a: Float32Array, b: Float32Array): number => {
	let sum = 0;
	for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
};

/**
 * True when an encoder is known to read English only and question or passages are French: its vectors then say less than the
 * words. On French questions such an encoder made the choice worse at any weight.
 */
export function isForeignTo(embedderId: string, question: Question, material: Pick<Material, 'languages'>): boolean {
	if (!readsEnglishOnly(embedderId)) return false;
	const french = material.languages.filter((language) => language === 'fr').length;
	return detectLanguage(question.query) === 'fr' || french > material.languages.length / 2;
}

/** The units whose texts are encoded: all, or the best by words within the limit. */
function encodedUnits(texts: readonly string[], words: Float64Array): number[] {
	let left = ENCODED_CHARACTERS;
	const order = [...texts.keys()].sort((a, b) => (words[b] ?? 0) - (words[a] ?? 0));
	return order.filter((place) => (left -= texts[place]?.length ?? 0) >= 0);
}

/**
 * The encoder's cosine of question and unit, 0..1 within this call; units that are not encoded count 0. Undefined when there is no
 * encoder, or none for the language. A part is that of the last turns of the conversation.
 */
export async function meaningScores(
	question: Question,
	material: Material,
	words: Float64Array,
	tools: RelevanceTools,
): Promise<Float64Array | undefined> {
	const { embedder } = tools;
	if (!embedder || isForeignTo(embedder.id, question, material)) return undefined;
	const signal = tools.signal && { signal: tools.signal };
	const turns = recentTurns(question);
	const [asked, earlier] = await embedder.embed(turns === '' ? [question.query] : [question.query, turns], { kind: 'query', ...signal });
	const headings = headingsAbove(material.units);
	const texts = material.units.map(({ text, hit }, position) => {
		const heading = material.units[headings[position] ?? -1]?.text.replace(/^#+\s*/, '');
		return [material.titles[hit], heading, text].filter(Boolean).join(': ');
	});
	const places = encodedUnits(texts, words);
	const vectors = await embedder.embed(places.map((place) => texts[place] ?? ''), { kind: 'passage', ...signal });
	const cosines = vectors.map((vector) => (asked ? dot(asked, vector) : 0) + HISTORY_WEIGHT * (earlier ? dot(earlier, vector) : 0));
	const scores = new Float64Array(texts.length);
	normaliseScores(cosines).forEach((score, position) => (scores[places[position] ?? 0] = score));
	return scores;
}
