import type { Hit } from '../core/document';
import type { Breathe } from './breather';

/** Shared words, of all words, from which two texts say the same. */
const SAME = 0.9;
/** Texts of which one is much longer do not say the same. */
const SIMILAR_LENGTH = 0.7;

/** True when nine of ten words are in both. Two texts without words are the same only if the caller says so. */
export function sayTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	const [small, large] = a.size < b.size ? [a, b] : [b, a];
	if (small.size < SAME * large.size || small.size === 0) return false;
	let shared = 0;
	for (const token of small) if (large.has(token)) shared += 1;
	return shared / (small.size + large.size - shared) >= SAME;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);

/** Figures decide: two rows or sentences that differ in a number only are not the same. */
const figuresOf = (text: string): string => (text.match(/\p{N}+/gu) ?? []).join(' ');

/** A text with what tells whether another says the same, found out when it is asked for: most pairs differ in length alone. */
class Wording {
	private read: { words: ReadonlySet<string>; figures: string } | undefined;

	constructor(private readonly text: string) {}

	isSameAs(other: Wording): boolean {
		const [short, long] = [this.text.length, other.text.length].sort((a, b) => a - b) as [number, number];
		if (short < SIMILAR_LENGTH * long) return false;
		return this.parts().figures === other.parts().figures && sayTheSame(this.parts().words, other.parts().words);
	}

	private parts(): { words: ReadonlySet<string>; figures: string } {
		this.read ??= { words: wordsOf(this.text), figures: figuresOf(this.text) };
		return this.read;
	}
}

/** Drops passages that say what an earlier one says, word for word or nearly. The order is kept. */
export async function withoutDuplicates(hits: readonly Hit[], breathe: Breathe): Promise<Hit[]> {
	const kept: { hit: Hit; wording: Wording }[] = [];
	const texts = new Set<string>();
	for (const hit of hits) {
		const pause = breathe();
		if (pause) await pause;
		const text = hit.text.trim();
		if (texts.has(text)) continue;
		texts.add(text);
		const wording = new Wording(text);
		if (!kept.some((other) => other.wording.isSameAs(wording))) kept.push({ hit, wording });
	}
	return kept.map(({ hit }) => hit);
}

/** Remembers what was kept, to leave out what says it again. */
export class SaidAlready {
	private readonly said: { words: ReadonlySet<string>; figures: string }[] = [];

	/** @param tokens  of the text */
	has(text: string, tokens: readonly string[]): boolean {
		const words = new Set(tokens);
		const figures = figuresOf(text);
		return this.said.some((other) => other.figures === figures && sayTheSame(other.words, words));
	}

	add(text: string, tokens: readonly string[]): void {
		this.said.push({ words: new Set(tokens), figures: figuresOf(text) });
	}
}
