import { createRequire } from 'node:module';

import { raise } from '../core/errors';

const load = createRequire(__filename);

/**
 * Reads JSON as language models write it: fences and prose around it, single quotes, Python literals, comments, trailing
 * commas. The first complete value wins. Nothing is guessed from half a value.
 */

export interface JsonFound {
	readonly value: unknown;
	/** Where the value stands in the text: `text.slice(start, end)`. */
	readonly start: number;
	readonly end: number;
}

/** Openings that are tried: bounds the time on text made of brackets that say nothing. */
const MOST_TRIES = 50;

/**
 * The first object or list in a text, or undefined when there is none that can be read.
 *
 * A value that is cut off (no closing bracket) is not read: half an argument is worse than a question back.
 */
export function findJson(text: string): JsonFound | undefined {
	let start = nextOpening(text, 0);
	let work = 0;
	for (let tries = 0; start >= 0 && tries < MOST_TRIES; tries++, start = nextOpening(text, start + 1)) {
		const end = balancedEnd(text, start, '"') ?? balancedEnd(text, start, '"\'');
		if (end === undefined) return undefined;
		work += end - start;
		if (work > 4 * text.length + 10_000) return undefined;
		for (const candidate of new Set([end, balancedEnd(text, start, '"\'') ?? end])) {
			const value = readStructure(text.slice(start, candidate));
			if (value !== undefined) return { value, start, end: candidate };
		}
	}
	return undefined;
}

/** The whole text as an object or a list, fences and prose around it allowed; undefined when it holds none. */
export function parseTolerant(text: string): unknown {
	return readStrict(text) ?? findJson(text)?.value;
}

/** True when a text opens an object or list that it never closes: a reply cut off by a token limit. */
export function isCutOff(text: string): boolean {
	const start = nextOpening(text, 0);
	return start >= 0 && balancedEnd(text, start, '"') === undefined && balancedEnd(text, start, '"\'') === undefined;
}

function nextOpening(text: string, from: number): number {
	const brace = text.indexOf('{', from);
	const bracket = text.indexOf('[', from);
	if (brace < 0) return bracket;
	return bracket < 0 ? brace : Math.min(brace, bracket);
}

/**
 * The end (exclusive) of the value that opens at `start`: brackets are counted outside strings only.
 *
 * `quotes` holds the characters that open a string. A single quote opens one only where a value may begin, so the
 * apostrophe in "joint d'étanchéité" is left alone.
 */
function balancedEnd(text: string, start: number, quotes: string): number | undefined {
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		const char = text.charAt(at);
		if (quotes.includes(char) && opensString(text, at)) {
			at = stringEnd(text, at);
			continue;
		}
		if (char === '{' || char === '[') depth++;
		if (char === '}' || char === ']') depth--;
		if (depth === 0) return at + 1;
	}
	return undefined;
}

function opensString(text: string, at: number): boolean {
	return text.charAt(at) === '"' || /[[{,:(\s]$/.test(text.slice(Math.max(0, at - 1), at));
}

/** The place of the closing quote, or the end of the text; a single quote closes only before a comma, a colon or a bracket. */
function stringEnd(text: string, at: number): number {
	const quote = text.charAt(at);
	for (let end = at + 1; end < text.length; end++) {
		const char = text.charAt(end);
		if (char === '\\') end++;
		else if (char === quote && (quote === '"' || /^\s*[,:}\]]/.test(text.slice(end + 1, end + 20)))) return end;
	}
	return text.length;
}

function readStructure(text: string): unknown {
	const strict = readStrict(text);
	if (strict !== undefined) return strict;
	try {
		const { jsonrepair } = load('jsonrepair') as typeof import('jsonrepair');
		return structureOf(JSON.parse(jsonrepair(withDoubleQuotes(text))));
	} catch (error) {
		if (error instanceof Error) return undefined;
		return raise(error);
	}
}

/**
 * Strings in single quotes written as JSON strings, apostrophes inside kept; done before the repair, which would end a string
 * at its first apostrophe and give back another text.
 */
function withDoubleQuotes(text: string): string {
	let written = '';
	for (let at = 0; at < text.length; at++) {
		const char = text.charAt(at);
		if ((char !== '"' && char !== "'") || !opensString(text, at)) {
			written += char;
			continue;
		}
		const end = stringEnd(text, at);
		const inner = text.slice(at + 1, end);
		written += char === '"' ? text.slice(at, end + 1) : JSON.stringify(inner.replace(/\\'/g, "'")).replace(/\\\\/g, '\\');
		at = end;
	}
	return written;
}

function readStrict(text: string): unknown {
	try {
		return structureOf(JSON.parse(text));
	} catch (error) {
		// Deep nesting gives a RangeError.
		if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
		return raise(error);
	}
}

/** jsonrepair turns prose into a string: only objects and lists count. */
function structureOf(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? value : undefined;
}
