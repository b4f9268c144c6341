import type { Hit } from '../core/document';
import type { Language } from '../text/language';
import { type Breathe, mapInSlices } from './breather';
import { titleOf } from './question';
import type { Unit } from './units';
import { languageOf, tokensOf, type Tokens } from './word-match';

/** Passages and their units with all that scores them; made once for a call. */
export interface Material {
	readonly hits: readonly Hit[];
	readonly titles: readonly string[];
	readonly units: readonly Unit[];
	/** Of each unit alone. */
	readonly tokens: readonly Tokens[];
	readonly titleTokens: readonly Tokens[];
	readonly languages: readonly (Language | undefined)[];
}

/** Reads titles and units as search tokens, in slices. */
export async function materialOf(hits: readonly Hit[], units: readonly Unit[], breathe: Breathe): Promise<Material> {
	const titles = hits.map(titleOf);
	const languages = hits.map((hit, position) => languageOf(titles[position] ?? '', hit.text));
	const titleTokens = titles.map((title, position) => (title === '' ? [] : tokensOf(title, languages[position])));
	const tokens = await mapInSlices(units, (unit) => tokensOf(unit.text, languages[unit.hit]), breathe);
	return { hits, titles, units, tokens, titleTokens, languages };
}
