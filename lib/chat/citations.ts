/**
 * The numbers by which an answer cites passages: `[1]`, also as models vary it (`[1, 3]`, `[1-3]`, `【2】`, `[Passage 2]`).
 */
const CITATION = /[[【]\s*(?:(?:passages?|sources?|documents?|n°)\s*)?(\d{1,3}(?:\s*(?:[,;–-]|et|and)\s*\d{1,3})*)(?:†[^\]】]*)?\s*[\]】]/giu;
const MOST_IN_A_RANGE = 20;

export interface CitedAnswer {
	/** The answer with each citation as `[n]`; numbers that no passage has are taken out. */
	readonly text: string;
	readonly cited: ReadonlySet<number>;
	/** Numbers that no passage has, as they came. */
	readonly unknown: readonly number[];
}

/** Reads the citations of an answer over `count` passages. Text without citations stays as it is. */
export function readCitations(answer: string, count: number): CitedAnswer {
	const cited = new Set<number>();
	const unknown: number[] = [];
	const text = answer.replace(CITATION, (_whole, list: string) => {
		const numbers = numbersIn(list);
		const known = numbers.filter((number) => number >= 1 && number <= count);
		for (const number of known) cited.add(number);
		unknown.push(...numbers.filter((number) => !known.includes(number)));
		return known.map((number) => `[${number}]`).join('');
	});
	return { text: unknown.length === 0 ? text : text.replace(/[^\S\n]+(?=[.,;:!?](?:\s|$))/gu, ''), cited, unknown };
}

/** A text of the conversation without its citations, which number the passages of another turn. */
export function withoutCitations(text: string): string {
	return text.replace(/[^\S\n]?\[\d{1,3}\](?!\()/gu, '');
}

function numbersIn(list: string): number[] {
	const range = /^(\d+)\s*[–-]\s*(\d+)$/u.exec(list.trim());
	const [from, to] = [Number(range?.[1]), Number(range?.[2])];
	if (range && to >= from && to - from < MOST_IN_A_RANGE) return Array.from({ length: to - from + 1 }, (_, at) => from + at);
	return (list.match(/\d+/gu) ?? []).map(Number);
}
