import type { Granularity } from '../core/stream-message';
import { splitSentences } from './sentences';

/** A sentence that never ends is given out at this length, so that a reader is not left waiting. */
const LONGEST_SENTENCE = 2000;

/**
 * Regroups streamed text; the pieces joined are the text, whatever the cut of what came in.
 *
 * `token` gives each piece as it comes. `sentence` gives whole sentences or lines with the white space after them, at most 2,000
 * characters. `whole` gives everything at the end. Blank input gives nothing.
 */
export class Regrouper {
	private held = '';

	constructor(private readonly granularity: Granularity) {}

	add(piece: string): string[] {
		if (this.granularity === 'token') return piece === '' ? [] : [piece];
		this.held += piece;
		if (this.granularity === 'whole') return [];
		const sentences: string[] = [];
		for (let end = sentenceEnd(this.held); end > 0; end = sentenceEnd(this.held)) {
			sentences.push(this.held.slice(0, end));
			this.held = this.held.slice(end);
		}
		return sentences;
	}

	/** What is still held; the next text begins anew. */
	end(): string[] {
		const rest = this.held;
		this.held = '';
		return rest === '' ? [] : [rest];
	}
}

/** Where the second sentence begins; 0 while there is none, since only what follows tells whether a full stop ends a sentence. */
function sentenceEnd(text: string): number {
	const start = splitSentences(text)[1]?.start ?? 0;
	if (start > 0 && start <= LONGEST_SENTENCE) return start;
	return text.length > LONGEST_SENTENCE ? safeCut(text, LONGEST_SENTENCE) : 0;
}

function safeCut(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
