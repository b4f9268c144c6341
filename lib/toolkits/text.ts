import { createContext, Script } from 'node:vm';
import { CodedError } from '../core/errors';
import type { Tool } from '../core/tool';
import { splitSentences } from '../text/sentences';
import { foldAccents } from '../text/stem';
import { attempt } from './attempt';
import { diffLines } from './diff-lines';
import { makeTool } from './make-tool';

const LONGEST_TEXT = 500_000;
const TEXT = { type: 'string', maxLength: LONGEST_TEXT };
const REGEX_LIMIT_MS = 250;
const MOST_MATCHES = 500;
const TAGS = ['text'];

/** What can be taken out of a text by its form. */
const FORMS = {
	emails: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
	urls: /\bhttps?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/gu,
	numbers: /(?<![\p{L}\p{N}])[-−]?\d+(?:[\u00a0\u202f ]\d{3})*(?:[.,]\d+)*(?![\p{L}\p{N}])/gu,
	dates: /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{1,2}(?:er)? \p{L}{3,9} \d{4}|\p{L}{3,9} \d{1,2}, \d{4})\b/gu,
	codes: /(?<![\p{L}\p{N}])(?=[\p{Lu}\p{N}_-]*\d)(?=[\p{Lu}\p{N}_-]*\p{Lu})[\p{Lu}\p{N}]+(?:[-_]?[\p{Lu}\p{N}]+)*(?![\p{L}\p{N}])/gu,
	quoted: /"[^"\n]{1,500}"|«[^»\n]{1,500}»|“[^”\n]{1,500}”/gu,
} as const;
type Form = keyof typeof FORMS;

/** Counting, extraction, comparison and search in texts. */
export function textTools(): Tool[] {
	return [countText(), extractFromText(), findByRegex(), replaceByRegex(), compareTexts(), diffTexts()];
}

function countText(): Tool {
	return makeTool<{ text: string; search?: string }>({
		name: 'count_in_text',
		intent: 'Counts characters, words, sentences and lines of a text, and how often something occurs in it.',
		description: 'search is looked for without regard to case and accents. Returns {characters, words, sentences, lines, occurrences}.',
		input: { text: TEXT, search: { type: 'string', minLength: 1 } },
		optional: ['search'],
		tags: TAGS,
		run: ({ text, search }) => ({
			characters: [...text].length,
			words: (text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).length,
			sentences: splitSentences(text).length,
			lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
			...(search !== undefined && { occurrences: fold(text).split(fold(search)).length - 1 }),
		}),
	});
}

function extractFromText(): Tool {
	return makeTool<{ text: string; what: Form; unique?: boolean }>({
		name: 'extract_from_text',
		intent: 'Takes e-mail addresses, web addresses, numbers, dates, codes or quotations out of a text.',
		description: 'codes are references such as N-92C. Returns {values, count} as they are written, in their order. unique keeps each once.',
		input: { text: TEXT, what: { type: 'string', enum: Object.keys(FORMS) }, unique: { type: 'boolean' } },
		optional: ['unique'],
		tags: TAGS,
		run: ({ text, what, unique }) => {
			const found = (text.match(FORMS[what]) ?? []).map((value) => value.trim());
			const values = unique ? [...new Set(found)] : found;
			return { values, count: values.length };
		},
	});
}

const REGEX = { type: 'string', maxLength: 1_000, description: 'A JavaScript regular expression without slashes' };
const FLAGS = { type: 'string', pattern: '^[imsu]*$', description: 'i: any case, m: lines, s: dot takes newlines' };

function findByRegex(): Tool {
	return makeTool<{ text: string; pattern: string; flags?: string }>({
		name: 'find_in_text_by_regex',
		intent: 'Finds all places of a text that fit a regular expression.',
		description: 'Returns {matches: [{text, at, groups}], total, complete}; at counts characters from 0. Stopped after 250 ms.',
		input: { text: TEXT, pattern: REGEX, flags: FLAGS },
		optional: ['flags'],
		tags: TAGS,
		run: ({ text, pattern, flags = '' }) => {
			const all = bounded(text, pattern, { flags, code: '[...text.matchAll(new RegExp(pattern, flags))].map((m) => ({ text: m[0], at: m.index, groups: m.slice(1) }))' });
			const matches = all as { text: string; at: number; groups: (string | null)[] }[];
			return { matches: matches.slice(0, MOST_MATCHES), total: matches.length, complete: matches.length <= MOST_MATCHES };
		},
	});
}

function replaceByRegex(): Tool {
	return makeTool<{ text: string; pattern: string; replacement: string; flags?: string }>({
		name: 'replace_in_text_by_regex',
		intent: 'Replaces all places of a text that fit a regular expression.',
		description: '$1 stands for the first group. Returns {text, count}. Stopped after 250 ms.',
		input: { text: TEXT, pattern: REGEX, replacement: { type: 'string', maxLength: 10_000 }, flags: FLAGS },
		optional: ['flags'],
		tags: TAGS,
		run: ({ text, pattern, replacement, flags = '' }) =>
			bounded(text, pattern, { flags, replacement, code: '({ count: [...text.matchAll(new RegExp(pattern, flags))].length, text: text.replace(new RegExp(pattern, flags), replacement) })' }) as object,
	});
}

/** Runs a fixed line of code over texts where it can be stopped: a pattern may take years on a text of forty characters. */
function bounded(text: string, pattern: string, { flags, replacement = '', code }: { flags: string; replacement?: string; code: string }): unknown {
	attempt(() => new RegExp(pattern, flags), (why) => new CodedError('BAD_INPUT', `The pattern is not a regular expression: ${why}`));
	const context = createContext(Object.assign(Object.create(null), { text, pattern, flags: `g${flags}`, replacement }));
	const json = attempt(
		() => String(new Script(`JSON.stringify(${code})`).runInContext(context, { timeout: REGEX_LIMIT_MS })),
		(why) => new CodedError('RESOURCE_LIMIT', `The pattern was stopped: ${why}`, { remedy: 'Use a simpler pattern: no repetition inside a repetition.' }),
	);
	return JSON.parse(json);
}

function compareTexts(): Tool {
	return makeTool<{ first: string; second: string }>({
		name: 'compare_texts',
		intent: 'Says how much two texts are alike.',
		description: 'Returns {equal, equal_ignoring_case_and_accents, shared_words, only_in_first, only_in_second, likeness}; likeness is 0 to 1, the share of common words.',
		input: { first: TEXT, second: TEXT },
		tags: TAGS,
		run: ({ first, second }) => {
			const [left, right] = [wordsOf(first), wordsOf(second)];
			const shared = [...left].filter((word) => right.has(word));
			const all = left.size + right.size - shared.length;
			return {
				equal: first === second,
				equal_ignoring_case_and_accents: fold(first) === fold(second),
				likeness: all === 0 ? 1 : Math.round((shared.length / all) * 1_000) / 1_000,
				shared_words: shared.length,
				only_in_first: [...left].filter((word) => !right.has(word)).slice(0, 50),
				only_in_second: [...right].filter((word) => !left.has(word)).slice(0, 50),
			};
		},
	});
}

function diffTexts(): Tool {
	return makeTool<{ before: string; after: string }>({
		name: 'diff_texts',
		intent: 'Shows line by line what changed from one text to another.',
		description: 'Returns {added, removed, diff}; in diff lines begin with "+ ", "- " or "  ", unchanged stretches are left out as "…".',
		input: { before: TEXT, after: TEXT },
		tags: TAGS,
		run: ({ before, after }) => diffLines(before, after),
	});
}

function wordsOf(text: string): Set<string> {
	return new Set(fold(text).match(/[\p{L}\p{N}]+/gu) ?? []);
}

function fold(text: string): string {
	return foldAccents(text.toLowerCase());
}
