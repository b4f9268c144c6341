import { createRequire } from 'node:module';
import path from 'node:path';

/** Loads a module when it is first needed, not when this file is. */
const load = createRequire(__filename);

type Transformers = typeof import('@huggingface/transformers');

let last: Promise<unknown> = Promise.resolve();

/**
 * Loads something from a model's folder with Transformers.js; nothing is fetched. One at a time, since the place of the models is a
 * setting of the whole library. Throws what the library throws.
 *
 * @param name  to be given to `from_pretrained`
 */
export async function loadFrom<T>(folder: string, fn: (library: Transformers, name: string) => Promise<T>): Promise<T> {
	const turn = last.then(async () => {
		const library = load('@huggingface/transformers') as Transformers;
		const { env, LogLevel } = library;
		env.allowRemoteModels = false;
		env.allowLocalModels = true;
		env.useFSCache = false;
		env.logLevel = LogLevel.NONE;
		env.localModelPath = path.dirname(folder) + path.sep;
		return await fn(library, path.basename(folder));
	});
	last = turn.catch(() => undefined);
	return await turn;
}
