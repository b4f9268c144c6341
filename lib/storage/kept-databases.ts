import { statSync } from 'node:fs';

import { openDatabase, type Database } from './sqlite';

/**
 * SQLite files that are opened again and again, by each delivery of an event: a connection is kept for some seconds after its use,
 * since the last one to close writes the whole log back, which takes longer than all the work. Whoever has one has it alone.
 */

const IDLE_MS = 5_000;
const MOST_IDLE = 4;

interface Kept {
	readonly database: Database;
	/** Of the file that it has open: one of that name may have been moved away since. */
	readonly inode: number;
	readonly timer: NodeJS.Timeout;
}

const idle = new Map<string, Kept[]>();

export interface Borrowed {
	readonly database: Database;
	/** To be called once, whatever happened. */
	giveBack(): void;
}

/** A connection of its own; `prepare` is run on a new one. Throws as `openDatabase`. */
export function borrowDatabase(file: string, prepare: (database: Database) => void): Borrowed {
	const database = takeIdle(file) ?? opened(file, prepare);
	return { database, giveBack: () => keep(file, database) };
}

function takeIdle(file: string): Database | undefined {
	const inode = inodeOf(file);
	for (let kept = idle.get(file)?.pop(); kept; kept = idle.get(file)?.pop()) {
		clearTimeout(kept.timer);
		if (kept.inode === inode) return kept.database;
		kept.database.close();
	}
	return undefined;
}

function opened(file: string, prepare: (database: Database) => void): Database {
	const database = openDatabase(file, { create: true });
	let isReady = false;
	try {
		prepare(database);
		isReady = true;
		return database;
	} finally {
		if (!isReady) database.close();
	}
}

function keep(file: string, database: Database): void {
	const others = idle.get(file) ?? [];
	const inode = inodeOf(file);
	if (others.length >= MOST_IDLE || inode === undefined) {
		database.close();
		return;
	}
	const timer = setTimeout(() => {
		idle.set(file, (idle.get(file) ?? []).filter((kept) => kept.database !== database));
		database.close();
	}, IDLE_MS);
	timer.unref();
	idle.set(file, [...others, { database, inode, timer }]);
}

function inodeOf(file: string): number | undefined {
	return statSync(file, { throwIfNoEntry: false })?.ino;
}
