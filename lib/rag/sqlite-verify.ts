import type { Database } from '../storage/sqlite';
import { readMeta } from './sqlite-schema';
import type { VerifyReport } from './store';

/** What must be 0, with what it means otherwise. */
const CHECKS: readonly (readonly [problem: string, sql: string])[] = [
	['passages without their document', 'SELECT count(*) AS n FROM chunks WHERE document NOT IN (SELECT id FROM documents)'],
	['documents without a passage', 'SELECT count(*) AS n FROM documents WHERE id NOT IN (SELECT document FROM chunks)'],
	['passages that the scan does not know', 'SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM rows)'],
	['scan rows without their passage', 'SELECT count(*) AS n FROM rows WHERE chunk NOT IN (SELECT id FROM chunks)'],
	['passages without their words', 'SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM terms)'],
	['words without their passage', 'SELECT count(*) AS n FROM terms WHERE chunk NOT IN (SELECT id FROM chunks)'],
	['vectors without their passage', 'SELECT count(*) AS n FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)'],
	['entries of the word index that miss or are left over', 'SELECT abs((SELECT count(*) FROM words_docsize) - (SELECT count(*) FROM chunks)) AS n'],
];

/** Proves that the tables of an embedded store fit together; reads all of them. Call inside a snapshot. */
export function verifyDatabase(database: Database): VerifyReport {
	const integrity = String(database.get('PRAGMA integrity_check')?.integrity_check);
	const problems = integrity === 'ok' ? [] : [`SQLite says: ${integrity}`];
	for (const [problem, sql] of CHECKS) {
		const found = Number(database.get(sql)?.n);
		if (found > 0) problems.push(`${found} ${problem}`);
	}
	if (readMeta(database, 'dimension') !== null) {
		const missing = Number(database.get('SELECT count(*) AS n FROM chunks WHERE id NOT IN (SELECT chunk FROM vectors)')?.n);
		if (missing > 0) problems.push(`${missing} passages without a vector`);
	}
	return { ok: problems.length === 0, problems };
}
