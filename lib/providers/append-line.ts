import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file over this size is put aside as `<name>.1` (the one before is lost), so that a log cannot fill the disk. */
const MAX_BYTES = 50_000_000;

const queues = new Map<string, Promise<void>>();

/**
 * Adds JSON values to a file, one a line; the folder is made when absent, readable by the owner only. Calls for one file keep
 * their order and never mix their lines. Throws what the file system throws.
 */
export async function appendLines(file: string, values: readonly unknown[]): Promise<void> {
	const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
	await inTurn(file, async () => await append(file, text));
}

/** Does work on a file when all that this process began before on it is done. */
export async function inTurn(file: string, work: () => Promise<void>): Promise<void> {
	const before = queues.get(file) ?? Promise.resolve();
	const done = before.then(work);
	const settled = done.catch(() => undefined);
	queues.set(file, settled);
	await done.finally(() => {
		if (queues.get(file) === settled) queues.delete(file);
	});
}

async function append(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
	const size = await stat(file).then(
		(found) => found.size,
		() => 0,
	);
	if (size > 0 && size + text.length > MAX_BYTES) await rename(file, `${file}.1`);
	await appendFile(file, text, { mode: 0o600 });
}
