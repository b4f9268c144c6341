/** Where the n8n of the examples runs: `npm start` keeps its address in the demo folder, other commands read it there. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from './places.mjs';

const FILE = 'address.json';

/** Keeps the address for the commands that follow; a later one takes its place. */
export function keepAddress(folder, url) {
	writeFileSync(path.join(folder, FILE), JSON.stringify({ url }, null, 2));
}

/** The address that was kept last, else that of n8n's usual port. */
export function keptAddress(folder) {
	const file = path.join(folder, FILE);
	return existsSync(file) ? readJson(file).url : 'http://127.0.0.1:5678';
}
