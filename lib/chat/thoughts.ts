/**
 * Reasoning that an open model writes as `<think>…</think>` at the beginning of its reply: never shown and never part of an answer.
 * Tags further on are text, since an answer may speak of them.
 */
const OPEN = /^\s*<think(?:ing)?>/iu;
const THOUGHT = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>\s*|$)/iu;
/** What may still become an opening tag. */
const BEGINNING = /^\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?$/iu;

/** A whole reply without its thoughts. */
export function withoutThoughts(reply: string): string {
	return reply.replace(THOUGHT, '');
}

/** The same while the reply comes piece by piece, whatever the cuts. */
export class ThoughtFilter {
	private held: string | undefined = '';

	/** What of the reply so far is certain to be answer, and new. */
	add(piece: string): string {
		if (this.held === undefined) return piece;
		this.held += piece;
		if (BEGINNING.test(this.held)) return '';
		if (OPEN.test(this.held) && !/<\/think(?:ing)?>\s*\S/iu.test(this.held)) return '';
		return this.end();
	}

	/** What is left when the reply has ended. */
	end(): string {
		const rest = withoutThoughts(this.held ?? '');
		this.held = undefined;
		return rest;
	}
}
