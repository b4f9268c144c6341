import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import type { IExecuteFunctions } from 'n8n-workflow';

import { CodedError } from '../core/errors';

/** A file of a folder, not read yet. */
export interface FolderFile {
	/** Path inside the folder, with `/`. */
	readonly name: string;
	read(): Promise<Buffer>;
}

const LARGEST_FILE = 100 * 1024 * 1024;
const MOST_FILES = 100_000;

function refused(file: string): CodedError {
	return new CodedError('BAD_INPUT', `n8n does not allow reading ${file}`, {
		remedy: 'Ask the administrator to add the folder to N8N_RESTRICT_FILE_ACCESS_TO.',
	});
}

async function readOne(ctx: IExecuteFunctions, file: string): Promise<Buffer> {
	const resolved = await ctx.helpers.resolvePath(file);
	if (ctx.helpers.isFilePathBlocked(resolved)) throw refused(file);
	const { size } = await stat(resolved);
	if (size > LARGEST_FILE) {
		throw new CodedError('BAD_INPUT', `${file} has ${Math.round(size / 1e6)} MB; more than 100 MB are not read`, { remedy: 'Split the file.' });
	}
	return await buffer(await ctx.helpers.createReadStream(resolved));
}

/**
 * The files under a folder, by name; hidden files and folders are left out. What n8n's restrictions forbid is refused: the folder
 * here, a file (a link to somewhere else) when it is read.
 *
 * @throws CodedError BAD_INPUT when the folder is absent, no folder, or forbidden
 */
export async function listFolder(ctx: IExecuteFunctions, folder: string): Promise<FolderFile[]> {
	const given = folder.trim();
	if (given === '' || !path.isAbsolute(given)) {
		throw new CodedError('BAD_INPUT', `"${folder}" is not the full path of a folder`, { remedy: 'Give a path such as /data/procedures.' });
	}
	const isFolder = await stat(given).then((facts) => facts.isDirectory(), () => false);
	if (!isFolder) throw new CodedError('BAD_INPUT', `There is no folder ${given}`, { remedy: 'Check the path as the machine that runs n8n sees it.' });
	const root = await ctx.helpers.resolvePath(given);
	if (ctx.helpers.isFilePathBlocked(root)) throw refused(given);
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
		.filter((name) => !name.split(path.sep).some((part) => part.startsWith('.')))
		.sort();
	if (files.length > MOST_FILES) throw new CodedError('BAD_INPUT', `${given} holds ${files.length} files, more than ${MOST_FILES}`);
	return files.map((file) => ({ name: file.split(path.sep).join('/'), read: async () => await readOne(ctx, path.join(root, file)) }));
}
