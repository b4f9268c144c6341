import { createRequire } from 'node:module';
import type { Language } from './language';

type Stemmer = (word: string) => string;

/** Bounds the memory of the cache; a vocabulary of this size covers most collections. */
const CACHE_LIMIT = 50_000;

/** Loaded at the first word, not when n8n reads the node files; by require, since the analyser is synchronous. */
const load = createRequire(__filename);
const PACKAGES: Record<Language, string> = { fr: 'french', en: 'english' };

const stemmers = new Map<Language, Stemmer>();
const caches: Record<Language, Map<string, string>> = { fr: new Map(), en: new Map() };

function stemmerOf(language: Language): Stemmer {
	const known = stemmers.get(language);
	if (known) return known;
	const { stemmer } = load(`@orama/stemmers/${PACKAGES[language]}`) as { stemmer: Stemmer };
	stemmers.set(language, stemmer);
	return stemmer;
}

/**
 * Removes accents, and writes ligatures as two letters: `œuvre` → `oeuvre`. Case is kept.
 */
export function foldAccents(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/œ/gu, 'oe')
		.replace(/æ/gu, 'ae')
		.replace(/ß/gu, 'ss');
}

function stemFolded(folded: string, language: Language): string {
	const stemmer = stemmerOf(language);
	// Users often type no accents, so the rules only ever see folded words. French ones that ask for an accent then miss
	// (`arretee` → `arrete`); a second pass brings `arrêtée`, `arretee` and `arrêts` together.
	return language === 'fr' ? stemmer(stemmer(folded)) : stemmer(folded);
}

/**
 * The stem of a word by the Snowball rules of the language.
 *
 * @param word  lower case, without accents (`foldAccents`)
 * @returns     never empty for a word that is not empty
 */
export function stemOf(word: string, language: Language): string {
	const cache = caches[language];
	const known = cache.get(word);
	if (known !== undefined) return known;
	const stem = stemFolded(word, language) || word;
	if (cache.size >= CACHE_LIMIT) cache.clear();
	cache.set(word, stem);
	return stem;
}
