/** Where things lie. Everything big is kept in one cache folder outside the checkout. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const packageName = 'n8n-nodes-reactengine';
export const n8nVersion = '2.41.1';

/** The cache folder: REACTENGINE_CACHE as it stands, else `n8n-nodes-reactengine` in the user's cache folder. */
export function cacheFolder() {
	if (process.env.REACTENGINE_CACHE) return path.resolve(process.env.REACTENGINE_CACHE);
	return path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), packageName);
}

/** The parsed JSON of a file. */
export function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}
