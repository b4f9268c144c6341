import { openDatabase } from './sqlite';

const MOST_PROBLEMS = 10;

/** What SQLite finds wrong in a file that exists, one line each; [] for a sound one. Throws for a file that cannot be opened. */
export function verifyFile(file: string): string[] {
	const database = openDatabase(file, { create: false });
	try {
		const said = database.all(`PRAGMA integrity_check(${MOST_PROBLEMS})`).map(({ integrity_check }) => String(integrity_check));
		const orphans = database.all('PRAGMA foreign_key_check').length;
		return [...said.filter((line) => line !== 'ok').map((line) => `SQLite says: ${line}`), ...(orphans > 0 ? [`${orphans} rows without the row that they belong to`] : [])];
	} finally {
		database.close();
	}
}
