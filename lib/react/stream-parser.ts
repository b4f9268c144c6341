/**
 * Segments a reply in the text protocol while it streams: typed blocks, the same whatever the cut of the chunks. It types and
 * never decides: an "Action:" line inside an answer is a block of type action here; `parseReply` knows better at the end.
 *
 * Held back are only the beginning of a line that may still become a label (at most 64 characters) and a tag that is not
 * complete; all else is passed on at once. Time is linear in the text.
 */
import { labelOfLine, type Label } from './labels';

export type BlockType =
	| 'thought'
	| 'action'
	| 'action_input'
	| 'observation'
	| 'final_answer'
	| 'answer'
	| 'response'
	| 'conclusion'
	| 'tool_call'
	| 'tool_result'
	| 'unknown';

/** A typed piece of a reply; `content` has no blanks at its ends. */
export interface ReActBlock {
	readonly type: BlockType;
	readonly content: string;
}

export type BlockEvent =
	| { readonly type: 'start'; readonly block: BlockType }
	| { readonly type: 'delta'; readonly block: BlockType; readonly text: string }
	| { readonly type: 'reasoning'; readonly text: string }
	/** What was told so far was reasoning after all: its closing tag came without an opening one. */
	| { readonly type: 'retract' };

const FINAL: ReadonlySet<BlockType> = new Set(['final_answer', 'answer', 'response', 'conclusion']);
/** No label with its marks is longer; a line that is still undecided then is text. */
const LONGEST_LABEL = 64;
const TAGS = ['<think>', '</think>', '<thinking>', '</thinking>', '<tool_call>', '</tool_call>', '<tool_result>', '</tool_result>'];
/** A line end, or a bracket that may begin one of the tags. */
const LINE_END_OR_TAG = /\n|<(?=[/tT]|$)/g;
const NOT_LINE_END = /[^\n]/g;
/** What may stand before a label's colon: letters, blanks, marks. */
const MAY_BE_LABEL = /^[\p{L}\p{M}\s'’_*>#`~-]*$/u;

interface OpenBlock {
	readonly type: BlockType;
	text: string;
	/** Where the content begins in the whole text, reasoning and tags left out. */
	readonly start: number;
}

export class ReActStreamParser {
	private readonly done: OpenBlock[] = [];
	private open: OpenBlock | undefined;
	private pending = '';
	private atLineStart = true;
	private inReasoning = false;
	private reasoningText = '';
	/** The whole reply, reasoning and tags left out. */
	private text = '';
	private events: BlockEvent[] = [];

	/** Takes the next piece of the reply, of any size; gives what became certain by it, in order. */
	push(chunk: string): BlockEvent[] {
		this.pending += chunk;
		this.consume(false);
		return this.take();
	}

	/** Ends the reply: what was held back is text. May be called once, after the last `push`. */
	flush(): BlockEvent[] {
		this.consume(true);
		return this.take();
	}

	/** The blocks so far, in order; blocks without content are left out, except of type action_input. */
	blocks(): ReActBlock[] {
		const all = this.open ? [...this.done, this.open] : this.done;
		return all
			.map(({ type, text }) => ({ type, content: text.trim() }))
			.filter(({ type, content }) => content !== '' || type === 'action_input');
	}

	/** What the model thought between `<think>` tags; '' when nothing. */
	reasoning(): string {
		return this.reasoningText.trim();
	}

	hasFinalAnswer(): boolean {
		return this.finalBlock() !== undefined;
	}

	/** From the first block of a final type to the end, label lines inside it as written; undefined when there is none. */
	getFinalAnswer(): string | undefined {
		const block = this.finalBlock();
		return block && this.text.slice(block.start).trim();
	}

	private finalBlock(): OpenBlock | undefined {
		const found = this.done.find(({ type }) => FINAL.has(type));
		return found ?? (this.open && FINAL.has(this.open.type) ? this.open : undefined);
	}

	private take(): BlockEvent[] {
		const { events } = this;
		this.events = [];
		return events;
	}

	/** Works through `pending` piece by piece; each step takes at least one character, or stops and waits. */
	private consume(atEnd: boolean): void {
		let at = 0;
		while (at < this.pending.length) {
			const next = this.step(at, atEnd);
			if (next === at) break;
			at = next;
		}
		this.pending = this.pending.slice(at);
	}

	/** The place up to which the text is dealt with; `at` itself when more text is needed. */
	private step(at: number, atEnd: boolean): number {
		if (this.pending.charAt(at) === '<') {
			const tag = this.tagAt(at, atEnd);
			if (tag === 'wait') return at;
			if (tag) return this.takeTag(tag, at);
		} else if (this.atLineStart && !this.inReasoning) {
			const line = this.labelAt(at, atEnd);
			if (line === 'wait') return at;
			if (line) return this.takeLabel(line, at);
		}
		return this.takeText(at);
	}

	private tagAt(at: number, atEnd: boolean): string | 'wait' | undefined {
		if (/[^/tT]/.test(this.pending.charAt(at + 1))) return undefined;
		const piece = this.pending.slice(at, at + 14).toLowerCase();
		const tag = TAGS.find((candidate) => piece.startsWith(candidate));
		if (tag || atEnd) return tag;
		return TAGS.some((candidate) => candidate.startsWith(piece)) ? 'wait' : undefined;
	}

	private labelAt(at: number, atEnd: boolean): Label | 'wait' | undefined {
		const piece = this.pending.slice(at, at + LONGEST_LABEL);
		const lineEnd = piece.indexOf('\n');
		const line = lineEnd < 0 ? piece : piece.slice(0, lineEnd);
		const label = labelOfLine(line);
		const isWhole = lineEnd >= 0 || atEnd || piece.length === LONGEST_LABEL;
		// Marks or blanks right after the colon still belong to the label: wait for what ends them.
		if (label && (label.contentStart < line.length || isWhole)) return label;
		if (isWhole) return label;
		return label || MAY_BE_LABEL.test(line) ? 'wait' : undefined;
	}

	private takeTag(tag: string, at: number): number {
		const closes = tag.startsWith('</');
		if (tag.includes('think')) {
			if (closes && !this.inReasoning) this.retract();
			this.inReasoning = !closes;
			this.atLineStart = closes;
		} else {
			this.startBlock(closes ? 'unknown' : tag.includes('call') ? 'tool_call' : 'tool_result');
		}
		return at + tag.length;
	}

	private retract(): void {
		this.reasoningText += this.text;
		this.text = '';
		this.done.length = 0;
		this.open = undefined;
		this.events.push({ type: 'retract' });
	}

	private takeLabel(label: Label, at: number): number {
		this.text += this.pending.slice(at, at + label.contentStart);
		this.startBlock(typeOf(label));
		this.atLineStart = false;
		return at + label.contentStart;
	}

	private startBlock(type: BlockType): void {
		if (this.open) this.done.push(this.open);
		this.open = { type, text: '', start: this.text.length };
		this.events.push({ type: 'start', block: type });
	}

	/** Text up to the end of the line or to a tag, whichever comes first; at least one character. */
	private takeText(at: number): number {
		const isLineEnd = this.pending.charAt(at) === '\n';
		const stop = isLineEnd ? NOT_LINE_END : LINE_END_OR_TAG;
		stop.lastIndex = at + 1;
		const end = stop.exec(this.pending)?.index ?? this.pending.length;
		const piece = this.pending.slice(at, end);
		this.atLineStart = isLineEnd;
		if (this.inReasoning) {
			this.reasoningText += piece;
			this.events.push({ type: 'reasoning', text: piece });
			return end;
		}
		if (!this.open) this.startBlock('unknown');
		this.text += piece;
		if (this.open) this.open.text += piece;
		this.events.push({ type: 'delta', block: this.open?.type ?? 'unknown', text: piece });
		return end;
	}
}

function typeOf({ kind, word }: Label): BlockType {
	if (kind === 'question') return 'unknown';
	if (kind !== 'answer') return kind;
	if (/conclusion/iu.test(word)) return 'conclusion';
	if (/response/iu.test(word)) return 'response';
	return /final/iu.test(word) ? 'final_answer' : 'answer';
}
