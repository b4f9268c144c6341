import type { SqlRow } from '../storage/sqlite';
import { analyse } from '../text/analyse';
import { detectLanguage, type Language } from '../text/language';
import { contextLine } from './split';

/** Columns that `storedTokens` reads; to be ended with a condition on `c`, the passages. */
export const TOKEN_COLUMNS = 'SELECT c.id, c.text, c.title_path, d.title, d.language FROM chunks c JOIN documents d ON d.id = c.document WHERE ';

/** The search tokens of a stored passage, as indexing makes them today: of its context line and its text. */
export function storedTokens({ text, title_path, title, language }: SqlRow): string[] {
	const context = contextLine(title === null ? undefined : String(title), JSON.parse(String(title_path)) as string[]);
	const indexed = context === '' ? String(text) : `${context}\n${String(text)}`;
	const spoken = detectLanguage(indexed) ?? (language === null ? undefined : (language as Language));
	return analyse(indexed, spoken && { language: spoken });
}
