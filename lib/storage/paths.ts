/**
 * Where the engine keeps its files. Everything lies under one folder inside n8n's own user folder, so it is in the volume that
 * people already keep. Names that come from users become file names here and nowhere else; they can never leave the folder.
 */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { CodedError } from '../core/errors';

const PLAIN_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Device names that Windows keeps for itself, with any extension. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The engine's folder: `<N8N_USER_FOLDER or home>/.n8n/reactengine`. Read from the environment at each call; it may not exist yet.
 */
export function reactengineFolder(): string {
	return path.join(process.env.N8N_USER_FOLDER || homedir(), '.n8n', 'reactengine');
}

/**
 * A file name for a name that a user chose, the same on every file system.
 *
 * Lower-case ASCII names of up to 64 letters, digits, `_` and `-` stay as they are; any other gets a readable beginning and 12 hex
 * digits of its hash, so two names never share a file.
 *
 * @param what  what the name is for, in error messages: `knowledge base`
 * @throws      CodedError BAD_INPUT for a blank name
 */
export function safeFileName(name: string, what: string): string {
	const clean = name.normalize('NFC').trim();
	if (clean === '') {
		throw new CodedError('BAD_INPUT', `The ${what} has no name.`, { remedy: `Enter a name for the ${what}, for example "procedures".` });
	}
	if (PLAIN_NAME.test(clean) && !DEVICE_NAME.test(clean)) return clean;
	const readable = clean
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.slice(0, 40)
		.replace(/^-+|-+$/g, '');
	const hash = createHash('sha256').update(clean).digest('hex').slice(0, 12);
	return readable === '' ? `name-${hash}` : `${readable}-${hash}`;
}

/**
 * The folder of the knowledge bases of one storage.
 *
 * @param storage  name of a storage (credential Engine Storage); undefined or blank is the default one
 */
export function themesFolder(storage?: string): string {
	const root = reactengineFolder();
	if (storage === undefined || storage.trim() === '') return path.join(root, 'themes');
	return path.join(root, 'storages', safeFileName(storage, 'storage'), 'themes');
}

/**
 * The folder of one area of a storage, such as `recordings` or `logs`.
 *
 * @param storage  as for `themesFolder`
 */
export function areaFolder(area: string, storage?: string): string {
	return path.join(path.dirname(themesFolder(storage)), safeFileName(area, 'area'));
}

/** The file of a knowledge base in a folder of `themesFolder`. Throws BAD_INPUT for a blank name. */
export function themeFile(folder: string, theme: string): string {
	return path.join(folder, `${safeFileName(theme, 'knowledge base')}.sqlite`);
}
