/** Marks around text that is data: what stands between them is never an instruction. */

/**
 * `text` between two marks that its author could not know: `mark` is new for each run. An attempt to close the fence from inside
 * (the mark itself in the text) is taken out. Short text of one line stays on one line.
 *
 * @param mark  8 hexadecimal digits
 */
export function fenced(mark: string, text: string): string {
	let inner = text;
	// What is left may be a mark again.
	while (inner.includes(mark)) inner = inner.replaceAll(mark, '');
	const gap = inner.includes('\n') ? '\n' : '';
	return `<data ${mark}>${gap}${inner}${gap}</data ${mark}>`;
}

const OPEN = /^\s*<data [\da-z]+>\n?/;
const CLOSE = /\n?<\/data [\da-z]+>/;

/** What stood in a fence, with what followed it; text without one as it is. */
export function withoutFence(text: string): string {
	return OPEN.test(text) ? text.replace(OPEN, '').replace(CLOSE, '') : text;
}

/** A text of the model without marks of this run that it repeated. */
export function withoutMarks(mark: string, text: string): string {
	return text.includes(mark) ? text.replaceAll(`<data ${mark}>`, '').replaceAll(`</data ${mark}>`, '').trim() : text;
}
