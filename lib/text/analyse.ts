/**
 * The analyser: turns a text into search tokens. The same function reads documents and queries, for the index, the tool router
 * and the compressor, so a query finds what was written whatever the accents, apostrophes, endings and separators.
 *
 * Three kinds of token come out, told apart by their first character:
 * - `pomp`      the stem of a word, accents folded, in the language of the text (in both when it is not known);
 * - `=pompes`   the exact form, accents kept: weighs little, but ranks the same spelling first;
 * - `#n92c`     a code without its separators, and its parts (`N-92c` → `#n92c`, `#n92`, `#92c`, `#92`).
 * It knows nothing of positions, indexes or scores. `ANALYSER_VERSION` is stored with every index that it fed.
 */
import { codeTokens, type CodePiece, spacedCodeTokens } from './code-tokens';
import { detectLanguage, type Language } from './language';
import { foldAccents, stemOf } from './stem';
import { ENGLISH_STOP_WORDS, FRENCH_STOP_WORDS, SHARED_STOP_WORDS } from './stop-words';

/** Changes whenever the same text may give other tokens: older indexes must then be rebuilt. */
export const ANALYSER_VERSION = 1;

export interface AnalyseOptions {
	/** The language of the text; detected when absent. */
	readonly language?: Language;
}

/** Share of a whole word's weight that an exact form adds. */
const EXACT_WEIGHT = 0.3;

const CHUNK_OF_TEXT = /[\p{L}\p{M}\p{N}]+(?:['’ʼ_/\-‐‑–.,][\p{L}\p{M}\p{N}]+)*/gu;
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu)['’ʼ](?=[\p{L}\p{N}])/iu;
const POSSESSIVE = /['’ʼ]s$/iu;
/** Everything splits words; full stop and comma do so unless they stand in a number. */
const BETWEEN_PIECES = /['’ʼ_/\-‐‑–]|(?<!\p{N})[.,]|[.,](?!\p{N})/u;
const CAMEL_BORDER = /(?<=\p{Ll})(?=\p{Lu})/u;
const JOINED_WORD = /^[\p{L}\p{M}]+(?:[-‐‑–_][\p{L}\p{M}]+)+$/u;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/gu;
const LONGEST_WORD = 64;

/**
 * How much a token counts in a score, beside its rarity: 1, or 0.3 for an exact form.
 */
export function tokenWeight(token: string): number {
	return token.startsWith('=') ? EXACT_WEIGHT : 1;
}

interface Reader {
	readonly languages: readonly Language[];
	readonly isStopWord: (word: string) => boolean;
	readonly tokens: string[];
}

function readerFor(language: Language | undefined, keepStopWords: boolean): Reader {
	const stopWords =
		language === 'fr' ? FRENCH_STOP_WORDS : language === 'en' ? ENGLISH_STOP_WORDS : SHARED_STOP_WORDS;
	return {
		languages: language ? [language] : ['fr', 'en'],
		isStopWord: keepStopWords ? () => false : (word) => stopWords.has(word),
		tokens: [],
	};
}

function addWord(reader: Reader, written: string): void {
	const word = written.toLowerCase().slice(0, LONGEST_WORD);
	const folded = foldAccents(word);
	if (folded.length < 2 || reader.isStopWord(word)) return;
	for (const stem of new Set(reader.languages.map((language) => stemOf(folded, language)))) reader.tokens.push(stem);
	reader.tokens.push(`=${word}`);
}

function addWords(reader: Reader, written: string): void {
	const pieces = written.split(BETWEEN_PIECES).flatMap((piece) => piece.split(CAMEL_BORDER));
	for (const piece of pieces) addWord(reader, piece);
	// `sign-off` is also `signoff`, `work_order` also `workorder`; `and/or` is two words.
	if (pieces.length > 1 && pieces.length <= 4 && (JOINED_WORD.test(written) || !BETWEEN_PIECES.test(written))) {
		addWord(reader, pieces.join(''));
	}
}

function addCode(reader: Reader, written: string, pieces: readonly CodePiece[]): void {
	for (const token of codeTokens(pieces)) reader.tokens.push(`#${token}`);
	for (const letters of written.match(/[\p{L}\p{M}]{2,}/gu) ?? []) addWord(reader, letters);
	if (/[^\p{N}]/u.test(written)) reader.tokens.push(`=${written.toLowerCase().slice(0, LONGEST_WORD)}`);
}

function read(text: string, reader: Reader): string[] {
	let codes: CodePiece[] = [];
	let end = -1;
	const flush = (): void => {
		for (const token of spacedCodeTokens(codes)) reader.tokens.push(`#${token}`);
		codes = [];
	};
	for (const match of text.matchAll(CHUNK_OF_TEXT)) {
		const written = match[0].replace(ELISION, '').replace(POSSESSIVE, '');
		const isCode = /\p{N}/u.test(written);
		const piece: CodePiece = { text: foldAccents(written), startsRun: isCode || /^\p{Lu}{1,3}$|^[b-z]$/u.test(written) };
		const canJoin = isCode || /^(?:\p{Lu}{1,3}|\p{L})$/u.test(written);
		// `N 92 c` and `EN 12296-1`: pieces of one code, one blank apart.
		if (!canJoin || match.index !== end + 1 || codes.length === 4 || !/\s/u.test(text[end] ?? '')) flush();
		if (canJoin && (codes.length > 0 || piece.startsRun)) codes.push(piece);
		end = match.index + match[0].length;
		if (isCode) addCode(reader, written, [piece]);
		else addWords(reader, written);
	}
	flush();
	return reader.tokens;
}

/**
 * The search tokens of a text, in the order of the words; a word that comes twice gives its tokens twice.
 *
 * Stop words are left out, unless the text has nothing else. Blank text gives [].
 */
export function analyse(text: string, options: AnalyseOptions = {}): string[] {
	const clean = text.normalize('NFKC').replace(INVISIBLE, '');
	const language = options.language ?? detectLanguage(clean);
	const tokens = read(clean, readerFor(language, false));
	return tokens.length > 0 ? tokens : read(clean, readerFor(language, true));
}
