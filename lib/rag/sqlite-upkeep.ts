/** The steps of verifying and compacting an embedded store; each one is short, or one statement of SQLite. */
import type { Database } from '../storage/sqlite';
import type { StepResult } from './upkeep';

/** What must be 0, with what it means otherwise. */
const CHECKS: readonly (readonly [problem: string, sql: string])[] = [
	['passages without their document', 'SELECT count(*) AS n FROM chunks WHERE document NOT IN (SELECT id FROM documents)'],
	['documents without a passage', 'SELECT count(*) AS n FROM documents WHERE id NOT IN (SELECT document FROM chunks)'],
	['passages that the scan does not know', 'SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM rows)'],
	['scan rows without their passage', 'SELECT count(*) AS n FROM rows WHERE chunk NOT IN (SELECT id FROM chunks)'],
	['passages without their words', 'SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM terms)'],
	['words without their passage', 'SELECT count(*) AS n FROM terms WHERE chunk NOT IN (SELECT id FROM chunks)'],
	['vectors without their passage', 'SELECT count(*) AS n FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)'],
	[
		'passages without a vector',
		"SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM vectors) AND (SELECT value FROM meta WHERE name = 'dimension') IS NOT NULL",
	],
	['entries of the word index that miss or are left over', 'SELECT abs((SELECT count(*) FROM words_docsize) - (SELECT count(*) FROM chunks)) AS n'],
];

/** What is done to verify, in order. */
export const VERIFY_STEPS: readonly string[] = ['the file', ...CHECKS.map(([problem]) => problem)];
/** What is done to compact, in order. */
export const COMPACT_STEPS: readonly string[] = ['the word index', 'the file', 'the log'];

/** Pages of the word index that are merged in one transaction: other writers get in between. */
const MERGED_AT_ONCE = 500;

/** One step of verifying; each sees one state of the file. */
export function verifyStep(database: Database, at: number): StepResult {
	const [problem, sql] = CHECKS[at - 1] ?? [];
	if (problem === undefined || sql === undefined) {
		const integrity = String(database.get('PRAGMA integrity_check')?.integrity_check);
		return integrity === 'ok' ? [] : [`SQLite says: ${integrity}`];
	}
	const found = Number(database.get(sql)?.n);
	return found > 0 ? [`${found} ${problem}`] : [];
}

/** One step of compacting. @param isBegun  true from the second time that the step is done */
export function compactStep(database: Database, at: number, isBegun: boolean): StepResult {
	if (at === 0) return mergeWords(database, isBegun) ? 'again' : [];
	database.exec(at === 1 ? 'VACUUM' : 'PRAGMA wal_checkpoint(TRUNCATE)');
	return [];
}

/** True while there is more to merge. Its first call takes all segments, as FTS5's documentation of the command `merge` says. */
function mergeWords(database: Database, isBegun: boolean): boolean {
	const changes = (): number => Number(database.get('SELECT total_changes() AS n')?.n);
	const before = changes();
	database.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", isBegun ? MERGED_AT_ONCE : -MERGED_AT_ONCE);
	return !isBegun || changes() - before >= 2;
}
