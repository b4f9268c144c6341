/** Brings a file of an older text analysis up to date: words are analysed anew from the stored passages, nothing is embedded. */
import type { Database } from '../storage/sqlite';
import { ANALYSER_VERSION } from '../text/analyse';
import { storedToken } from './lexical-search';
import { beginChange, readMeta, writeMeta } from './sqlite-schema';
import { storedTokens, TOKEN_COLUMNS } from './stored-tokens';
import { packTokens } from './token-hashes';

const PASSAGES = `${TOKEN_COLUMNS}c.id > ? ORDER BY c.id LIMIT 500`;

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
			for (const passage of passages) {
				after = Number(passage.id);
				writeTokens(database, after, storedTokens(passage));
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
