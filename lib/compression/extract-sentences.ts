import { analyse } from '../text/analyse';
import type { Breathe } from './breather';
import { isHeading, supportOf } from './carry-over';
import { cutSentence } from './cut-sentence';
import { costOf, excerptOf, type ExtractedHit, insertPiece, type Piece } from './excerpt';
import type { Judged } from './judge';
import type { Question } from './question';
import { type Limits, Room } from './room';
import { SaidAlready } from './same-text';

/**
 * A long sentence must serve a little more than a short one that takes less room: relevance is divided by length to this power.
 * 0 would forget the room, 1 would keep scraps.
 */
const LENGTH_POWER = 0.1;
const SHORT_SENTENCE = 30;
/** A sentence longer than this share of the whole room is cut at its clauses where it does not fit whole. */
const LONG_FOR_ROOM = 0.5;
/** Less than this share of it is not worth showing. */
const LEAST_PART = 0.2;
const SHORTEST_PART = 15;
/** Characters of the marks around a part. */
const MARKS = 10;

interface Choice {
	readonly judged: Judged;
	readonly room: Room;
	/** Characters of the whole room. */
	readonly whole: number;
	readonly queryTokens: ReadonlySet<string>;
	readonly pieces: Piece[][];
	readonly taken: Set<number>;
	readonly said: SaidAlready;
}

function put(choice: Choice, position: number, piece: Piece): boolean {
	const { material } = choice.judged;
	const unit = material.units[position]!;
	const pieces = choice.pieces[unit.hit]!;
	if (!choice.room.take(material.hits[unit.hit]!, costOf(pieces, piece))) return false;
	insertPiece(pieces, piece);
	choice.taken.add(position);
	choice.said.add(unit.text, material.tokens[position] ?? []);
	return true;
}

function take(choice: Choice, position: number): boolean {
	const { start, end, place } = choice.judged.material.units[position]!;
	return !choice.taken.has(position) && put(choice, position, { start, end, place });
}

/** Keeps the clauses (or words) that hold most of the question's words, where the whole sentence is too long for the room. */
function takePart(choice: Choice, position: number, atWords: boolean): boolean {
	const { material } = choice.judged;
	const unit = material.units[position]!;
	if (unit.text.length <= LONG_FOR_ROOM * choice.whole) return false;
	const left = choice.room.leftFor(material.hits[unit.hit]!) - MARKS;
	if (left < (atWords ? 1 : Math.max(SHORTEST_PART, LEAST_PART * unit.text.length))) return false;
	const worth = (clause: string): number => new Set(analyse(clause).filter((token) => choice.queryTokens.has(token))).size;
	const part = cutSentence(unit.text, left, worth, atWords);
	if (!part || part.end - part.start < Math.min(left, SHORTEST_PART)) return false;
	return put(choice, position, {
		start: unit.start + part.start,
		end: unit.start + part.end,
		place: unit.place,
		isCutBefore: part.start > 0,
		isCutAfter: part.end < unit.text.length,
	});
}

async function fill(choice: Choice, cutLongSentences: boolean, breathe: Breathe): Promise<void> {
	const { hits, units, tokens } = choice.judged.material;
	const gain = choice.judged.relevance.map((score, position) => score / Math.max(SHORT_SENTENCE, units[position]!.text.length) ** LENGTH_POWER);
	const order = [...gain.keys()].sort((a, b) => gain[b]! - gain[a]!);
	for (const position of order) {
		const pause = breathe();
		if (pause) await pause;
		const unit = units[position]!;
		const mayFit = choice.room.leftFor(hits[unit.hit]!) >= Math.min(SHORTEST_PART, unit.text.length);
		if (!mayFit || choice.taken.has(position) || isHeading(unit) || choice.said.has(unit.text, tokens[position] ?? [])) continue;
		if (take(choice, position)) for (const support of supportOf(position, units)) take(choice, support);
		// Rather some words of the best sentence than a whole one that serves less.
		else if (cutLongSentences && !takePart(choice, position, false) && choice.taken.size === 0) takePart(choice, position, true);
	}
}

/**
 * Keeps the sentences that serve the question most, word for word and in their order.
 *
 * They are taken from the best one on while there is room, what says the same again is left out. A kept sentence brings the head of
 * its table or list, its heading and, when it begins with a pronoun, the sentence before, as far as there is room. A sentence
 * that takes more than half of the room and does not fit is cut at its clauses. Left out parts are shown as `[…]`. Passages
 * without a kept sentence are left out; all other fields of a passage stay. Too little room gives [].
 */
export async function extractSentences(
	question: Question,
	judged: Judged,
	limits: Limits & { readonly cutLongSentences: boolean },
	breathe: Breathe,
): Promise<ExtractedHit[]> {
	const { hits } = judged.material;
	const choice: Choice = {
		judged,
		room: new Room(limits),
		whole: Math.min(limits.maxCharacters, limits.maxContext),
		queryTokens: new Set(analyse(question.query)),
		pieces: hits.map(() => []),
		taken: new Set(),
		said: new SaidAlready(),
	};
	await fill(choice, limits.cutLongSentences, breathe);
	return hits.flatMap((hit, position) => {
		const pieces = choice.pieces[position]!;
		return pieces.length === 0 ? [] : [excerptOf(hit, pieces)];
	});
}
