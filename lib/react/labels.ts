/**
 * The labels of the text protocol (`Thought:`, `Action:`, …) in English and French, with the markdown that models put
 * around them. Shared by the stream parser and the reader of complete replies; it only finds labels, it decides nothing.
 */
export type LabelKind = 'thought' | 'action' | 'action_input' | 'observation' | 'answer' | 'question' | 'tool_call' | 'tool_result';

export interface Label {
	readonly kind: LabelKind;
	/** The label's own words, without marks and colon. */
	readonly word: string;
	/** Where the label begins, and where its content begins. */
	readonly start: number;
	readonly contentStart: number;
}

const WORDS: ReadonlyArray<readonly [LabelKind, string]> = [
	['action_input', "action[ _]?input|entr[ée]e (?:de l['’])?action|param[èe]tres? (?:de l['’])?action"],
	['answer', 'final[ _]?answer|answer|r[ée]ponse[ _]?finale|r[ée]ponse|response|conclusion'],
	['thought', 'thoughts?|pens[ée]e|r[ée]flexion'],
	['tool_call', "tool[ _]call|appel d['’]outil"],
	['tool_result', "tool[ _]result|r[ée]sultat d['’]outil"],
	['action', 'action'],
	['observation', "observation|r[ée]sultat de l['’]action"],
	['question', 'question'],
];

/** Marks before a label: blanks of the same line, quotes, emphasis, headings, list dashes. */
const DECORATION = '(?:[^\\S\\n]|[>*_#`~-])*';
const LABEL = `${DECORATION}(?:${WORDS.map(([, words]) => `(${words})`).join('|')})(?:[^\\S\\n]|[*_\`])*[:：][*_]*[^\\S\\n]*`;
/** Lines end with \\n only: the m flag would also begin one after \\r and other separators. */
const ANYWHERE = new RegExp(`(?:^|(?<=\\n))${LABEL}`, 'giu');
const AT_START = new RegExp(`^${LABEL}`, 'iu');

/** All labels at the beginning of a line, in the order of the text; a label word inside a line is none. */
export function findLabels(text: string): Label[] {
	return [...text.matchAll(ANYWHERE)].map((match) => toLabel(match, match.index));
}

/** The label that a line begins with; undefined when it begins with something else. */
export function labelOfLine(line: string): Label | undefined {
	const match = AT_START.exec(line);
	return match ? toLabel(match, 0) : undefined;
}

function toLabel(match: RegExpMatchArray, index: number): Label {
	const position = match.slice(1).findIndex((group) => group !== undefined);
	const leading = /^\s*/.exec(match[0])?.[0].length ?? 0;
	return {
		kind: WORDS[position]?.[0] ?? 'thought',
		word: match[position + 1] ?? '',
		start: index + leading,
		contentStart: index + match[0].length,
	};
}

const LONGEST_NAME = 200;

/** Quotes, back-ticks, markdown and a final stop taken off a tool name; '' when nothing is left. Cut at 200 characters. */
export function cleanName(name: string): string {
	return name
		.trim()
		.slice(0, LONGEST_NAME)
		.replace(/^[\s*_`"'«“”]+|[\s*_`"'»“”.]+$/gu, '');
}
