import { splitSentences } from '../text/sentences';

export interface SplitOptions {
	/** Wanted characters in a chunk; default 900. A chunk is at most a quarter longer. */
	readonly targetCharacters?: number;
	/** Characters of the chunk before that are repeated, cut at a sentence; default 0. */
	readonly overlapCharacters?: number;
}

export interface TextChunk {
	readonly start: number;
	readonly end: number;
	/** `text.slice(start, end)`, white space included. */
	readonly text: string;
	/** Headings above, outermost first. */
	readonly titlePath: readonly string[];
}

interface Section {
	readonly start: number;
	end: number;
	/** End of its heading line; equal to `start` without a heading. */
	readonly bodyStart: number;
	readonly titlePath: readonly string[];
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
const PARAGRAPH_BORDER = /\n[ \t]*(?:\r?\n[ \t]*)+/g;
/** A last piece shorter than this share of the target joins the chunk before. */
const SHORT_TAIL = 0.25;

function pathUnder(open: readonly { level: number; title: string }[]): string[] {
	return open.map((heading) => heading.title);
}

function sectionsOf(text: string): Section[] {
	let current: Section = { start: 0, end: 0, bodyStart: 0, titlePath: [] };
	const sections = [current];
	let open: { level: number; title: string }[] = [];
	let fenced = false;
	let at = 0;
	for (const line of text.split('\n')) {
		const next = Math.min(text.length, at + line.length + 1);
		if (FENCE.test(line)) fenced = !fenced;
		const heading = fenced ? null : HEADING.exec(line);
		if (heading?.[1] && heading[2]) {
			const level = heading[1].length;
			open = [...open.filter((above) => above.level < level), { level, title: heading[2] }];
			// A heading with nothing under it stays with what follows.
			const isBare = text.slice(current.bodyStart, at).trim() === '';
			if (isBare) sections.pop();
			current = { start: isBare ? current.start : at, end: next, bodyStart: next, titlePath: pathUnder(open) };
			sections.push(current);
		}
		current.end = next;
		at = next;
	}
	return sections;
}

/** Cuts before `limit` characters at white space, else at a character border. */
function hardCuts(text: string, start: number, end: number, limit: number): number[] {
	const cuts: number[] = [];
	let from = start;
	while (end - from > limit) {
		const window = text.slice(from, from + limit);
		const blank = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'), window.lastIndexOf('\t'));
		const splitsPair = /[\ud800-\udbff]$/.test(window);
		from += blank > limit / 2 ? blank + 1 : splitsPair ? limit - 1 : limit;
		cuts.push(from);
	}
	return cuts;
}

/** Positions in `start..end` where a piece of at most `target` characters may end, coarsest structure first. */
function bordersOf(text: string, start: number, end: number, target: number): number[] {
	const body = text.slice(start, end);
	const paragraphs = [...body.matchAll(PARAGRAPH_BORDER)].map((match) => start + match.index + match[0].length);
	const borders: number[] = [];
	let from = start;
	for (const to of [...paragraphs, end]) {
		if (to - from > target) borders.push(...bordersInParagraph(text, from, to, target));
		borders.push(to);
		from = to;
	}
	return borders;
}

function bordersInParagraph(text: string, start: number, end: number, target: number): number[] {
	const starts = splitSentences(text.slice(start, end)).map((sentence) => start + sentence.start);
	const borders: number[] = [];
	let from = start;
	for (const to of [...starts.slice(1), end]) {
		borders.push(...hardCuts(text, from, to, target));
		if (to !== end) borders.push(to);
		from = to;
	}
	return borders;
}

function packSection(text: string, section: Section, target: number): { start: number; end: number }[] {
	const borders = bordersOf(text, section.start, section.end, target);
	const pieces: { start: number; end: number }[] = [];
	let start = section.start;
	let end = section.start;
	for (const border of borders) {
		if (border - start > target && end > start) {
			pieces.push({ start, end });
			start = end;
		}
		end = border;
	}
	pieces.push({ start, end });
	const last = pieces.at(-1);
	const before = pieces.at(-2);
	if (last && before && last.end - last.start < SHORT_TAIL * target && last.end - before.start <= 1.25 * target) {
		pieces.splice(-2, 2, { start: before.start, end: last.end });
	}
	return pieces;
}

function overlapStart(text: string, piece: { start: number }, floor: number, overlap: number): number {
	if (overlap <= 0 || piece.start === floor) return piece.start;
	const from = Math.max(floor, piece.start - overlap);
	const sentence = splitSentences(text.slice(from, piece.start)).at(from === floor ? 0 : 1);
	return sentence ? from + sentence.start : piece.start;
}

/**
 * Splits a text by its structure: Markdown headings, then paragraphs, sentences and, when a sentence is too long, words.
 *
 * Without overlap the chunks lie end to end: joined, they are the text. A chunk never crosses a heading, and a heading stays
 * with the text under it. A text of white space gives [].
 */
export function splitText(text: string, options: SplitOptions = {}): TextChunk[] {
	if (text.trim() === '') return [];
	const target = Math.max(50, options.targetCharacters ?? 900);
	const overlap = Math.min(options.overlapCharacters ?? 0, target / 2);
	return sectionsOf(text).flatMap((section) =>
		packSection(text, section, target)
			.filter((piece) => piece.end > piece.start)
			.map((piece) => {
				const start = overlapStart(text, piece, section.start, overlap);
				return { start, end: piece.end, text: text.slice(start, piece.end), titlePath: section.titlePath };
			}),
	);
}

/**
 * The line put before a chunk when it is indexed: `document title › section › subsection`. '' when there is neither.
 */
export function contextLine(title: string | undefined, titlePath: readonly string[]): string {
	return [...new Set([...(title ? [title] : []), ...titlePath])].join(' › ');
}
