import { isRecord, jsonOf } from '../json';
import type { StreamDelta } from '../stream-reader';

const OPENING = { '<think>': 'thinking', '<tool_call>': 'calling' } as const;
const CLOSING = { thinking: '</think>', calling: '</tool_call>' } as const;

type Mode = 'text' | keyof typeof CLOSING;

/**
 * Reads the text of an open model as it is written: `<think>…</think>` is reasoning, `<tool_call>{"name", "arguments"}</tool_call>` a
 * call (the form of Qwen, Hermes and others), the rest is the answer. The same whatever the cut of the pieces.
 *
 * A call whose JSON cannot be read is given as text, so that the loop can answer it. A tag that never closes counts to the end.
 */
export class TagReader {
	private mode: Mode = 'text';
	private held = '';

	add(piece: string): StreamDelta[] {
		this.held += piece;
		return this.read(false);
	}

	end(): StreamDelta[] {
		return this.read(true);
	}

	private read(isEnd: boolean): StreamDelta[] {
		const found: StreamDelta[] = [];
		for (let tag = this.nextTag(); tag; tag = this.nextTag()) {
			found.push(...this.give(this.held.slice(0, tag.at)));
			this.held = this.held.slice(tag.at + tag.text.length);
			this.mode = this.mode === 'text' ? OPENING[tag.text as keyof typeof OPENING] : 'text';
		}
		// A call is given whole; of anything else only what may be the beginning of a tag is held back.
		const safe = isEnd ? this.held.length : this.mode === 'calling' ? 0 : this.held.length - this.partialTag();
		found.push(...this.give(this.held.slice(0, safe)));
		this.held = this.held.slice(safe);
		return found;
	}

	private tags(): readonly string[] {
		return this.mode === 'text' ? Object.keys(OPENING) : [CLOSING[this.mode]];
	}

	private nextTag(): { at: number; text: string } | undefined {
		const places = this.tags().map((text) => ({ at: this.held.indexOf(text), text }));
		return places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
	}

	/** Length of the end of the text that begins a tag. */
	private partialTag(): number {
		for (let length = Math.min(this.held.length, 11); length > 0; length -= 1) {
			const end = this.held.slice(-length);
			if (this.tags().some((tag) => tag.startsWith(end))) return length;
		}
		return 0;
	}

	private give(text: string): StreamDelta[] {
		if (text === '' || (this.mode === 'calling' && text.trim() === '')) return [];
		if (this.mode === 'text') return [{ content: text }];
		return this.mode === 'thinking' ? [{ reasoning: text }] : [callOf(text)];
	}
}

function callOf(text: string): StreamDelta {
	const value = jsonOf(text.trim());
	if (!isRecord(value) || typeof value['name'] !== 'string') return { content: `<tool_call>${text}</tool_call>` };
	return { calls: [{ name: value['name'], arguments: value['arguments'] ?? value['parameters'] ?? {} }] };
}
