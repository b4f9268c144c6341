import type { Hit } from '../core/document';

/** A passage cut down to some of its text. */
export interface ExtractedHit extends Hit {
	/** What was kept, as places in the passage that came in; in order. */
	readonly excerpts: readonly { readonly start: number; readonly end: number }[];
}

/** A unit of a passage, or a part of one, that is kept. */
export interface Piece {
	readonly start: number;
	readonly end: number;
	/** Place of its unit in the passage. */
	readonly place: number;
	/** True where the unit goes on before or after the piece. */
	readonly isCutBefore?: boolean;
	readonly isCutAfter?: boolean;
}

const LEFT_OUT = ' […] ';
/** Between lines that stand alone, as rows and list items do; as long as the other. */
const LINES_LEFT_OUT = '\n[…]\n';
const BEFORE = '[…] ';
const AFTER = ' […]';

/** True when nothing but white space stood between the two. */
function isNext(left: Piece, right: Piece): boolean {
	return right.place === left.place + 1 && !left.isCutAfter && !right.isCutBefore;
}

/** Characters between two pieces, or at the edge of the text. */
function between(left: Piece | undefined, right: Piece | undefined): number {
	if (left && right) return isNext(left, right) ? right.start - left.end : LEFT_OUT.length;
	if (right) return right.isCutBefore ? BEFORE.length : 0;
	return left?.isCutAfter ? AFTER.length : 0;
}

function placeFor(pieces: readonly Piece[], start: number): number {
	let low = 0;
	let high = pieces.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((pieces[middle]?.start ?? 0) < start) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** How much longer the kept text becomes with one piece more, marks counted; may be a little less than the piece. */
export function costOf(pieces: readonly Piece[], piece: Piece): number {
	const at = placeFor(pieces, piece.start);
	const left = pieces[at - 1];
	const right = pieces[at];
	return piece.end - piece.start + between(left, piece) + between(piece, right) - (left || right ? between(left, right) : 0);
}

/** Puts a piece into its place among pieces that it does not overlap. */
export function insertPiece(pieces: Piece[], piece: Piece): void {
	pieces.splice(placeFor(pieces, piece.start), 0, piece);
}

/** The passage with only these pieces, in order and word for word; what was left out between them is shown as `[…]`. */
export function excerptOf(hit: Hit, pieces: readonly Piece[]): ExtractedHit {
	const excerpts: { start: number; end: number }[] = [];
	for (const [position, piece] of pieces.entries()) {
		const left = pieces[position - 1];
		const last = excerpts.at(-1);
		if (left && last && isNext(left, piece)) last.end = piece.end;
		else excerpts.push({ start: piece.start, end: piece.end });
	}
	const kept = excerpts.reduce((text, { start, end }, position) => {
		const last = excerpts[position - 1];
		const isLines = last && /^[ \t]*\n/.test(hit.text.slice(last.end)) && /\n[ \t]*$/.test(hit.text.slice(last.end, start));
		return text + (last ? (isLines ? LINES_LEFT_OUT : LEFT_OUT) : '') + hit.text.slice(start, end);
	}, '');
	const before = pieces[0]?.isCutBefore ? BEFORE : '';
	const after = pieces.at(-1)?.isCutAfter ? AFTER : '';
	return { ...hit, text: before + kept + after, excerpts };
}
