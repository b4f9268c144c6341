import { mkdirSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { openDatabase } from './sqlite';

/**
 * Proves that a folder can hold databases: makes it when absent, writes one there and removes it again. Throws what stands in the way.
 */
export function checkStorage(folder: string): void {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = path.join(folder, `check-${randomUUID()}.tmp`);
	try {
		const database = openDatabase(file, { create: true });
		database.exec('CREATE TABLE probe (x)');
		database.close();
	} finally {
		for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	}
}
