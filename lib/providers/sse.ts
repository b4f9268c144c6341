import { CodedError } from '../core/errors';

/** One line, or one event, may not be longer; no API sends as much. */
const MAX_CHARACTERS = 16_000_000;

/**
 * Reads a server-sent event stream and gives the data of each event, whatever the cut of the chunks; those that came together
 * come together.
 *
 * Takes LF, CRLF and CR ends, a byte order mark, comments, and data over several lines (joined by LF). Fields other than
 * `data` are ignored. A last event without a blank line after it is given too, for servers that just close.
 *
 * @throws CodedError RESOURCE_LIMIT when one event is over 16 million characters
 */
export async function* sseData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
	const decoder = new TextDecoder();
	const reader = new SseReader();
	for await (const chunk of chunks) yield reader.add(decoder.decode(chunk, { stream: true }));
	yield [...reader.add(decoder.decode()), ...reader.end()];
}

/** The same for text that is already decoded; `end` gives what is left. */
export class SseReader {
	private rest = '';
	private data: string[] = [];
	private size = 0;

	add(text: string): string[] {
		this.rest += text;
		const events: string[] = [];
		// A CR at the very end may be half of a CRLF, so it stays until more is known.
		const lines = this.rest.includes('\r') ? this.rest.split(/\r\n|\n|\r(?!$)/) : this.rest.split('\n');
		this.rest = lines.pop() ?? '';
		this.guard(this.rest.length);
		for (const line of lines) this.line(line, events);
		return events;
	}

	end(): string[] {
		const events: string[] = [];
		if (this.rest !== '') this.line(this.rest.replace(/\r$/, ''), events);
		this.rest = '';
		this.line('', events);
		return events;
	}

	private line(line: string, events: string[]): void {
		if (line === '') {
			if (this.data.length > 0) events.push(this.data.join('\n'));
			this.data = [];
			this.size = 0;
			return;
		}
		if (line !== 'data' && !line.startsWith('data:')) return;
		this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
		this.size += line.length;
		this.guard(this.size);
	}

	private guard(length: number): void {
		if (length <= MAX_CHARACTERS) return;
		throw new CodedError('RESOURCE_LIMIT', `One event of the stream is over ${MAX_CHARACTERS} characters`, {
			remedy: 'The server does not speak the chat completions stream; check the base URL.',
		});
	}
}
