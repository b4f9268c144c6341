/**
 * Passages as a prompt holds them and as an answer cites them. Everything that came out of a document, its title too, stands inside
 * marks that the document cannot know; only the number stands outside.
 */
import type { Hit } from '../core/document';
import { estimateTokens } from '../text/estimate-tokens';
import { fenced } from '../text/fence';

/** A passage that an answer may cite by its number. */
export interface NumberedPassage {
	/** From 1, in the order of the prompt. */
	readonly number: number;
	readonly hit: Hit;
	/** What the prompt holds of it. */
	readonly text: string;
}

/** A passage that the answer was given with, as plain JSON. */
export interface ChatSource {
	readonly number: number;
	readonly title: string;
	readonly source?: string;
	readonly section?: string;
	readonly page?: number;
	readonly snippet: string;
	readonly score: number;
	readonly id: string;
	readonly documentId: string;
	/** Whether the answer names its number. */
	readonly cited: boolean;
	readonly meta: Hit['meta'];
}

const SNIPPET_CHARACTERS = 300;
const CHARACTERS_PER_TOKEN = 3.5;

/** The first passages that fit, whole, blank and repeated ones left out; the first is cut when it does not fit by itself. */
export function numberPassages(hits: readonly Hit[], maxTokens: number): NumberedPassage[] {
	const seen = new Set<string>();
	const numbered: NumberedPassage[] = [];
	let left = maxTokens;
	for (const hit of hits) {
		const whole = (hit.context ?? hit.text).trim();
		if (whole === '' || seen.has(whole)) continue;
		seen.add(whole);
		const text = numbered.length === 0 ? whole.slice(0, Math.max(1, Math.floor(left * CHARACTERS_PER_TOKEN))) : whole;
		if (estimateTokens(text) > left && numbered.length > 0) break;
		numbered.push({ number: numbered.length + 1, hit, text });
		left -= estimateTokens(text);
	}
	return numbered;
}

/** The passages for a prompt: a number, then the fenced title and text, a blank line between. */
export function passagesText(passages: readonly NumberedPassage[], mark: string): string {
	return passages.map(({ number, hit, text }) => `[${number}]\n${fenced(mark, `${headingOf(hit)}\n${text}`)}`).join('\n\n');
}

function headingOf({ title, section, page, source, documentId }: Hit): string {
	const place = page === undefined ? '' : `, p. ${page}`;
	return `${[title ?? source ?? documentId, section].filter(Boolean).join(' › ')}${place}`;
}

/** The sources of an answer: those that it cites, in the order of their numbers; all of them when it cites none. */
export function sourcesOf(passages: readonly NumberedPassage[], cited: ReadonlySet<number>): ChatSource[] {
	const chosen = cited.size > 0 ? passages.filter(({ number }) => cited.has(number)) : passages;
	return chosen.map(({ number, hit }) => {
		const { title, source, section, page, text, score, id, documentId, meta } = hit;
		return {
			number,
			title: title ?? source ?? documentId,
			...(source !== undefined && { source }),
			...(section !== undefined && { section }),
			...(page !== undefined && { page }),
			snippet: text.length <= SNIPPET_CHARACTERS ? text : `${text.slice(0, SNIPPET_CHARACTERS).trimEnd()}…`,
			score,
			id,
			documentId,
			cited: cited.has(number),
			meta,
		};
	});
}
