import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const setup = path.resolve(import.meta.dirname, '../../examples/setup/local-model.mjs');

/** Makes the local encoder available to the tests: its models folder is in REACTENGINE_TEST_MODELS. */
export default async function prepareLocalModel() {
	if (!existsSync(setup)) return;
	const { ensureLocalModel } = await import(setup);
	const cacheRoot = process.env.REACTENGINE_CACHE ?? process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
	process.env.REACTENGINE_TEST_MODELS = await ensureLocalModel(path.join(cacheRoot, 'n8n-nodes-reactengine'), (line) => {
		process.stdout.write(`${line}\n`);
	});
}
