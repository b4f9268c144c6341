import fc from 'fast-check';
import type { Hit } from '../../lib/core/document';
import { createBreather } from '../../lib/compression/breather';
import { cutSentence } from '../../lib/compression/cut-sentence';
import { costOf, excerptOf, insertPiece, type Piece } from '../../lib/compression/excerpt';
import { findQuote, plainOf } from '../../lib/compression/find-quote';
import { Room } from '../../lib/compression/room';
import { unitsOf } from '../../lib/compression/units';

const hit = (text: string, more: Partial<Hit> = {}): Hit => ({ id: 'h', documentId: 'd', text, meta: {}, score: 1, ...more });

describe('cutSentence', () => {
	const sentence = 'Le contrat, signé en 2019 à Lyon par les deux parties, prend fin le 3 mai 2027 (sauf avenant écrit), avec un préavis de 3,5 mois.';
	const mentions = (word: string) => (clause: string) => (clause.includes(word) ? 1 : 0);

	it('keeps the clauses that are worth most, never a part of one', () => {
		const part = cutSentence(sentence, 60, mentions('prend fin'))!;
		expect(sentence.slice(part.start, part.end)).toBe('prend fin le 3 mai 2027 (sauf avenant écrit),');
		const notice = cutSentence(sentence, 40, mentions('préavis'))!;
		expect(sentence.slice(notice.start, notice.end)).toBe('avec un préavis de 3,5 mois.');
	});

	it('gives nothing when no clause fits or there is one only; words when they are asked for', () => {
		expect(cutSentence(sentence, 10, mentions('fin'))).toBeUndefined();
		expect(cutSentence('La pompe tourne sans bruit depuis hier', 20, mentions('pompe'))).toBeUndefined();
		const part = cutSentence('La pompe tourne sans bruit depuis hier', 20, mentions('bruit'), true)!;
		expect('La pompe tourne sans bruit depuis hier'.slice(part.start, part.end)).toBe('tourne sans bruit');
	});
});

describe('excerptOf', () => {
	const text = 'Un. Deux. Trois. Quatre.';
	const all: Piece[] = [
		{ start: 0, end: 3, place: 0 },
		{ start: 4, end: 9, place: 1 },
		{ start: 10, end: 16, place: 2 },
		{ start: 17, end: 24, place: 3 },
	];

	it('joins neighbours, marks what was left out and where a sentence was cut', () => {
		expect(excerptOf(hit(text), [all[0]!, all[1]!, all[3]!])).toMatchObject({
			text: 'Un. Deux. […] Quatre.',
			excerpts: [{ start: 0, end: 9 }, { start: 17, end: 24 }],
		});
		const cut = { start: 11, end: 15, place: 2, isCutBefore: true, isCutAfter: true };
		expect(excerptOf(hit(text), [cut]).text).toBe('[…] rois […]');
	});

	it('costs exactly what the text grows by, in whatever order pieces come', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(all), (order) => {
				const pieces: Piece[] = [];
				for (const piece of order) {
					const before = pieces.length === 0 ? 0 : excerptOf(hit(text), pieces).text.length;
					const cost = costOf(pieces, piece);
					insertPiece(pieces, piece);
					expect(excerptOf(hit(text), pieces).text.length).toBe(before + cost);
				}
			}),
		);
	});
});

describe('findQuote', () => {
	const source = 'Il dit :  « L’huile\nest à 3,5 bar – maximum ». Fin.';
	it('finds a quote whatever its blanks, quotation marks and dashes, and gives its place in the source', () => {
		const found = findQuote("L'huile est à 3,5 bar - maximum", plainOf(source))!;
		expect(source.slice(found.start, found.end)).toBe('L’huile\nest à 3,5 bar – maximum');
		expect(findQuote('… est à 3,5 bar …', plainOf(source))).toBeDefined();
	});

	it('finds nothing that the source does not say', () => {
		for (const quote of ["L'huile est à 4 bar", 'à', '', '…']) expect(findQuote(quote, plainOf(source))).toBeUndefined();
	});
});

describe('Room', () => {
	it("pays a passage's heading once, and takes nothing that does not fit", () => {
		const room = new Room({ maxCharacters: 100, maxContext: 40 });
		const titled = hit('x', { title: 'Pompe P-7' });
		// [999] Pompe P-7, a line break below and two after.
		expect(room.leftFor(titled)).toBe(40 - 15 - 3);
		expect(room.take(titled, 23)).toBe(false);
		expect(room.take(titled, 20)).toBe(true);
		expect(room.leftFor(titled)).toBe(2);
	});
});

describe('unitsOf', () => {
	it('splits long texts in pieces without losing or changing a character but blanks', async () => {
		const text = 'La pompe est arrêtée. Le joint fuit depuis lundi.\n- vérifier la vanne V-12\n'.repeat(400);
		const units = await unitsOf([hit(text)], createBreather());
		expect(units).toHaveLength(1200);
		expect(units.map((unit) => text.slice(unit.start, unit.end))).toEqual(units.map((unit) => unit.text));
		expect(units.map((unit) => unit.place)).toEqual(units.map((_, position) => position));
	});
});
