import { CodedError } from './errors';

/** What a message is about. A reader that knows `answer` only may ignore the others. */
export type StreamChannel = 'answer' | 'thought' | 'action' | 'observation' | 'control' | 'log';

/** How much text comes in one message: as the model sends it, a sentence, or all at once. */
export type Granularity = 'token' | 'sentence' | 'whole';

export type StreamMeta = { readonly [key: string]: string | number | boolean | null };

/**
 * What leaves the engine towards a chat, a log or a file while a reply is made.
 *
 * A stream is start@control, then deltas, then one complete for each channel that had text, answer last; or error@control at any
 * point, after which nothing comes. All messages of a stream share `id`; `seq` counts from 0 without gaps. `parentId` is the id of
 * the stream that asked for this one (a step of a run, an agent of another agent).
 */
export interface StreamMessage {
	readonly id: string;
	readonly parentId: string | null;
	readonly seq: number;
	readonly event: 'start' | 'delta' | 'complete' | 'error';
	readonly channel: StreamChannel;
	readonly text: string;
	readonly meta: StreamMeta;
}

/** Longest text of one message, in characters, and most keys of `meta`. */
export const MAX_TEXT_CHARACTERS = 1_048_576;
export const MAX_META_KEYS = 32;

/** Numbers the messages of one stream. */
export class StreamWriter {
	private seq = 0;

	constructor(
		readonly id: string,
		private readonly parentId: string | null = null,
	) {}

	/**
	 * The next message of the stream.
	 *
	 * @throws CodedError RESOURCE_LIMIT for over 1 MB of text or over 32 keys of metadata
	 */
	write(event: StreamMessage['event'], channel: StreamChannel, text = '', meta: StreamMeta = {}): StreamMessage {
		checkSize('A stream message', text.length, Object.keys(meta).length);
		const { id, parentId } = this;
		return { id, parentId, seq: this.seq++, event, channel, text, meta };
	}
}

/**
 * Holds a message to its limits.
 *
 * @throws CodedError RESOURCE_LIMIT that names what is too big
 */
export function checkSize(what: string, characters: number, metaKeys = 0): void {
	if (characters > MAX_TEXT_CHARACTERS) {
		throw new CodedError('RESOURCE_LIMIT', `${what} has ${characters} characters; the limit is ${MAX_TEXT_CHARACTERS}`, {
			remedy: 'Send less text: split the document, or let a retriever choose its passages.',
		});
	}
	if (metaKeys > MAX_META_KEYS) {
		throw new CodedError('RESOURCE_LIMIT', `${what} has ${metaKeys} metadata keys; the limit is ${MAX_META_KEYS}`, {
			remedy: 'Keep only the keys that are read later.',
		});
	}
}
