import type { Hit } from '../core/document';
import { type Span, splitSentences } from '../text/sentences';
import type { Breathe } from './breather';

/** A sentence, list item, table row or heading of a passage, by its place in the passage's text. */
export interface Unit extends Span {
	/** Which passage. */
	readonly hit: number;
	/** Place among the units of its passage. */
	readonly place: number;
}

/** A passage longer than this is split in pieces, so that one does not hold the process. */
const PIECE = 6000;

/** Where to end a piece that begins at `start`: at a line's end, else a sentence's, else a word's, in its second half. */
function pieceEnd(text: string, start: number): number {
	if (text.length - start <= PIECE) return text.length;
	const piece = text.slice(start, start + PIECE);
	for (const border of ['\n', '. ', ' ']) {
		const at = piece.lastIndexOf(border);
		if (at >= PIECE / 2) return start + at + border.length;
	}
	return start + PIECE;
}

function* piecesOf(text: string): Generator<{ start: number; piece: string }> {
	for (let start = 0; start < text.length; ) {
		const end = pieceEnd(text, start);
		yield { start, piece: text.slice(start, end) };
		start = end;
	}
}

/** The units of all passages, passage by passage, in the order of the text. */
export async function unitsOf(hits: readonly Hit[], breathe: Breathe): Promise<Unit[]> {
	const units: Unit[] = [];
	for (const [hit, { text }] of hits.entries()) {
		let place = 0;
		for (const { start, piece } of piecesOf(text)) {
			const pause = breathe();
			if (pause) await pause;
			for (const span of splitSentences(piece)) {
				units.push({ text: span.text, start: start + span.start, end: start + span.end, hit, place });
				place += 1;
			}
		}
	}
	return units;
}
