/** Brings a file of an older text analysis up to date: words are analysed anew from the stored passages, nothing is embedded. */
import type { Database } from '../storage/sqlite';
import { analyse, ANALYSER_VERSION } from '../text/analyse';
import { detectLanguage, type Language } from '../text/language';
import { storedToken } from './lexical-search';
import { contextLine } from './split';
import { beginChange, readMeta, writeMeta } from './sqlite-schema';
import { packTokens } from './token-hashes';

const PASSAGES = 'SELECT c.id, c.text, c.title_path, d.title, d.language FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id > ? ORDER BY c.id LIMIT 500';

/** True when the words of the file were analysed by an older version of the analyser. */
export function hasOlderAnalysis(database: Database): boolean {
	return Number(readMeta(database, 'analyser')) < ANALYSER_VERSION;
}

/**
 * Analyses all passages anew, in one transaction: some 0.3 ms each, other writers wait. Does nothing when another process has done
 * it meanwhile. A crash leaves the file as it was.
 */
export function analyseAnew(database: Database, now: Date): void {
	database.transaction(() => {
		if (!hasOlderAnalysis(database)) return;
		const change = beginChange(database, now);
		database.run("INSERT INTO words (words) VALUES ('delete-all')");
		for (let after = 0; ; ) {
			const passages = database.all(PASSAGES, after);
			if (passages.length === 0) break;
			for (const { id, text, title_path, title, language } of passages) {
				const context = contextLine(title === null ? undefined : String(title), JSON.parse(String(title_path)) as string[]);
				const indexed = context === '' ? String(text) : `${context}\n${String(text)}`;
				const spoken = detectLanguage(indexed) ?? (language === null ? undefined : (language as Language));
				writeTokens(database, Number(id), analyse(indexed, spoken && { language: spoken }));
				after = Number(id);
			}
		}
		writeMeta(database, 'analyser', `${ANALYSER_VERSION}`);
		// Caches that know an older change read everything anew.
		writeMeta(database, 'removed_from', `${change}`);
	});
}

function writeTokens(database: Database, chunk: number, tokens: readonly string[]): void {
	database.run('INSERT INTO words (rowid, body) VALUES (?, ?)', chunk, tokens.map(storedToken).join(' '));
	database.run('UPDATE terms SET tokens = ? WHERE chunk = ?', packTokens(tokens), chunk);
	database.run('UPDATE rows SET length = ? WHERE chunk = ?', tokens.length, chunk);
}
