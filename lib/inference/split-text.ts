/**
 * Cuts a text into the fewest halves, quarters … that each have at most `limit` tokens; joined they give the text back.
 *
 * Cuts at white space near the middle where there is some, and never inside a surrogate pair. A part of one character is
 * never cut further, whatever its tokens.
 *
 * @param countTokens  tokens of a text, without those the model adds
 */
export function splitToFit(text: string, limit: number, countTokens: (text: string) => number): string[] {
	if (text.length < 2 || countTokens(text) <= limit) return [text];
	const cut = cutNearMiddle(text);
	return [...splitToFit(text.slice(0, cut), limit, countTokens), ...splitToFit(text.slice(cut), limit, countTokens)];
}

function cutNearMiddle(text: string): number {
	const middle = Math.floor(text.length / 2);
	const after = text.slice(middle, middle + Math.floor(text.length / 4)).search(/\s/);
	if (after >= 0) return middle + after + 1 < text.length ? middle + after + 1 : middle;
	const before = text.slice(0, middle).search(/\s\S*$/);
	if (before > text.length / 4) return before + 1;
	const code = text.charCodeAt(middle);
	const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
	return isLowSurrogate && middle > 1 ? middle - 1 : middle;
}
