import { CodedError } from '../core/errors';

/**
 * What all backups have in common: JSON lines, a header first, a line `{end: true, …}` with the number of the others last, so that a
 * file that was cut off is noticed.
 */

/** The header of any backup. */
export interface BackupHead {
	readonly kind: string;
	readonly version: number;
}

export interface BackupKind {
	readonly kind: string;
	/** For messages: `a knowledge base`. */
	readonly what: string;
	/** The newest that can be read. */
	readonly version: number;
}

/** Reads one line. @throws CodedError BAD_INPUT when it is no JSON object */
export function readBackupLine(line: string, what: string): Record<string, unknown> {
	try {
		const value = JSON.parse(line) as unknown;
		if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
	} catch {
		// Told below, as for a line that is no object.
	}
	return brokenBackup(what, 'a line of it cannot be read');
}

/** Reads the first line. @throws CodedError BAD_INPUT for another file, or one of a newer version */
export function readBackupHead(line: string | undefined, { kind, what, version }: BackupKind): Record<string, unknown> {
	const head = readBackupLine(line ?? '', what);
	if (head.kind !== kind) return brokenBackup(what, 'its first line is not that of one');
	if (Number(head.version) > version) return brokenBackup(what, `it has version ${String(head.version)}, this package reads up to ${version}`);
	return head;
}

/** Throws BAD_INPUT with what to do. */
export function brokenBackup(what: string, why: string): never {
	throw new CodedError('BAD_INPUT', `This is not a whole backup of ${what}: ${why}`, { remedy: 'Give the file that Back Up made, unchanged.' });
}
