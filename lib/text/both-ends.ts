/**
 * The beginning and the end of a text that is longer than `most` characters, half each, on two lines; a shorter one as it is. Cuts
 * at a blank where one is near.
 */
export function bothEnds(text: string, most: number): string {
	if (text.length <= most) return text;
	const half = Math.floor(most / 2);
	const begin = text.slice(0, half).replace(/\S{0,40}$/, '');
	const end = text.slice(-half).replace(/^\S{0,40}/, '');
	return `${begin.trimEnd()}\n${end.trimStart()}`;
}
