/**
 * Brings a file that an older version of the package wrote up to date, when it is opened: tables from format to format, words analysed
 * anew from the stored passages. Nothing is embedded, the sources are not needed.
 */
import type { Meta } from '../core/document';
import type { Database } from '../storage/sqlite';
import { ANALYSER_VERSION } from '../text/analyse';
import { vectorOf } from './dense-search';
import { storedToken } from './lexical-search';
import { quantise } from './quantise';
import { writeMetadata } from './sqlite-documents';
import { beginChange, FORMAT, readManifest, TABLES_OF_2, writeMeta } from './sqlite-schema';
import { storedTokens, TOKEN_COLUMNS } from './stored-tokens';
import { packTokens } from './token-hashes';

const PASSAGES = `${TOKEN_COLUMNS}c.id > ? ORDER BY c.id LIMIT 500`;

/** True for a file of an older format or text analysis; false for one that is newer in either. */
export function isOlder(database: Database): boolean {
	const { format, analyserVersion } = readManifest(database);
	if (format < 1 || format > FORMAT || analyserVersion > ANALYSER_VERSION) return false;
	return format < FORMAT || analyserVersion < ANALYSER_VERSION;
}

/**
 * Migrates a file, in one transaction: some 0.3 ms a passage, other writers wait. Does nothing when another process has done it
 * meanwhile. A crash leaves the file as it was.
 */
export function migrateFile(database: Database, now: Date): void {
	database.transaction(() => {
		if (!isOlder(database)) return;
		if (readManifest(database).format === 1) toFormat2(database);
		const change = beginChange(database, now);
		analyseAnew(database);
		writeMeta(database, 'format', `${FORMAT}`);
		writeMeta(database, 'analyser', `${ANALYSER_VERSION}`);
		// Caches that know an older change read everything anew.
		writeMeta(database, 'removed_from', `${change}`);
	});
}

/** Format 1 had no sources, no pages, no metadata to filter by, no bytes of vectors and no tokens of passages. */
function toFormat2(database: Database): void {
	database.exec('DROP TABLE word_places; DROP INDEX chunks_of_document; ALTER TABLE chunks RENAME TO older_chunks; ALTER TABLE documents ADD COLUMN scope TEXT;');
	database.exec(TABLES_OF_2);
	database.exec('INSERT INTO chunks SELECT id, document, position, text, start, "end", title_path, NULL FROM older_chunks; DROP TABLE older_chunks;');
	database.exec("INSERT INTO terms SELECT id, x'' FROM chunks; INSERT INTO rows SELECT id, document, 0, 0, NULL FROM chunks;");
	for (const { chunk } of database.all('SELECT chunk FROM vectors')) {
		const bytes = database.get('SELECT vector FROM vectors WHERE chunk = ?', Number(chunk))?.vector as Uint8Array;
		const { values, scale } = quantise(vectorOf(bytes));
		database.run('UPDATE rows SET scale = ?, bytes = ? WHERE chunk = ?', scale, new Uint8Array(values.buffer), Number(chunk));
	}
	for (const { id, meta } of database.all('SELECT id, meta FROM documents')) writeMetadata(database, Number(id), JSON.parse(String(meta)) as Meta);
	if (database.get('SELECT 1 FROM document_acl LIMIT 1')) writeMeta(database, 'protected', '1');
}

function analyseAnew(database: Database): void {
	database.run("INSERT INTO words (words) VALUES ('delete-all')");
	for (let after = 0; ; ) {
		const passages = database.all(PASSAGES, after);
		if (passages.length === 0) return;
		for (const passage of passages) {
			after = Number(passage.id);
			writeTokens(database, after, storedTokens(passage));
		}
	}
}

function writeTokens(database: Database, chunk: number, tokens: readonly string[]): void {
	database.run('INSERT INTO words (rowid, body) VALUES (?, ?)', chunk, tokens.map(storedToken).join(' '));
	database.run('UPDATE terms SET tokens = ? WHERE chunk = ?', packTokens(tokens), chunk);
	database.run('UPDATE rows SET length = ? WHERE chunk = ?', tokens.length, chunk);
}
