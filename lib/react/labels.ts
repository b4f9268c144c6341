/**
 * The labels of the text protocol (`Thought:`, `Action:`, …) in English and French, with the markdown that models put
 * around them. Used by the reader of complete replies; it only finds labels, it decides nothing.
 */
export type LabelKind = 'thought' | 'action' | 'action_input' | 'observation' | 'answer' | 'question';

export interface Label {
	readonly kind: LabelKind;
	/** Where the line with the label begins, and where its content begins. */
	readonly start: number;
	readonly contentStart: number;
}

const WORDS: ReadonlyArray<readonly [LabelKind, string]> = [
	['action_input', "action[ _]?input|entr[ée]e (?:de l['’])?action|param[èe]tres? (?:de l['’])?action"],
	['answer', 'final[ _]?answer|answer|r[ée]ponse[ _]?finale|r[ée]ponse|response|conclusion'],
	['thought', 'thoughts?|pens[ée]e|r[ée]flexion'],
	['action', 'action'],
	['observation', 'observation|r[ée]sultat de l[\'’]action'],
	['question', 'question'],
];

const DECORATION = '[\\s>*_#`~-]*';
const PATTERN = new RegExp(
	`^${DECORATION}(?:${WORDS.map(([, words]) => `(${words})`).join('|')})[\\s*_\`]*[:：][*_]*[^\\S\\n]*`,
	'gimu',
);

/** All labels at the beginning of a line, in the order of the text; a label word inside a line is none. */
export function findLabels(text: string): Label[] {
	return [...text.matchAll(PATTERN)].map((match) => {
		const position = match.slice(1).findIndex((group) => group !== undefined);
		const leading = /^\s*/.exec(match[0])?.[0].length ?? 0;
		return {
			kind: WORDS[position]?.[0] ?? 'thought',
			start: match.index + leading,
			contentStart: match.index + match[0].length,
		};
	});
}

/** Quotes, back-ticks, markdown and a final stop taken off a tool name; '' when nothing is left. */
export function cleanName(name: string): string {
	return name.trim().replace(/^[\s*_`"'«“”]+|[\s*_`"'»“”.]+$/gu, '');
}
