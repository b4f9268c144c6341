import { CodedError } from '../core/errors';

/** One line may not be longer; no API sends as much. */
const MAX_CHARACTERS = 16_000_000;

/**
 * Reads a stream of lines, whatever the cut of the chunks. Blank lines are left out; the last one needs no line end.
 *
 * @throws CodedError RESOURCE_LIMIT when one line is over 16 million characters
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = '';
	for await (const chunk of chunks) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
		rest = lines.pop() ?? '';
		if (rest.length > MAX_CHARACTERS) throw tooLong();
		yield* lines.filter((line) => line.trim() !== '');
	}
	rest += decoder.decode();
	if (rest.trim() !== '') yield rest;
}

function tooLong(): CodedError {
	return new CodedError('RESOURCE_LIMIT', `One line of the stream is over ${MAX_CHARACTERS} characters`, {
		remedy: 'The server does not speak the expected stream of lines; check the base URL.',
	});
}
