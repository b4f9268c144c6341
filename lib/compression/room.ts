import type { Hit } from '../core/document';
import { titleOf } from './question';

/** What may be kept, in characters. */
export interface Limits {
	/** Of all kept text, marks counted. */
	readonly maxCharacters: number;
	/** Of the text for the prompt, with the headings of the passages. */
	readonly maxContext: number;
}

/** The line above a passage in the text for a prompt: `[1] title › section (source)`. */
export function headingOf(hit: Hit, number: number): string {
	return [`[${number}]`, titleOf(hit), hit.source ? `(${hit.source})` : ''].filter(Boolean).join(' ');
}

/** Passages are numbered up to 999 without a character more than reserved. */
const WIDEST_NUMBER = 999;
const LINE_BREAKS = 3;

/** Characters that a passage's heading takes in the text for a prompt, at most. */
export function headingCost(hit: Hit): number {
	return headingOf(hit, WIDEST_NUMBER).length + LINE_BREAKS;
}

/** Room that is left; a passage's heading is paid with its first text. */
export class Room {
	private characters: number;
	private context: number;
	private readonly begun = new Set<Hit>();

	constructor(limits: Limits) {
		this.characters = limits.maxCharacters;
		this.context = limits.maxContext;
	}

	/** Characters of this passage that still fit. */
	leftFor(hit: Hit): number {
		return Math.min(this.characters, this.context - (this.begun.has(hit) ? 0 : headingCost(hit)));
	}

	/** Takes `characters` for a passage when they fit. */
	take(hit: Hit, characters: number): boolean {
		if (characters > this.leftFor(hit)) return false;
		if (!this.begun.has(hit)) this.context -= headingCost(hit);
		this.begun.add(hit);
		this.characters -= characters;
		this.context -= characters;
		return true;
	}
}
